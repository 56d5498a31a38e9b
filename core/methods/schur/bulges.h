/* Positions of the bulges of a sweep, and the windows that a chain of them needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A sweep chases its bulges, two shifts each, from row TOP to row BOTTOM of the
   active block.  In step (tick) t bulge b of a chain is at row TOP + t - GE_BULGE_ROWS b:
   a reflector of three rows is applied there, which depends on the previous column and
   changes columns down to three rows below.  HOP ticks are a hop; the elements that a
   chain changes in a hop are in one diagonal window.  */

#ifndef GE_SCHUR_BULGES_H
#define GE_SCHUR_BULGES_H 1

#include <stdint.h>

enum
{
  GE_BULGE_ROWS = 4, /* rows between bulges of a chain */
  GE_CHAIN = 8       /* largest number of bulges of a chain */
};

typedef struct
{
  int64_t top, bottom; /* rows of the active block, both inside */
  int hop;             /* ticks per hop */
} ge_sweep;

/* Number of ticks until the last of BULGES bulges has left the block at the bottom.  */
#define GE_CHAIN_TICKS(sweep, bulges)                                          \
  ((sweep).bottom - (sweep).top + (int64_t) GE_BULGE_ROWS * ((bulges) -1))

/* Ticks per hop such that the window of a full chain has at most ROWS rows.  */
#define GE_HOP_TICKS(rows) ((rows) -GE_BULGE_ROWS * GE_CHAIN)

/* Hops between one chain and the next, so that their windows are disjoint: each
   has at most HOP + 4 CHAIN rows and advances by HOP.  */
#define GE_CHAIN_DISTANCE(hop)                                                 \
  (((hop) + GE_BULGE_ROWS * GE_CHAIN + (hop) -1) / (hop))

/* First and last row of the window of a chain of BULGES in hop HOP.  */
#define GE_WINDOW_FIRST(sweep, bulges, at)                                     \
  ((sweep).top                                                                 \
   + GE_AT_LEAST ((at) * (int64_t) (sweep).hop                                 \
                      - (int64_t) GE_BULGE_ROWS * ((bulges) -1) - 1,           \
                  0))
#define GE_WINDOW_LAST(sweep, at)                                              \
  GE_AT_MOST ((sweep).top + ((at) + 1) * (int64_t) (sweep).hop + 2,            \
              (sweep).bottom)

#define GE_AT_LEAST(x, y) ((x) > (y) ? (x) : (y))
#define GE_AT_MOST(x, y) ((x) < (y) ? (x) : (y))

#endif
