/* Claims, for the sizes from which backend "auto" takes a GPU: one page that pays does so
   at each larger order; a stack that pays does so with more pages, up to the order up
   to which a GPU solves all at once; small single pages do not pay and large ones do,
   but for the tridiagonal inverse never; fewer threads make a GPU pay no later; methods
   that solve one page after another leave many small pages to the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include "base/solver.h"

#include <omp.h>

static int
exists (int id, int type)
{
  return id != GE_SIZE_TDINV
         && ! (id == GE_SIZE_MRRR_TRIDIAGONAL && gpueig_is_complex (type));
}

static void
test_one (int id, int type)
{
  int before = 0, monotone = 1;
  for (int64_t n = 1; n <= 400; n++)
    {
      const int pays = ge_cuda_pays (id, type, n, 1, 1);
      monotone &= pays >= before;
      before = pays;
    }
  CHECK (monotone, "problem %d, %s: larger orders pay too", id,
         check_type_name[type]);
  CHECK (! ge_cuda_pays (id, type, 2, 1, 1), "problem %d, %s: order 2 does not",
         id, check_type_name[type]);
  CHECK (ge_cuda_pays (id, type, 30000, 1, 1) == exists (id, type),
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
          const int pays = ge_cuda_pays (id, type, orders[i], pages, 1);
          monotone &= pays >= before;
          before = pays;
        }
      CHECK (monotone || id == GE_SIZE_SCHUR || id == GE_SIZE_GEEV,
             "problem %d, %s, order %d: more "
             "pages pay too",
             id, check_type_name[type], (int) orders[i]);
    }
}

/* Methods that solve one page after another: hundreds of pages below order 50 are for
   the CPU, and the claim for one page is the same.  */
static void
test_one_by_one (int id, int type)
{
  int pays = 0, same = 1;
  for (int64_t n = 1; n <= 400; n++)
    {
      same &= ge_cuda_pays (id, type, n, 1, 0)
              == ge_cuda_pays (id, type, n, 1, 1);
      for (int64_t pages = 300; n < 50 && pages < 1000000; pages *= 10)
        pays += ge_cuda_pays (id, type, n, pages, 0);
    }
  CHECK (same, "problem %d, %s: one page, by any method", id,
         check_type_name[type]);
  CHECK (pays == 0 || id == GE_SIZE_ONESIDED_EIG,
         "problem %d, %s: many small pages one after another", id,
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
        const int many = ge_cuda_pays (id, type, n, pages, 1);
        omp_set_num_threads (2);
        later += many && ! ge_cuda_pays (id, type, n, pages, 1);
      }
  omp_set_num_threads (16);
  CHECK (later == 0, "problem %d, %s: no later with fewer threads (%d)", id,
         check_type_name[type], later);
}

int
main (void)
{
  check_begin ("cuda_sizes");
  for (int id = 0; id < GE_SIZES; id++)
    for (int type = 0; type < 4; type++)
      {
        test_one (id, type);
        test_stacks (id, type);
        test_one_by_one (id, type);
        test_threads (id, type);
      }
  return check_end ();
}
