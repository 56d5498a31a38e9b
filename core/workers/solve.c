/* Solution of problems by the workers, and evaluation of their records.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "workers/workers.h"
#include "run/solvers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Eigenpairs FIRST to LAST, counted from 1, of one matrix in memory (A, B, V) or in
   files.  */
typedef struct
{
  gpueig_type type;
  int64_t n, first, last;
  const void *a, *b;
  const char *a_file, *v_file; /* A and V are files; V_FILE "": no vectors */
  void *lambda, *v;
} job;

/* --- the command line of a worker --- */

typedef struct
{
  int count, full;
  char *list[40];
  char text[8 * PATH_MAX];
  size_t used;
} arguments;

static void add (arguments *a, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static void
add (arguments *a, const char *format, ...)
{
  const size_t room = sizeof a->text - a->used;
  const int most = (int) (sizeof a->list / sizeof a->list[0]) - 1;
  va_list args;
  va_start (args, format);
  const int length = vsnprintf (a->text + a->used, room, format, args);
  va_end (args);
  a->full |= length < 0 || (size_t) length >= room || a->count == most;
  if (a->full)
    return;
  a->list[a->count++] = a->text + a->used;
  a->used += (size_t) length + 1;
}

/* Bytes of all eigenvalues and vectors that are wanted.  */
static int64_t
lambda_bytes (const job *j)
{
  return (j->last - j->first + 1) * (int64_t) gpueig_real_size (j->type);
}

static int64_t
vector_bytes (const job *j)
{
  return j->n * (j->last - j->first + 1)
         * (int64_t) gpueig_scalar_size (j->type);
}

static void
make_arguments (const job *j, const ge_mpi_session *s,
                const gpueig_options *options, arguments *a)
{
  const int vectors = j->v || (j->v_file && *j->v_file);
  a->count = a->full = 0;
  a->used = 0;
  add (a, "--folder=%s", s->folder);
  add (a, "--session=%s", s->token);
  add (a, "--record=%s", s->file[GE_MPI_RECORD].name);
  add (a, "--class=%s", gpueig_is_double (j->type) ? "double" : "single");
  if (gpueig_is_complex (j->type))
    add (a, "--complex");
  add (a, "--n=%lld", (long long) j->n);
  add (a, "--index=%lld:%lld", (long long) j->first, (long long) j->last);
  add (a, "--method=%s", options->method);
  if (options->display)
    add (a, "--display");
  if (! j->a_file)
    add (a, "--in-place");
  if (j->b)
    add (a, "--b=%s", s->file[GE_MPI_B].name);
  add (a, "--");
  add (a, "%s", j->a_file ? j->a_file : s->file[GE_MPI_A].name);
  add (a, "%s",
       ! vectors   ? ""
       : j->v_file ? s->v.part
                   : s->file[GE_MPI_V].name);
  add (a, "%s", s->file[GE_MPI_LAMBDA].name);
  a->list[a->count] = NULL;
}

/* --- the record --- */

static void
tell (const ge_mpi_record *record, double elapsed, gpueig_info *info)
{
  const double start = elapsed - record->solve - record->read_time
                       - record->check_time - record->write_time;
  ge_info_method (info, record->engine[0]);
  ge_info_part (info, record->engine[1]);
  info->time_solve += record->solve;
  if (info->n_extra)
    return; /* the figures of the first page are kept */
#define EXTRA(name) ge_info_extra (info, #name, record->name);
  GE_MPI_FIGURES (EXTRA)
#undef EXTRA
  ge_info_extra (info, "start_time", start > 0 ? start : 0);
}

/* Fail with the reason why there is no record: the last line that a worker printed,
   otherwise the launcher's output without its separator lines: of a long one the first
   words, where mpirun gives its reasons, and the last, where it names the signal that
   ended a process.  */
static gpueig_status
last_words (gpueig_context *ctx, char *output, int code)
{
  enum
  {
    FIRST = 200,
    LAST = 170
  };
  ge_mpi_output text = "";
  char own[400] = "", *rest = NULL;
  for (char *line = strtok_r (output, "\n", &rest); line;
       line = strtok_r (NULL, "\n", &rest))
    {
      const size_t used = strlen (text);
      char *found = strstr (line, GE_MPI_LINE);
      if (found)
        snprintf (own, sizeof own, "%s", found + strlen (GE_MPI_LINE));
      else if (line[strspn (line, "-=* ")])
        snprintf (text + used, sizeof text - used, "%s%s", used ? " " : "",
                  line + strspn (line, " "));
    }
  const size_t length = strlen (text);
  if (! own[0] && length > FIRST + LAST)
    snprintf (own, sizeof own, "%.*s ... %.*s", FIRST, text, LAST,
              text + length - LAST);
  const char *words = own[0] ? own : text[0] ? text : "no output";
  if (code == 126 || code == 127)
    return gpueig_fail (ctx, GPUEIG_NO_WORKER,
                        "the launcher \"%.80s\" cannot be started (%.200s); "
                        "Debian has mpirun in openmpi-bin, GPUEIG_LAUNCH names "
                        "another",
                        ge_mpi_launcher (), words);
  return gpueig_fail (ctx, GPUEIG_WORKER,
                      "the workers ended without a result (\"%.60s\", exit "
                      "status %d): %.380s",
                      ge_mpi_launcher (), code, words);
}

/* --- one session --- */

static gpueig_status
make_files (ge_mpi_session *s, const job *j)
{
  const int64_t size = (int64_t) gpueig_scalar_size (j->type);
  int64_t square;
  GE_TRY (ge_multiply (s->ctx, j->n, j->n, &square));
  GE_TRY (ge_multiply (s->ctx, square, size, &square));
  GE_TRY (ge_mpi_make_file (s, GE_MPI_LAMBDA, lambda_bytes (j)));
  if (j->a)
    {
      GE_TRY (ge_mpi_make_file (s, GE_MPI_A, square));
      GE_TRY (ge_mpi_write (s, GE_MPI_A, j->a, square));
    }
  if (j->b)
    {
      GE_TRY (ge_mpi_make_file (s, GE_MPI_B, square));
      GE_TRY (ge_mpi_write (s, GE_MPI_B, j->b, square));
    }
  if (j->v)
    GE_TRY (ge_mpi_make_file (s, GE_MPI_V, vector_bytes (j)));
  return GPUEIG_OK;
}

/* Check the memory for the session's files and for the workers, which are on this
   machine if the files are in shared memory.  */
static gpueig_status
need_memory (const ge_mpi_session *s, const job *j, int workers)
{
  const double n = (double) j->n, size = (double) gpueig_scalar_size (j->type);
  if (! s->in_memory)
    return GPUEIG_OK; /* workers on other hosts check their own memory */
  return gpueig_need_memory (
      s->ctx,
      ge_mpi_worker_bytes (n, size, j->b != NULL, workers)
          + n * n * size * ((j->a != NULL) + (j->b != NULL))
          + (j->v ? (double) vector_bytes (j) : 0),
      "the workers and their matrices");
}

static gpueig_status
read_answer (ge_mpi_session *s, const job *j, ge_mpi_output output, int code,
             double elapsed, gpueig_info *info)
{
  ge_mpi_record record;
  GE_TRY (ge_mpi_read (s, GE_MPI_RECORD, &record, sizeof record));
  if (record.size != (int32_t) sizeof record)
    return last_words (s->ctx, output, code);
  if (record.status != GPUEIG_OK)
    return gpueig_fail (s->ctx, (gpueig_status) record.status, "%s",
                        record.message);
  tell (&record, elapsed, info);
  GE_TRY (ge_mpi_read (s, GE_MPI_LAMBDA, j->lambda, lambda_bytes (j)));
  if (j->v)
    GE_TRY (ge_mpi_read (s, GE_MPI_V, j->v, vector_bytes (j)));
  return GPUEIG_OK;
}

static gpueig_status
run_session (ge_mpi_session *s, const job *j, const gpueig_options *options,
             gpueig_info *info)
{
  const int workers = ge_mpi_most_ranks (j->n, options->workers > 0
                                                   ? options->workers
                                                   : ge_mpi_default_workers ());
  ge_mpi_output output;
  arguments *a;
  int code;
  const double start = ge_now ();
  GE_TRY (need_memory (s, j, workers));
  if (j->a_file)
    {
      GE_TRY (ge_check_output (s->ctx, j->v_file, &j->a_file, 1, &s->v));
      GE_TRY (ge_begin_output (s->ctx, &s->v, (double) vector_bytes (j)));
    }
  GE_TRY (make_files (s, j));
  GE_TRY (GE_ALLOC (s->ctx, GE_HOST, 1, &a));
  make_arguments (j, s, options, a);
  if (a->full)
    return gpueig_fail (s->ctx, GPUEIG_IO, "names of files are too long");
  const double launched = ge_now ();
  ge_report (s->ctx, "%s: %d workers", ge_mpi_launcher (), workers);
  GE_TRY (ge_mpi_run (s, workers, a->list, output, &code));
  const double ended = ge_now ();
  GE_TRY (read_answer (s, j, output, code, ended - launched, info));
  GE_TRY (ge_finish_output (s->ctx, &s->v));
  info->time_transfer += launched - start + (ge_now () - ended);
  return GPUEIG_OK;
}

static gpueig_status
run_workers (gpueig_context *ctx, const job *j, const gpueig_options *options,
             gpueig_info *info)
{
  ge_mpi_session *s;
  const char *worker;
  GE_TRY (ge_mpi_find_worker (ctx, &worker));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 1, &s));
  gpueig_status status = ge_mpi_begin (ctx, s);
  if (status == GPUEIG_OK)
    status = run_session (s, j, options, info);
  ge_mpi_end (s);
  return status;
}

