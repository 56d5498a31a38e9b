/* What the parts of core share among themselves, the plugin excluded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A call passes: checks.c, checks_typed.c (arguments), backend.c (context, plugin,
   choice of the backend), cpu.c (table of the CPU's solvers), the solver's room.
     context.c, workspace.c   messages, callbacks, info; scratch memory
     hooks.c                  what tests alone call
     detached.c               library calls that cannot be interrupted
     threads.c                core's threads: pieces of one computation
     split.c                  complex numbers to real and imaginary parts
     pages.c                  the pages of a stack on several threads
     products_typed.c         matrix products in pieces (products.h)
     sample.c, sample_typed.c verification of other libraries' eigenpairs (sample.h)
     order.c                  eigenvalues in ascending order
     scale_general.c, scale_general_typed.c  general pages times powers of two
   Headers for C and CUDA: rotation.h, schedule.h, dd.h, wide.h.  */

#ifndef GE_SOLVER_H
#define GE_SOLVER_H 1

#include "base/backend.h"

/* --- every front begins and ends so ---

   gpueig_status
   gpueig_solver (ctx, problem, options, info)
   {
     ge_call call;
     ge_begin (&call, ctx, &options, &info);
     return ge_end (&call, checks_and_work (ctx, problem, options, info));
   }

   ge_begin replaces NULL options by the defaults and a NULL info by one of its
   own, clears the message and INFO and opens a workspace frame; ge_end releases it
   and fills in the total time.  */
typedef struct
{
  gpueig_context *ctx;
  gpueig_info *info;
  int mark;
  int is_auto; /* the backend is left to the library */
  double start;
  gpueig_options default_options;
  gpueig_info own_info;
} ge_call;

void ge_begin (ge_call *call, gpueig_context *ctx,
               const gpueig_options **options, gpueig_info **info);
gpueig_status ge_end (ge_call *call, gpueig_status status);

/* --- several GPUs, devices.c --- */

/* Numbers that are not negative and all different, GPUEIG_BAD_OPTION else.  */
gpueig_status ge_check_devices (gpueig_context *ctx,
                                const gpueig_options *options);

/* The devices of OPTIONS that are there, in their order: GPUEIG_NO_DEVICE with
   the list of what there is when one is missing.  */
gpueig_status ge_find_devices (gpueig_context *ctx,
                               const gpueig_options *options, int *devices,
                               int *n_devices);

/* The contexts of the devices: scratch memory given back, of the spaces from FROM
   on (GE_DEVICE: that of the GPUs alone); all of it closed.  */
void ge_trim_children (gpueig_context *ctx, ge_space from);
void ge_close_children (gpueig_context *ctx);

/* --- checks of what a C caller can get wrong --- */

gpueig_status ge_check_options (gpueig_context *ctx,
                                const gpueig_options *options,
                                const char *const *methods);

/* Sizes and pointers, then one pass over the data: finite, and equal to its
   conjugate transpose.  The message names the page and the first offender.  */
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

/* COUNT elements of SIZE bytes of the memory from *AT on, which moves on to the
   next multiple of 64 bytes.  */
static inline void *
ge_take (char **at, int64_t count, size_t size)
{
  void *p = *at;
  *at += ((size_t) count * size + 63) & ~(size_t) 63;
  return p;
}

/* The typed parts: the same for COUNT elements; is A equal to its conjugate
   transpose, to the bit?  */
#define GE_CHECK_PROTOTYPES(suffix)                                            \
  int64_t ge_find_nonfinite_##suffix (gpueig_context *, const void *x,         \
                                      int64_t count);                          \
  int ge_strip_is_symmetric_##suffix (const void *a, int64_t n, int64_t j0);
GE_CHECK_PROTOTYPES (s)
GE_CHECK_PROTOTYPES (d)
GE_CHECK_PROTOTYPES (c)
GE_CHECK_PROTOTYPES (z)

/* Calls FUNCTION_s, _d, _c or _z by the run-time TYPE.  */
#define GE_BY_TYPE(type, function, args)                                       \
  ((type) == GPUEIG_FLOAT           ? function##_s args                        \
   : (type) == GPUEIG_DOUBLE        ? function##_d args                        \
   : (type) == GPUEIG_COMPLEX_FLOAT ? function##_c args                        \
                                    : function##_z args)

/* --- pages side by side ---

   WORK (data, i, thread) does page I with the scratch memory of THREAD, and
   returns 0 or a positive code; ge_for_pages calls it for all pages of order N,
   on ge_page_threads (n, pages) threads with a single-threaded BLAS, or one by
   one with a threaded one where pages are large.  *WORST is the largest code;
   no page is begun after one that failed.  */
typedef int ge_page_work (void *data, int64_t i, int thread);

int ge_page_threads (int64_t n, int64_t pages);
gpueig_status ge_for_pages (gpueig_context *ctx, int64_t n, int64_t pages,
                            int threads, ge_page_work *work, void *data,
                            int *worst);

/* Start of page P of an array with COUNT elements of SIZE bytes a page; NULL
   stays NULL.  */
static inline void *
ge_page (const void *base, int64_t p, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (p * count) * size : NULL;
}

/* --- pieces of one matrix, threads.c ---

   WORK (DATA, i, thread) for i from 0 to COUNT - 1 on all threads, with a BLAS on
   one thread; the user may stop it between two pieces, so a piece should take at
   most some hundredths of a second.  SHARED: worth waking threads up.  Short
   passes: ge_share_pass, see base/backend.h.  */
gpueig_status ge_run_pieces (gpueig_context *ctx, int64_t count, int shared,
                             ge_piece *work, void *data);

void ge_end_threads (gpueig_context *ctx);

/* --- the order of eigenvalues ---

   A library's results, on the host, in ascending order: COUNT pairs, V n-by-COUNT
   or NULL; all pages of S.  Stable; what is in order is only read.  */
gpueig_status ge_sort_pairs (gpueig_context *ctx, gpueig_type type, int64_t n,
                             int64_t count, void *lambda, void *v);
gpueig_status ge_sort_pages (gpueig_context *ctx, const gpueig_symmetric *s);

/* Column j of V, BYTES long, becomes column ORDER[j]; ORDER is used up, SPARE
   holds a column.  */
void ge_permute_columns (int64_t columns, size_t bytes, void *v, int64_t *order,
                         void *spare);

/* --- threads of the BLAS ---

   OpenBLAS has one global count.  Around threads that call BLAS:
   old = ge_blas_threads (1); ...; ge_blas_threads (old).  With another BLAS these
   do nothing; 0 as argument changes nothing.  */
int ge_blas_threads (int threads);

/* Below this order LAPACK runs on one thread: OpenBLAS' own ones gain little, and
   where other programs use the processors they wait for each other by
   sched_yield, which made a matrix of order 300 take seconds.  */
enum
{
  GE_ONE_THREAD = 1000
};

/* The BLAS library's own description, "" if it has none.  */
const char *ge_blas_description (void);

#endif
