/* Claims about failures of LAPACK's QR iteration, whose routines are those of this program;
   single pages and stacks:
   wrong_schur_forms_are_replaced: where it fails, or returns what is no Schur form, our own
     iteration solves the page, and info names it
   wrong_eigenvalues_are_replaced: and where it returns what are no eigenvalues, or no right or
     left eigenvectors of them; every page has the bits of one of both methods
   two_wrong_methods_are_an_error: where both are wrong, the status says so
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "replaced_lapack.h"
#include "solvers.h"

#include <string.h>

/* What dgees_ and dgeevx_ do; every other page of a stack is right.  OF_FORM: the imaginary
   part of a pair, or what is above the diagonal, is wrong.  */
static fault lapack_fault;
static int balances_wrongly;

/* W: eigenvalues, or a form whose element ABOVE is above the diagonal.  */
static void
spoil_form (double *w, double *above, double *u, int32_t *info)
{
  if (is_second_call ())
    return;
  spoil (lapack_fault, w, u, info);
  if (lapack_fault == OF_FORM)
    *above = 1.5 * *above + 1e-3;
}

REPLACED (dgees_,
          (const char *job, const char *sort, void *select, const int32_t *n,
           double *a, const int32_t *lda, int32_t *count, double *wr,
           double *wi, double *vs, const int32_t *ldvs, double *work,
           const int32_t *lwork, int32_t *bwork, int32_t *info, size_t l1,
           size_t l2),
          (job, sort, select, n, a, lda, count, wr, wi, vs, ldvs, work, lwork,
           bwork, info, l1, l2),
          if (*lwork != -1) spoil_form (a, &a[*lda * (*n - 1)],
                                        *job == 'V' ? vs : NULL, info))

/* The eigenvalues of N-by-N matrices that have a pair.  */
static void
spoil_eigenvalues (int32_t n, double *wr, double *wi, double *vectors,
                   int32_t *info)
{
  int32_t k = 0;
  while (k < n - 1 && wi[k] == 0)
    k++;
  double im = wi[k];
  spoil_form (wr, &im, vectors, info);
  wi[k + 1] = -im;
  wi[k] = im;
}

REPLACED (dgeevx_,
          (const char *balance, const char *left, const char *right,
           const char *sense, const int32_t *n, double *a, const int32_t *lda,
           double *wr, double *wi, double *vl, const int32_t *ldvl, double *vr,
           const int32_t *ldvr, int32_t *ilo, int32_t *ihi, double *scale,
           double *norm, double *rconde, double *rcondv, double *work,
           const int32_t *lwork, int32_t *iwork, int32_t *info, size_t l1,
           size_t l2, size_t l3, size_t l4),
          (balance, left, right, sense, n, a, lda, wr, wi, vl, ldvl, vr, ldvr,
           ilo, ihi, scale, norm, rconde, rcondv, work, lwork, iwork, info, l1,
           l2, l3, l4),
          if (*lwork != -1) spoil_eigenvalues (*n, wr, wi,
                                               *left == 'V'    ? vl
                                               : *right == 'V' ? vr
                                                               : NULL,
                                               info))

/* LAPACK's own calls need not come here.  */
REPLACED (dgebal_,
          (const char *job, const int32_t *n, double *a, const int32_t *lda,
           int32_t *ilo, int32_t *ihi, double *scale, int32_t *info, size_t l),
          (job, n, a, lda, ilo, ihi, scale, info, l),
          if (balances_wrongly) a[0] += 1e-6)

/* --- claims --- */

enum
{
  DETACHED = 520 /* pages of this order run on a thread of their own */
};

/* Random pages, each with a conjugate pair, for a solver without balancing.  */
static any_problem
begin (int solver, int64_t n, int64_t pages, int outputs)
{
  any_problem p
      = make_problem (&solvers[solver], GPUEIG_DOUBLE, n, pages, outputs);
  p.unbalanced = 1;
  fill_problem (&p, 5);
  for (int64_t k = 0; k < pages; k++)
    for (int64_t i = 0; i < n; i++)
      {
        char *const a = a_page (&p, k);
        measure_set (p.type, a, n - 1 + n * i, i == n - 2 ? -3 : 0);
        measure_set (p.type, a, n - 2 + n * i, i == n - 1 ? 3 : 0);
      }
  return p;
}

