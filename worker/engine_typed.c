/* The engines: ELPA and ScaLAPACK's divide and conquer.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A. Marek et al., The ELPA library: scalable parallel eigenvalue solutions for
   electronic structure theory and computational science, J. Phys.: Condens.
   Matter 26 (2014) 213201.  F. Tisseur, J. Dongarra, A parallel divide and
   conquer algorithm for the symmetric eigenvalue problem on distributed memory
   architectures, SIAM J. Sci. Comput. 20 (1999) 2223-2236.  */

#include "typed.h"

#include <stdlib.h>
#include <string.h>

#if WK_HAVE_ELPA
#  include <elpa/elpa.h>
#endif

static gpueig_status
engine_failed (wk_problem *p, const char *engine, int code)
{
  return gpueig_fail (&p->job->ctx, GPUEIG_SOLVER_FAILED,
                      "%s failed with code %d", engine, code);
}

/* --- ELPA --- */

#if WK_HAVE_ELPA
/* The API version of 2021; the functions used here have not changed since.  */
enum
{
  ELPA_API = 20211125,
  TWO_STAGE_FROM = 128 /* least order: the band must not fill the matrix */
};

static int
set_up (wk_problem *p, elpa_t handle, int stages)
{
  const wk_grid *g = &p->job->grid;
  const struct
  {
    const char *name;
    int value;
  } settings[] = { { "na", g->n },
                   { "nev", p->wanted },
                   { "local_nrows", g->local_rows },
                   { "local_ncols", g->local_columns },
                   { "nblk", g->block },
                   { "mpi_comm_parent", (int) MPI_Comm_c2f (g->comm) },
                   { "process_row", g->row },
                   { "process_col", g->column_index } };
  int error;
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
    {
      elpa_set (handle, settings[i].name, settings[i].value, &error);
      if (error != ELPA_OK)
        return error;
    }
  error = elpa_setup (handle);
  if (error != ELPA_OK)
    return error;
  elpa_set (handle, "solver",
            stages == 2 && g->n >= TWO_STAGE_FROM ? (int) ELPA_SOLVER_2STAGE
                                                  : (int) ELPA_SOLVER_1STAGE,
            &error);
  return error;
}

static gpueig_status
by_elpa (wk_problem *p, int stages)
{
  int error, ignored;
  if (elpa_init (ELPA_API) != ELPA_OK)
    return engine_failed (p, "elpa_init", ELPA_API);
  elpa_t handle = elpa_allocate (&error);
  if (error != ELPA_OK)
    return engine_failed (p, "elpa_allocate", error);
  error = set_up (p, handle, stages);
  if (error == ELPA_OK && p->vectors)
    elpa_eigenvectors (handle, p->a, p->lambda, p->v, &error);
  else if (error == ELPA_OK)
    elpa_eigenvalues (handle, p->a, p->lambda, &error);
  elpa_deallocate (handle, &ignored);
  elpa_uninit (&ignored);
  /* ELPA may have been built without single precision, as in Debian.  */
  p->refused = error != ELPA_OK;
  return error == ELPA_OK ? GPUEIG_OK : engine_failed (p, "ELPA", error);
}
#else
static gpueig_status
by_elpa (wk_problem *p, int stages)
{
  return gpueig_fail (&p->job->ctx, GPUEIG_BAD_OPTION,
                      "method \"elpa%d\": this gpueig-worker was built without "
                      "ELPA (Debian: libelpa-dev)",
                      stages);
}
#endif

/* --- ScaLAPACK --- */

/* The number of words that a workspace query has returned as a scalar.  */
static double
words (real_t wish)
{
  return (double) wish * (1 + GE_EPS) + 1;
}

static gpueig_status
by_syevd (wk_problem *p)
{
  static const int one = 1, query = -1;
  const wk_grid *g = &p->job->grid;
  scalar_t wish = make_ (0, 0);
  real_t rwish[2] = { 0, 0 };
  int iwish[2] = { 0, 0 }, info = 0;
#if GE_COMPLEX
#  define REALS(work, size) work, size,
#else
#  define REALS(work, size)
#endif
  /* This routine cannot compute eigenvalues only.  */
  psyevd_ ("V", "L", &g->n, p->a, &one, &one, g->desc, p->lambda, p->v, &one,
           &one, g->desc, &wish, &query, REALS (rwish, &query) iwish, &query,
           &info, 1, 1);
  /* For small orders the size returned by the query does not suffice for p?ormtr and
     p?unmtr (ScaLAPACK 2.2).  */
  const double block = g->block,
               more = 3.0 * g->n
                      + (g->local_rows + g->local_columns + 2 * block) * block;
  const double size = words (re_ (wish)) + more,
               reals = words (rwish[0]) + more;
  if (info != 0)
    return engine_failed (p, "ScaLAPACK", info);
  if (size > INT32_MAX || reals > INT32_MAX)
    return gpueig_fail (&p->job->ctx, GPUEIG_BAD_OPTION,
                        "%d workers are too few for ScaLAPACK", g->size);
  const int lwork = (int) size, lrwork = (int) reals, liwork = iwish[0] + 1;
  scalar_t *work = malloc ((size_t) lwork * sizeof *work);
  real_t *rwork = malloc ((size_t) lrwork * sizeof *rwork);
  int *iwork = malloc ((size_t) liwork * sizeof *iwork);
  gpueig_status status = GPUEIG_OK;
  if (! work || ! rwork || ! iwork)
    status = gpueig_fail (&p->job->ctx, GPUEIG_OUT_OF_MEMORY,
                          "out of memory: rank %d needs %.6g MiB of work space",
                          p->job->rank, size * sizeof *work / 1048576);
  status = wk_agree (p->job, g->comm, status);
  if (status == GPUEIG_OK)
    psyevd_ ("V", "L", &g->n, p->a, &one, &one, g->desc, p->lambda, p->v, &one,
             &one, g->desc, work, &lwork, REALS (rwork, &lrwork) iwork, &liwork,
             &info, 1, 1);
  free (work);
  free (rwork);
  free (iwork);
  if (status != GPUEIG_OK)
    return status;
  return info == 0 ? GPUEIG_OK : engine_failed (p, "ScaLAPACK", info);
}

/* --- choice --- */

gpueig_status
FN (wk_engine) (wk_problem *p, ge_method method)
{
  wk_job *job = p->job;
  gpueig_status status = GPUEIG_OK;
  if (job->grid.n == 1)
    {
      /* Order 1: only one rank takes part.  */
      p->lambda[0] = re_ (p->a[0]);
      p->v[0] = make_ (1, 0);
    }
  else if (method == GE_METHOD_EIG_SYEVD)
    status = by_syevd (p);
  else
    status = by_elpa (p, method == GE_METHOD_EIG_ELPA2 ? 2 : 1);
  return wk_agree (job, job->grid.comm, status);
}