/* --- solvers --- */

/* One session per page; J has the arrays of the first page.  */
static gpueig_status
run_pages (gpueig_context *ctx, job j, int64_t pages,
           const gpueig_options *options, gpueig_info *info)
{
  const size_t size = gpueig_scalar_size (j.type),
               real = gpueig_real_size (j.type);
  const int64_t count = j.last - j.first + 1;
  const job first = j;
  for (int64_t p = 0; p < pages; p++)
    {
      j.a = ge_page (first.a, p, j.n * j.n, size);
      j.b = ge_page (first.b, p, j.n * j.n, size);
      j.v = ge_page (first.v, p, j.n * count, size);
      j.lambda = ge_page (first.lambda, p, count, real);
      GE_TRY (run_workers (ctx, &j, options, info));
    }
  return GPUEIG_OK;
}

gpueig_status
ge_mpi_eig_symmetric (gpueig_context *ctx, const void *problem,
                      const ge_plan *plan, const gpueig_options *options,
                      gpueig_info *info)
{
  const gpueig_symmetric *p = problem;
  (void) plan;
  const int some = p->select == GPUEIG_SELECT_INDEX;
  if (p->select == GPUEIG_SELECT_INTERVAL)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the backend \"mpi\" has no \"Range\": give "
                        "\"Index\"");
  const job j = { .type = p->type,
                  .n = p->n,
                  .first = some ? p->first : 1,
                  .last = some ? p->last : p->n,
                  .a = p->a,
                  .b = p->b,
                  .lambda = p->lambda,
                  .v = p->v };
  return run_pages (ctx, j, p->pages, options, info);
}

