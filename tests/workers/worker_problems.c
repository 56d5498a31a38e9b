/* Claims: gpueig-worker's eigenpairs are accurate for all types, methods, orders
   from 1 to 600 and difficult matrices; a pair and parts of a spectrum: mpi.tst.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

     mpirun ... worker_problems FOLDER

   The ranks solve one problem after the other; rank 0 generates the matrices in the FOLDER and
   measures the errors; tests/check_worker.sh starts it.  */

#include "check.h"
#include "matrices.h"
#include "limits.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  gpueig_type type;
  int n, kind;
  const char *method;
} problem;

static char folder[64];
static int rank, ranks;

static void
file_name (const char *name, char full[PATH_MAX])
{
  snprintf (full, PATH_MAX, "%s/%s", folder, name);
}

static void
write_file (const char *name, const void *x, size_t bytes)
{
  FILE *f = fopen (name, "wb");
  CHECK (f && fwrite (x, 1, bytes, f) == bytes, "%s is written", name);
  if (f)
    fclose (f);
}

/* Read file NAME, which must have exactly BYTES, and delete it.  */
static int
read_file (const char *name, void *x, size_t bytes)
{
  FILE *f = fopen (name, "rb");
  const int good = f && fread (x, 1, bytes, f) == bytes && fgetc (f) == EOF;
  if (f)
    fclose (f);
  unlink (name);
  return good;
}

static void
measure (const problem *p, const void *a, const void *v, const void *lambda,
         const char *what)
{
  const gpueig_type real = real_type (p->type);
  FREED char *reference = check_array (real, p->n);
  gpueig_options options;
  gpueig_context *ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  const gpueig_symmetric s
      = { .type = p->type, .n = p->n, .pages = 1, .a = a, .lambda = reference };
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "reference of %s", what);
  const double scale = measure_norm (p->type, p->n, p->n, a);
  CHECK_RATIO (measure_eigenvalues (real, p->n, lambda, reference,
                                    scale > 0 ? scale : 1),
               LIMIT_EIGENVALUES, "eigenvalues of %s", what);
  CHECK_RATIO (measure_residual (p->type, p->n, p->n, a, v, lambda),
               LIMIT_RESIDUAL, "residual of %s", what);
  CHECK_RATIO (measure_orthogonality (p->type, p->n, p->n, v),
               LIMIT_ORTHOGONALITY, "orthogonality of %s", what);
  gpueig_destroy (ctx);
}

static void
check_answer (const problem *p, const void *a, gpueig_status status,
              const wk_job *job)
{
  const size_t n = (size_t) p->n;
  char what[200], name[PATH_MAX];
  snprintf (what, sizeof what, "%s, %s, n = %d, %s, %d ranks",
            page_kind_name[p->kind], check_type_name[p->type], p->n, p->method,
            ranks);
  CHECK (status == GPUEIG_OK, "%s: %s", what, job->ctx.message);
  /* A fallback is expected where ELPA's vectors are not orthogonal, see
     verify_typed.c.  */
  CHECK (! job->fallback[0] || p->kind == PAGE_ONES, "%s: no fallback, but %s",
         what, job->fallback);
  FREED char *v = check_array (p->type, p->n * p->n),
             *lambda = check_array (p->type, p->n);
  file_name ("V", name);
  int there = read_file (name, v, n * n * gpueig_scalar_size (p->type));
  file_name ("lambda", name);
  there &= read_file (name, lambda, n * gpueig_real_size (p->type));
  CHECK (there, "%s: V and lambda are there", what);
  if (there)
    measure (p, a, v, lambda, what);
}

static void
run (problem p)
{
  static wk_job job;
  char a_name[PATH_MAX], v_name[PATH_MAX], lambda_name[PATH_MAX];
  const int64_t square = (int64_t) p.n * p.n;
  FREED void *a = check_array (p.type, square);
  file_name ("A", a_name);
  file_name ("V", v_name);
  file_name ("lambda", lambda_name);
  if (rank == 0)
    {
      hard_matrix (p.kind, p.type, p.n, a);
      write_file (a_name, a, (size_t) square * gpueig_scalar_size (p.type));
    }
  MPI_Barrier (MPI_COMM_WORLD);
  job = (wk_job){ .args = { .type = p.type,
                            .n = p.n,
                            .first = 1,
                            .last = p.n,
                            .a = a_name,
                            .v = v_name,
                            .lambda = lambda_name,
                            .method = p.method } };
  const gpueig_status status = wk_run (&job, GPUEIG_OK);
  if (rank == 0)
    check_answer (&p, a, status, &job);
}

/* --- the problems --- */

static const char *const methods[]
    = { "auto", GE_METHODS_MPI (GE_METHOD_NAME) };

/* Nonzero if METHOD is tested for TYPE.  ELPA may have been built without single
   precision, so only "auto" and ScaLAPACK are tested there.  */
static int
is_tried (gpueig_type type, int method)
{
  return method == 3
         || (gpueig_is_double (type) ? WK_HAVE_ELPA && method > 0
                                     : method == 0);
}

static void
orders (void)
{
  static const int n[] = { 1, 2, 3, 5, 16, 33, 64, 100, 129, 190 };
  for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
    for (int type = 0; type < 4; type++)
      for (int m = 0; m < 4; m++)
        if (is_tried (type, m))
          run ((problem){ .type = type,
                          .n = n[i],
                          .kind = PAGE_RANDOM,
                          .method = methods[m] });
}

static void
hard (void)
{
  static const int kinds[]
      = { PAGE_RANDOM,    PAGE_ZERO,    PAGE_IDENTITY,     PAGE_PLUS_MINUS,
          PAGE_EXCHANGE,  PAGE_KRON,    PAGE_BIPARTITE,    PAGE_GRAM,
          PAGE_GRADED,    PAGE_CLUSTER, PAGE_TWO_CLUSTERS, PAGE_ONES,
          PAGE_WILKINSON, PAGE_TINY,    PAGE_HUGE };
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (int type = 0; type < 4; type++)
      for (int m = 0; m < 4; m++)
        if (is_tried (type, m) && (m != 2 || type == GPUEIG_DOUBLE))
          run ((problem){ .type = type,
                          .n = m == 2 ? 150 : 70 + (int) k,
                          .kind = kinds[k],
                          .method = methods[m] });
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  snprintf (folder, sizeof folder, "%s", argc > 1 ? argv[1] : ".");
  check_begin ("worker");
  orders ();
  hard ();
  for (int m = 1; m < 4; m++)
    if (is_tried (GPUEIG_DOUBLE, m))
      run ((problem){ .type = GPUEIG_DOUBLE,
                      .n = 600,
                      .kind = PAGE_RANDOM,
                      .method = methods[m] });
  MPI_Finalize ();
  return rank == 0 ? check_end () : 0;
}
