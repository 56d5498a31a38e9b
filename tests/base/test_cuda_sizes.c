/* Claims, for the sizes from which backend "auto" takes a GPU: one page that pays does so
   at each larger order; a stack that pays does so with more pages, up to the order up
   to which a GPU solves all at once; small single pages do not pay and large ones do,
   but for the tridiagonal inverse never; fewer threads make a GPU pay no later; methods
   that solve one page after another leave many small pages to the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include "run/plan.h"

#include <omp.h>

/* The problems: solver, method, and what else the choice depends on.  */
static const struct
{
  ge_solver_id solver;
  ge_method method;
  int pair, is_tridiagonal;
} problems[] = {
  { GE_EIG_SYMMETRIC, GE_AUTO, 0, 0 },
  { GE_EIG_SYMMETRIC, GE_AUTO, 1, 0 },
  { GE_EIG_SYMMETRIC, GE_METHOD_EIG_SYEVD, 0, 0 },
  { GE_EIG_GENERAL, GE_AUTO, 0, 0 },
  { GE_EIG_GENERAL, GE_METHOD_GENERAL_GEEV, 0, 0 },
  { GE_SCHUR, GE_AUTO, 0, 0 },
  { GE_COMPLEX_EIG, GE_AUTO, 0, 0 },
  { GE_JACOBI_EIG, GE_AUTO, 0, 0 },
  { GE_JACOBI_EIG, GE_METHOD_JACOBI_PRECONDITIONED, 0, 0 },
  { GE_ONESIDED_EIG, GE_AUTO, 0, 0 },
  { GE_MRRR, GE_AUTO, 0, 0 },
  { GE_MRRR, GE_METHOD_MRRR_MRRR, 0, 0 },
  { GE_MRRR, GE_AUTO, 0, 1 },
  { GE_TDINV, GE_AUTO, 0, 1 },
};

static int
pays (int id, int type, int64_t n, int64_t pages)
{
  const ge_shape shape = { .type = (gpueig_type) type,
                           .n = n,
                           .pages = pages,
                           .outputs = 1,
                           .pair = problems[id].pair,
                           .is_tridiagonal = problems[id].is_tridiagonal,
                           .columns = n };
  return ge_gpu_pays (problems[id].solver, problems[id].method, &shape);
}

static int
exists (int id, int type)
{
  return problems[id].solver != GE_TDINV
         && ! (problems[id].is_tridiagonal && gpueig_is_complex (type));
}

static void
test_one (int id, int type)
{
  int before = 0, monotone = 1;
  for (int64_t n = 1; n <= 400; n++)
    {
      const int now = pays (id, type, n, 1);
      monotone &= now >= before;
      before = now;
    }
  CHECK (monotone, "problem %d, %s: larger orders pay too", id,
         check_type_name[type]);
  CHECK (! pays (id, type, 2, 1), "problem %d, %s: order 2 does not", id,
         check_type_name[type]);
  CHECK (pays (id, type, 30000, 1) == exists (id, type),
         "problem %d, %s: order 30000 does, if a GPU ever pays", id,
         check_type_name[type]);
}

static void
test_stacks (int id, int type)
{
  const int64_t orders[] = { 1, 2, 4, 8, 15, 16, 23, 24, 33, 64, 128 };
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
    {
      int before = 0, monotone = 1;
      for (int64_t pages = 8; pages <= (int64_t) 1 << 30; pages *= 2)
        {
          const int now = pays (id, type, orders[i], pages);
          monotone &= now >= before;
          before = now;
        }
      CHECK (monotone || problems[id].solver == GE_SCHUR
                 || problems[id].method != GE_AUTO || problems[id].pair,
             "problem %d, %s, order %d: more "
             "pages pay too",
             id, check_type_name[type], (int) orders[i]);
    }
}

/* Methods that solve one page after another: hundreds of pages below order 50 are for
   the CPU.  */
static void
test_one_by_one (int id, int type)
{
  const ge_method method = problems[id].method;
  int count = 0;
  if (method == GE_AUTO && ! problems[id].pair)
    return;
  for (int64_t n = 1; n < 50; n++)
    for (int64_t pages = 300; pages < 1000000; pages *= 10)
      count += pays (id, type, n, pages);
  CHECK (count == 0, "problem %d, %s: many small pages one after another", id,
         check_type_name[type]);
}

static void
test_threads (int id, int type)
{
  int later = 0;
  for (int64_t n = 1; n <= 300; n += 7)
    for (int64_t pages = 1; pages <= 20000; pages *= 3)
      {
        omp_set_num_threads (16);
        const int many = pays (id, type, n, pages);
        omp_set_num_threads (2);
        later += many && ! pays (id, type, n, pages);
      }
  omp_set_num_threads (16);
  CHECK (later == 0, "problem %d, %s: no later with fewer threads (%d)", id,
         check_type_name[type], later);
}

int
main (void)
{
  check_begin ("cuda_sizes");
  for (int id = 0; id < (int) (sizeof problems / sizeof problems[0]); id++)
    for (int type = 0; type < 4; type++)
      {
        test_one (id, type);
        test_stacks (id, type);
        test_one_by_one (id, type);
        test_threads (id, type);
      }
  return check_end ();
}
