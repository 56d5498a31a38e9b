/* Claims about failures of LAPACK's divide and conquer, whose routines are those of this
   program:
   failed_pages_are_solved: pages of a stack for which dsyevd fails or returns skew vectors, and
     large ones for which dstevd fails, MRRR solves; a named method has it as its fallback,
     "auto" as its method; so do pairs
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "replaced_lapack.h"
#include "solvers.h"

#include <string.h>

/* Of every other call of dsyevd_; dstevd_ can fail.  */
static fault lapack_fault;

REPLACED (dsyevd_,
          (const char *job, const char *uplo, const int32_t *n, double *a,
           const int32_t *lda, double *w, double *work, const int32_t *lwork,
           int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l1,
           size_t l2),
          (job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, l1, l2),
          if (*lwork != -1 && ! is_second_call ())
              spoil (lapack_fault, w, a, info))

REPLACED (dstevd_,
          (const char *job, const int32_t *n, double *d, double *e, double *z,
           const int32_t *ldz, double *work, const int32_t *lwork,
           int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l),
          (job, n, d, e, z, ldz, work, lwork, iwork, liwork, info, l),
          if (*lwork != -1 && lapack_fault == FAILS) *info = 1)

/* PAIR: with a diagonal B.  */
static void
failed_pages_are_solved (fault f, const char *method, int64_t n, int64_t pages,
                         int pair)
{
  const int named = strcmp (method, "auto") != 0;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, n, pages, 2);
  fill_problem (&p, 11);
  if (pair)
    p.b = check_array (p.type, n * n * pages);
  for (int64_t i = 0; pair && i < n * pages; i++)
    measure_set (p.type, p.b, i / n * n * n + i % n * (n + 1),
                 1 + (double) (i % n % 3) / 2);
  lapack_fault = f;
  calls_of_lapack = 0;
  const int solved = check_solve (ctx, &p, &options, method, "%s%s",
                                  fault_name[f], pair ? ", pairs" : "");
  lapack_fault = RIGHT;
  CHECK (strcmp (p.info.fallback, f != RIGHT && named ? "mrrr" : "") == 0
             && (! named || strcmp (p.info.method, method) == 0),
         "by \"%s\", fallback \"%s\", %s", p.info.method, p.info.fallback,
         p.what);
  if (solved)
    check_errors (&p, USUAL_NONE);
}

int
main (void)
{
  static const fault faults[] = { RIGHT, FAILS, SKEW };
  static const int64_t large = 400;
  begin_test ("symmetric_fallback");
  if (! dlsym (RTLD_NEXT, "dsyevd_"))
    {
      check_skip ("LAPACK is not a library of its own");
      return end_test ();
    }
  options.backend = GPUEIG_CPU;
  for (int k = 0; k < 6; k++)
    {
      const fault f = faults[k / 2];
      const int pair = k % 2;
      failed_pages_are_solved (f, "syevd", 40, 1, pair);
      failed_pages_are_solved (f, "syevd", 33, 9, pair);
      failed_pages_are_solved (f, "auto", 40, 9, pair);
      if (f != SKEW)
        failed_pages_are_solved (f, "syevd", large, 1, pair);
    }
  return end_test ();
}
