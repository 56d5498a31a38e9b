/* What the parts of core share among themselves, the plugin excluded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CORE_H
#define GE_CORE_H 1

#include "base/backend.h"

void ge_workspace_begin (gpueig_context *ctx);
void ge_workspace_end (gpueig_context *ctx);

/* --- every front begins and ends so ---

   gpueig_status
   gpueig_solver (ctx, problem, options, info)
   {
     ge_call call;
     ge_begin (&call, ctx, options, info);
     return ge_end (&call, checks_and_work (ctx, problem, options, info));
   }

   ge_begin clears the message and INFO and opens a workspace frame; ge_end
   releases it and fills in the total time.  */
typedef struct
{
  gpueig_context *ctx;
  gpueig_info *info;
  int mark;
  int is_auto; /* the backend is left to the library */
  double start;
} ge_call;

void ge_begin (ge_call *call, gpueig_context *ctx,
               const gpueig_options *options, gpueig_info *info);
gpueig_status ge_end (ge_call *call, gpueig_status status);

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
int64_t ge_find_nonfinite (gpueig_type type, const void *x, int64_t count);

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

   OpenBLAS has one global count.  Around an OpenMP region whose threads call
   BLAS: old = ge_blas_threads (1); ...; ge_blas_threads (old).  With another
   BLAS these do nothing; 0 as argument changes nothing.  */
int ge_blas_threads (int threads);

/* Below this order LAPACK's own threads cost more than they do.  */
enum
{
  GE_ONE_THREAD = 96
};

/* The BLAS library's own description, "" if it has none.  */
const char *ge_blas_description (void);

/* Threads of the CPU backend's OpenMP regions.  */
int ge_threads (void);

#endif
