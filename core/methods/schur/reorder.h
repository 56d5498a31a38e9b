/* The order of the eigenvalues of a Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   D. Kressner, Block algorithms for reordering standard and generalized Schur forms,
   ACM Trans. Math. Softw. 32 (2006) 521-532: groups of eigenvalues move up through
   windows on the diagonal.  Inside a window LAPACK's xTRSEN exchanges neighbours and
   accumulates the exchanges in Q; rows, columns and Schur vectors outside are multiplied
   by Q.  The selection of a window is the caller's, so that any number of clusters is
   ordered; each eigenvalue moves once.

   reorder.c        gpueig_ordschur
   reorder_typed.c  a window, and the copies and products of the CPU
   rounds.c         which rows move: in a round a window of each of several groups  */

#ifndef GE_SCHUR_REORDER_H
#define GE_SCHUR_REORDER_H 1

#include "schur/schur.h"

#ifdef __cplusplus
extern "C"
{
#endif

  enum
  {
    GE_REORDER_WINDOW = 96,     /* rows of a window at most */
    GE_REORDER_GROUP = 32,      /* of a group, and at most half a window */
    GE_REORDER_INTERRUPTED = 2, /* of a page; LAPACK's info is 0 or 1 */
    GE_REORDER_PLACES = 16      /* most windows of a round */
  };

  /* The rows FIRST .. FIRST + WIDTH - 1.  */
  typedef struct
  {
    int64_t first;
    int width;
  } ge_reorder_place;

  /* Access to a page in rounds, whose windows have at most WIDTH <= GE_REORDER_WINDOW rows.
     FETCH reads the diagonal blocks of the COUNT windows AT, ascending and disjoint; APPLY
     applies Q to the rest of the page and stores the blocks.  Block k begins with element k
     WIDTH^2 of BLOCKS, and the Q of that block with element k WIDTH^2 of Q, both without
     padding.  */
  typedef struct
  {
    void *data;
    int width;
    void *blocks, *q; /* on the host */
    gpueig_status (*fetch) (void *data, int count, const ge_reorder_place *at);
    gpueig_status (*apply) (void *data, int count, const ge_reorder_place *at);
  } ge_reorder_device;

  /* One page that is reordered in host memory: FORM, checked, with the ranks of the rows;
     FROM: the form of the page, or that form divided by a power of two.  */
  typedef struct ge_reorder_job ge_reorder_job;

  struct ge_reorder_job
  {
    const gpueig_ordschur_problem *form;
    const void *from;
    int64_t *rank;
    unsigned char *block, *moves; /* n bytes each */
    /* ge_reorder_rounds, which is not part of the plugin: it calls LAPACK */
    gpueig_status (*rounds) (gpueig_context *ctx, const ge_reorder_job *job,
                             const ge_reorder_device *device);
  };

  /* Sort the rows by rank, largest first, stably; both rows of a block have the same rank.  A
   group may have one row more, the second of a 2-by-2 block.  The windows of a round are
   exchanged by several threads; CTX NULL: by the calling one, and GPUEIG_SOLVER_FAILED, of
   eigenvalues too close to be exchanged, has no message.  */
  gpueig_status ge_reorder_rounds (gpueig_context *ctx,
                                   const ge_reorder_job *job,
                                   const ge_reorder_device *device);

/* Typed parts.  ge_reorder_exchange: T <- Q' T Q, N-by-N, with the selected eigenvalues on
   top, and BLOCK of it; returns LAPACK's info; SPACE: GE_REORDER_SPACE scalars.
   ge_schur_misplaced: the index of the first element of S that a Schur form
   does not have, or -1: a nonzero one below the diagonal, except one in a 2-by-2 block
   in standard form.  ge_schur_blocks: BLOCK, see above, of the Schur form S.  ge_schur_ranks:
   RANK is 1 where the eigenvalue is in the region ORDER, else 0.  ge_reorder_space:
   scalars of SPACE for order N.  ge_schur_scaled: S becomes 2^-EXPONENT S; a block whose
   element above the diagonal becomes 0 is made upper triangular by an exchange of its
   rows, with the columns of U (or NULL).  ge_reorder_page: sort the page S, U (or NULL); CTX, if not
   NULL, is polled for interrupts.  */
#define GE_REORDER_SPACE (4 * GE_REORDER_WINDOW)
#define GE_REORDER_PROTOTYPES(suffix)                                          \
  int ge_reorder_exchange_##suffix (int n, const int *select, void *t,         \
                                    void *q, void *space,                      \
                                    unsigned char *block);                     \
  int64_t ge_schur_misplaced_##suffix (int64_t n, const void *s);              \
  void ge_schur_blocks_##suffix (int64_t n, const void *s,                     \
                                 unsigned char *block);                        \
  void ge_schur_ranks_##suffix (int64_t n, const void *s,                      \
                                gpueig_schur_order order, int64_t *rank);      \
  int64_t ge_reorder_space_##suffix (int64_t n);                               \
  int ge_reorder_exponent_##suffix (int64_t n, const void *s);                 \
  void ge_schur_scaled_##suffix (int64_t n, int exponent, void *s, void *u);   \
  int ge_reorder_page_##suffix (gpueig_context *, int64_t n, void *s, void *u, \
                                int64_t *rank, unsigned char *block,           \
                                unsigned char *moves, void *space);
  GE_REORDER_PROTOTYPES (s)
  GE_REORDER_PROTOTYPES (d)
  GE_REORDER_PROTOTYPES (c)
  GE_REORDER_PROTOTYPES (z)
#undef GE_REORDER_PROTOTYPES

  gpueig_status ge_check_region (gpueig_context *ctx, gpueig_schur_order order);

  /* Sort the pages of G, which has been checked, on the CPU, or where OPTIONS say.  */
  gpueig_status ge_reorder_pages (gpueig_context *ctx,
                                  const gpueig_ordschur_problem *g);
  gpueig_status ge_reorder_somewhere (gpueig_context *ctx,
                                      const gpueig_ordschur_problem *g,
                                      const gpueig_options *options,
                                      gpueig_info *info);

#ifdef __cplusplus
}
#endif

#endif