/* P by METHOD, whose fault is F, which NEXT follows.  */
static void
solve (any_problem *p, const char *method, fault f, const char *next)
{
  lapack_fault = f;
  calls_of_lapack = 0;
  check_solve (ctx, p, &options, method, "%s, %d outputs", fault_name[f],
               p->outputs);
  CHECK (strcmp (p->info.fallback, next) == 0, "fallback \"%s\", %s",
         p->info.fallback, p->what);
  lapack_fault = RIGHT;
}

static void
wrong_schur_forms_are_replaced (fault f, int64_t n, int64_t pages, int outputs)
{
  CLEANUP (free_problem)
  any_problem p = begin (SOLVE_SCHUR, n, pages, outputs);
  const int is_wrong = f != RIGHT && (outputs > 1 || f != SKEW);
  solve (&p, "gees", f, is_wrong ? "qr" : "");
  check_errors (&p, USUAL_NONE);
}

/* Every page has the bits of one of both methods.  */
static void
wrong_eigenvalues_are_replaced (fault f, int64_t n, int64_t pages, int outputs)
{
  CLEANUP (free_problem)
  any_problem p = begin (SOLVE_EIG_GENERAL, n, pages, outputs);
  CLEANUP (free_problem)
  any_problem qr = copy_problem (&p), geev = copy_problem (&p);
  int64_t others = 0;
  solve (&qr, "qr", RIGHT, "");
  solve (&geev, "geev", RIGHT, "");
  const int is_wrong = f != RIGHT && (outputs > 1 || f != SKEW);
  solve (&p, "geev", f, is_wrong ? "qr" : "");
  for (int64_t k = 0; k < pages; k++)
    others += ! same_bits (p.values, p.lambda, n * k, qr.lambda, n * k, n)
              && ! same_bits (p.values, p.lambda, n * k, geev.lambda, n * k, n);
  CHECK (others == 0, "the values of %d pages are another solver's, %s",
         (int) others, p.what);
  check_errors (&p, USUAL_NONE);
}

/* Where both iterations are wrong.  */
static void
two_wrong_methods_are_an_error (int64_t n)
{
  static const int both[] = { SOLVE_SCHUR, SOLVE_EIG_GENERAL };
  balances_wrongly = 1;
  lapack_fault = IN_ERROR;
  for (int k = 0; k < 2; k++)
    {
      CLEANUP (free_problem) any_problem p = begin (both[k], n, 1, 1);
      p.unbalanced = 0;
      calls_of_lapack = 0;
      CHECK (solve_problem (ctx, &p, &options, NULL) == GPUEIG_SOLVER_FAILED,
             "%s by both iterations is wrong: %s", p.solver->name,
             gpueig_message (ctx));
    }
  balances_wrongly = 0;
  lapack_fault = RIGHT;
}

int
main (void)
{
  static const int64_t orders[][2] = { { 4, 1 }, { 5, 40 }, { 70, 2 } };
  begin_test ("schur_fallback");
  options.backend = GPUEIG_CPU;
  for (fault f = RIGHT; f < FAULTS; f++)
    for (int k = 0; k < 9; k++)
      {
        const int64_t *size = orders[k / 3];
        if (k % 3 < 2)
          wrong_schur_forms_are_replaced (f, size[0], size[1], 1 + k % 3);
        wrong_eigenvalues_are_replaced (f, size[0], size[1], 1 + k % 3);
      }
  wrong_schur_forms_are_replaced (SKEW, DETACHED, 1, 2);
  wrong_eigenvalues_are_replaced (IN_ERROR, DETACHED, 1, 1);
  wrong_eigenvalues_are_replaced (SKEW, DETACHED, 1, 2);
  two_wrong_methods_are_an_error (6);
  return end_test ();
}
