/* The foundation of core, without what the plugin uses too (context.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

     checks.c, checks_typed.c arguments of a C caller (checks.h)
     gpu_memory.c             data in memory of a GPU (gpu_memory.h)
     context.c, workspace.c   messages, callbacks, info; scratch memory
     system.c, system_linux.c, system_windows.c, system_process.c  the operating system
                              (system.h)
     plugin.c                 a context, and the plugin that it loads
     hooks.c                  functions for tests only
     detached.c               library calls that cannot be interrupted
     threads.c                core's threads: pieces of one computation
     convert.c                scalars and problems of one type as those of another
     pages.c                  the pages of a stack on several threads
     products_typed.c, small_typed.c  matrix products (products.h)
     verify_by_sampling.c, verify_by_sampling_typed.c  other libraries' eigenpairs
     order.c                  eigenvalues in ascending order
     scale_general.c, scale_general_typed.c  general pages times powers of two
   Headers for C and CUDA: rotation.h, round_robin.h, dd.h, wide.h.  */

#ifndef GE_SOLVER_H
#define GE_SOLVER_H 1

#include "base/gpu_memory.h"
#include "plan/forms.h"

/* --- contexts and the plugin, plugin.c ---

   *CTX: a context with the table SOLVERS, to be freed by ge_free_context, which does not
   know what other modules have made for it.  */
gpueig_status ge_new_context (const struct ge_solver_entry *const *solvers,
                              gpueig_context **ctx);
void ge_free_context (gpueig_context *ctx);

/* Load the plugin, in the first call only; sets ctx->plugin or, if that fails,
   ctx->plugin_reason.  */
void ge_load_plugin (gpueig_context *ctx);

/* The reason why no GPU can be used: to TEXT, of SIZE bytes; with GPUEIG_NO_DEVICE.  */
void ge_why_no_gpu (const gpueig_context *ctx, char *text, size_t size);
gpueig_status ge_no_gpu (gpueig_context *ctx);

/* --- numbers and pages --- */

/* Record in INFO that PART solved a part of the call instead of its method; "": nothing did.  */
void ge_info_part (gpueig_info *info, const char *part);

/* The value NAME in info->extra, 0 if there is none.  */
double ge_info_value (const gpueig_info *info, const char *name);

/* Element I of X, reals of the precision of TYPE.  */
static inline double
ge_real_at (gpueig_type type, const void *x, int64_t i)
{
  return gpueig_is_double (type) ? ((const double *) x)[i]
                                 : (double) ((const float *) x)[i];
}

/* TO: COUNT complex numbers of the precision of TYPE, the scalars FROM of TYPE.  */
void ge_to_complex (gpueig_type type, int64_t count, const void *from,
                    void *to);

/* *WIDE: S in double precision, with room for results, in the caller's frame, which
   ge_narrow_results rounds; S itself if that is in double precision.  */
gpueig_status ge_widen_problem (gpueig_context *ctx, const gpueig_symmetric *s,
                                gpueig_symmetric *wide);
void ge_narrow_results (const gpueig_symmetric *wide,
                        const gpueig_symmetric *s);

/* Suballocation: returns *AT and advances it by COUNT elements of SIZE bytes, rounded
   up to a multiple of 64 bytes.  */
static inline void *
ge_take (char **at, int64_t count, size_t size)
{
  void *p = *at;
  *at += ((size_t) count * size + 63) & ~(size_t) 63;
  return p;
}

/* Where what has no memory yet begins: the end of its parts minus this is their size.  */
#define GE_NOWHERE ((char *) (uintptr_t) 64)