gpueig_status
ge_mpi_mrrr (gpueig_context *ctx, const void *problem, const ge_plan *plan,
             const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *p = problem;
  if (! p->a)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the backend \"mpi\" takes a dense matrix A, not the "
                        "diagonals of a tridiagonal one");
  return ge_mpi_eig_symmetric (ctx, p, plan, options, info);
}

/* --- files --- */

gpueig_status
gpueig_check_files (gpueig_context *ctx, const gpueig_file_problem *p)
{
  const double n = p ? (double) p->n : 0;
  ge_output v;
  if (! p || ! p->a_file)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the problem or a_file is NULL");
  GE_TRY (ge_check_input (ctx, p->a_file,
                          n * n * (double) gpueig_scalar_size (p->type)));
  return ge_check_output (ctx, p->v_file, &p->a_file, 1, &v);
}

static gpueig_status
eig_file (gpueig_context *ctx, const gpueig_file_problem *p,
          const gpueig_options *options, gpueig_info *info)
{
  if (! p)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "the problem is NULL");
  const job j = { .type = p->type,
                  .n = p->n,
                  .first = p->first,
                  .last = p->last,
                  .a_file = p->a_file,
                  .v_file = p->v_file ? p->v_file : "",
                  .lambda = p->lambda };
  ge_method method;
  gpueig_options here = *options;
  here.backend = GPUEIG_MPI;
  GE_TRY (ge_check_options (ctx, GE_EIG_SYMMETRIC, &here, &method));
  if (p->n == 0)
    return GPUEIG_OK;
  if (p->n < 0 || ! p->a_file || ! p->lambda || p->first < 1
      || p->first > p->last || p->last > p->n)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "eigenvalues %lld to %lld of a matrix of order %lld",
                        (long long) p->first, (long long) p->last,
                        (long long) p->n);
  GE_TRY (gpueig_check_files (ctx, p));
  snprintf (info->backend, sizeof info->backend, "mpi");
  return run_workers (ctx, &j, options, info);
}

gpueig_status
gpueig_eig_file (gpueig_context *ctx, const gpueig_file_problem *problem,
                 const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, eig_file (ctx, problem, options, info));
}
