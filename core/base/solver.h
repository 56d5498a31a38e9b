/* Internal interface of core that the plugin does not use.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A call passes: checks.c, checks_typed.c (arguments), backend.c (context, plugin,
   choice of the backend), cpu.c (table of the CPU's solvers), the solver's room.
     context.c, workspace.c   messages, callbacks, info; scratch memory
     hooks.c                  functions for tests only
     detached.c               library calls that cannot be interrupted
     threads.c                core's threads: pieces of one computation
     split.c                  complex numbers to real and imaginary parts
     pages.c                  the pages of a stack on several threads
     products_typed.c         matrix products in pieces (products.h)
     sample.c, sample_typed.c verification of other libraries' eigenpairs (sample.h)
     order.c                  eigenvalues in ascending order
     cuda_sizes.c             sizes from which "auto" takes a GPU
     scale_general.c, scale_general_typed.c  general pages times powers of two
   Headers for C and CUDA: rotation.h, schedule.h, dd.h, wide.h.  */

#ifndef GE_SOLVER_H
#define GE_SOLVER_H 1

#include "base/backend.h"

/* --- beginning and end of every public solver ---

   gpueig_status
   gpueig_solver (ctx, problem, options, info)
   {
     ge_call call;
     ge_begin (&call, ctx, &options, &info);
     return ge_end (&call, checks_and_work (ctx, problem, options, info));
   }

   ge_begin replaces NULL options by the defaults and a NULL info by a struct in CALL,
   clears the message and INFO and opens a workspace frame; ge_end releases the frame
   and sets info->time_total and info->memory.  */
typedef struct
{
  gpueig_context *ctx;
  gpueig_info *info;
  int mark;
  int is_auto; /* the backend is GPUEIG_AUTO */
  double start;
  gpueig_options default_options;
  gpueig_info own_info;
} ge_call;

void ge_begin (ge_call *call, gpueig_context *ctx,
               const gpueig_options **options, gpueig_info **info);
gpueig_status ge_end (ge_call *call, gpueig_status status);

/* --- backend "auto", cuda_sizes.c --- */

typedef enum
{
  GE_SIZE_SYMMETRIC,
  GE_SIZE_PAIR, /* (A, B) */
  GE_SIZE_GENERAL,
  GE_SIZE_GEEV, /* general, by cuSOLVER's Xgeev */
  GE_SIZE_SCHUR,
  GE_SIZE_COMPLEX_EIG,
  GE_SIZE_JACOBI_EIG,
  GE_SIZE_ONESIDED_EIG,
  GE_SIZE_MRRR_DENSE,
  GE_SIZE_MRRR_TRIDIAGONAL,
  GE_SIZE_TDINV,
  GE_SIZES
} ge_size_id;

/* Nonzero if a GPU, where there is one, solves PAGES pages of order N faster.  AT_ONCE:
   the method of the call solves all pages of small order at once, where a GPU has such
   a solver; zero for those that solve one after another.  */
int ge_cuda_pays (ge_size_id id, gpueig_type type, int64_t n, int64_t pages,
                  int at_once);

/* --- several GPUs, devices.c --- */

/* Check that the device numbers are not negative and different, otherwise
   GPUEIG_BAD_OPTION.  */
gpueig_status ge_check_devices (gpueig_context *ctx,
                                const gpueig_options *options);

/* The numbers of the devices of OPTIONS, in their order; GPUEIG_NO_DEVICE, with a list
   of the existing devices in the message, if one does not exist.  */
gpueig_status ge_find_devices (gpueig_context *ctx,
                               const gpueig_options *options, int *devices,
                               int *n_devices);

/* Free the cached scratch memory of all child contexts, of the spaces FROM and above
   (GE_DEVICE: only that of the GPUs).  */
void ge_trim_children (gpueig_context *ctx, ge_space from);
/* Destroy all child contexts.  */
void ge_close_children (gpueig_context *ctx);

/* --- checks of the arguments of a C caller --- */

/* Ranges of the numbers in OPTIONS, and its method, which must be in METHODS (ends with
   NULL); otherwise GPUEIG_BAD_OPTION.  */
gpueig_status ge_check_options (gpueig_context *ctx,
                                const gpueig_options *options,
                                const char *const *methods);

/* Check sizes, pointers and data: finite and, for ge_check_symmetric, equal to the
   conjugate transpose.  The message names the page and the first invalid element.  */
gpueig_status ge_check_symmetric (gpueig_context *ctx,
                                  const gpueig_symmetric *problem);
gpueig_status ge_check_general (gpueig_context *ctx,
                                const gpueig_general *problem);

/* The first non-finite element of COUNT scalars of TYPE, or -1.  */
int64_t ge_find_nonfinite (gpueig_context *ctx, gpueig_type type, const void *x,
                           int64_t count);

/* gpueig_is_symmetric with all threads of CTX.  */
int ge_is_symmetric (gpueig_context *ctx, gpueig_type type, const void *a,
                     int64_t n, int64_t pages);

/* Suballocation: returns *AT and advances it by COUNT elements of SIZE bytes, rounded
   up to a multiple of 64 bytes.  */
static inline void *
ge_take (char **at, int64_t count, size_t size)
{
  void *p = *at;
  *at += ((size_t) count * size + 63) & ~(size_t) 63;
  return p;
}

/* Typed parts: ge_find_nonfinite; ge_is_symmetric for a strip of 32 columns from J0
   on.  */
#define GE_CHECK_PROTOTYPES(suffix)                                            \
  int64_t ge_find_nonfinite_##suffix (gpueig_context *, const void *x,         \
                                      int64_t count);                          \
  int ge_strip_is_symmetric_##suffix (const void *a, int64_t n, int64_t j0);
GE_CHECK_PROTOTYPES (s)
GE_CHECK_PROTOTYPES (d)
GE_CHECK_PROTOTYPES (c)
GE_CHECK_PROTOTYPES (z)

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

/* Address of page P of an array with COUNT elements of SIZE bytes per page; NULL if
   BASE is NULL.  */
static inline void *
ge_page (const void *base, int64_t p, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (p * count) * size : NULL;
}

/* --- pieces of one matrix, threads.c ---

   Call WORK (DATA, i, thread) for i = 0 .. COUNT - 1 on all threads (if SHARED is 0, on
   the calling one only), with a single-threaded BLAS.  Interrupts are polled between
   pieces, so a piece should take at most some hundredths of a second.  Without
   interrupts: ge_share_pass, see base/backend.h.  */
gpueig_status ge_run_pieces (gpueig_context *ctx, int64_t count, int shared,
                             ge_piece *work, void *data);

/* Join and free the worker threads of CTX.  */
void ge_end_threads (gpueig_context *ctx);

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

/* Below this order LAPACK is called with one BLAS thread: more gain little, and where
   other programs use the processors OpenBLAS's threads spend their time slices in
   sched_yield; a matrix of order 300 then took seconds.  */
enum
{
  GE_ONE_THREAD = 1000
};

static inline ge_blas_limit
ge_blas_limit_of (int64_t n)
{
  return n < GE_ONE_THREAD ? GE_BLAS_ONE : GE_BLAS_ALL;
}

/* openblas_get_config (), or "" with another BLAS.  */
const char *ge_blas_description (void);

#endif