/* Call FUNCTION_s, _d, _c or _z according to the run-time TYPE.  */
#define GE_BY_TYPE(type, function, args)                                       \
  ((type) == GPUEIG_FLOAT           ? function##_s args                        \
   : (type) == GPUEIG_DOUBLE        ? function##_d args                        \
   : (type) == GPUEIG_COMPLEX_FLOAT ? function##_c args                        \
                                    : function##_z args)

/* --- pages in parallel ---

   WORK (data, i, thread) solves page I with the scratch memory of THREAD, and returns
   0 or a positive error code; ge_for_pages calls it for all pages of order N, small
   pages on ge_page_threads (n, pages) threads with a single-threaded BLAS, large ones
   one after the other with a multithreaded BLAS.  *WORST is the largest code; after a
   failure no further page is started.  */
typedef int ge_page_work (void *data, int64_t i, int thread);

int ge_page_threads (int64_t n, int64_t pages);
gpueig_status ge_for_pages (gpueig_context *ctx, int64_t n, int64_t pages,
                            int threads, ge_page_work *work, void *data,
                            int *worst);

/* Call WORK (DATA, p, thread) for PAGES pages of COUNT elements, several in each piece of
   ge_share_pass, for passes over them.  */
void ge_share_pages (gpueig_context *ctx, int64_t count, int64_t pages,
                     ge_piece *work, void *data);

/* Address of page P of an array with COUNT elements of SIZE bytes per page; NULL if
   BASE is NULL.  */
static inline void *
ge_page (const void *base, int64_t p, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (p * count) * size : NULL;
}

/* --- pieces of one matrix, threads.c ---

   Call WORK (DATA, i, thread) for i = 0 .. COUNT - 1 as ge_share_pass (base/context.h)
   does, but with a single-threaded BLAS and with interrupts polled between pieces, so a
   piece should take at most some hundredths of a second.  */
gpueig_status ge_run_pieces (gpueig_context *ctx, int64_t count,
                             double operations, ge_piece *work, void *data);

/* Threads, the calling one among them, for computations that any thread may begin: up to
   as many as are asked for, created for them or CTX's.  ge_team_pass calls WORK (DATA, i,
   thread) for i = 0 .. COUNT - 1 on as many of them as OPERATIONS are worth (see
   ge_threads_for); the caller limits the BLAS to one thread.  */
typedef struct
{
  ge_pool *pool; /* NULL: the calling thread alone */
  int threads;
} ge_team;

ge_team ge_new_team (int threads);
void ge_end_team (const ge_team *team); /* only new ones */
ge_team ge_team_of (gpueig_context *ctx, int threads);
void ge_team_pass (const ge_team *team, int64_t count, double operations,
                   ge_piece *work, void *data);

/* Join and free the worker threads of CTX.  */
void ge_end_threads (gpueig_context *ctx);

/* Let the BLAS map its buffers now, once in a process; the bytes of those for which there
   is no address space.  */
int64_t ge_map_blas_buffers (void);

/* --- the order of eigenvalues ---

   Sort results on the host to ascending order, stably: COUNT pairs, V n-by-COUNT or
   NULL (ge_sort_pairs), or all pages of S.  Results in order are not written.  */
gpueig_status ge_sort_pairs (gpueig_context *ctx, gpueig_type type, int64_t n,
                             int64_t count, void *lambda, void *v);
gpueig_status ge_sort_pages (gpueig_context *ctx, const gpueig_symmetric *s);

/* In-place permutation of the columns of V, BYTES long each; ORDER is the permutation
   and is overwritten, SPARE has room for one column.  */
void ge_permute_columns (int64_t columns, size_t bytes, void *v, int64_t *order,
                         void *spare);

/* --- threads of the BLAS ---

   OpenBLAS has one number of threads for the process, contexts may be used in several
   threads.  So limits are counted: while any context has one in force, the number is
   that of the strictest limit, and when the last limit ends, the number is as it was
   before the first.  With another BLAS nothing is done.  */
typedef enum
{
  GE_BLAS_ONE,  /* one thread: where several threads call BLAS */
  GE_BLAS_HALF, /* half of the threads */
  GE_BLAS_ALL   /* no limit */
} ge_blas_limit;

/* Put LIMIT in force, end it, and end all limits of CTX.  */
void ge_limit_blas (gpueig_context *ctx, ge_blas_limit limit);
void ge_unlimit_blas (gpueig_context *ctx, ge_blas_limit limit);
void ge_end_blas_limits (gpueig_context *ctx);

/* The number of threads without limits, 0 with another BLAS.  */
int ge_blas_threads (void);

/* The limit for LAPACK's routines with matrices of order N.  */
static inline ge_blas_limit
ge_blas_limit_of (int64_t n)
{
  return ge_blas_in_threads (n) ? GE_BLAS_ALL : GE_BLAS_ONE;
}

/* openblas_get_config (), or "" with another BLAS.  */
const char *ge_blas_description (void);

#endif
