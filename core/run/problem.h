/* A problem whose arrays know where they are, problem.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Generic code handles the problem of any solver as a struct of which ge_layout names the
   arrays, each with the memory that has it.  Three operations make a problem of other pages
   or in other memory; nothing else does.

     ge_view_pages     some pages that follow each other, in the arrays of the problem
     ge_gather_pages   pages in memory of other kinds: arrays that are there already are
                       shared, the others copied
     ge_scatter_pages  the results of gathered pages to where they belong  */

#ifndef GE_PROBLEM_H
#define GE_PROBLEM_H 1

#include "base/layout.h"

/* The memory of the matrices of a problem, and of its small arrays: GE_HOST or, of any GPU,
   GE_DEVICE.  */
typedef struct
{
  ge_space matrices, small;
} ge_spaces;
static const ge_spaces ge_on_host = { GE_HOST, GE_HOST };

typedef struct
{
  size_t offset; /* of the pointer in the struct */
  size_t bytes;  /* of a page */
  ge_argument_kind kind;
  int small;
  ge_space space;
} ge_problem_array;

typedef struct
{
  const ge_layout *layout;
  int64_t pages;
  /* its first page in the stack of the call, which has STACK_PAGES */
  int64_t first_page, stack_pages;
  int is_wrong; /* a size is negative or too large */
  ge_spaces spaces;
  int arrays; /* those that the problem has, with elements */
  ge_problem_array array[GE_ARGUMENTS + 1];
  union
  {
    char bytes[GE_PROBLEM_BYTES];
    int64_t align_numbers;
    void *align_pointers;
  } data; /* the struct */
} ge_problem;

/* *P: the problem DATA, its matrices where its place says, its SMALL arrays there.  CTX says which
   part of a stack the running call has.  */
void ge_make_problem (const gpueig_context *ctx, const ge_layout *layout,
                      const void *data, ge_space small, ge_problem *p);

/* Where a solver finds the arrays of PROBLEM, by its place.  */
static inline ge_spaces
ge_spaces_of (const ge_layout *layout, const void *problem)
{
  gpueig_place place = GPUEIG_HOST;
  if (layout->place)
    memcpy (&place, (const char *) problem + layout->place, sizeof place);
  return (ge_spaces){ place == GPUEIG_DEVICE ? GE_DEVICE : GE_HOST, GE_HOST };
}

static inline char *
ge_array_at (const ge_problem *p, int i)
{
  return ge_pointer_at (p->data.bytes, p->array[i].offset);
}

/* Let array I of P be at POINTER in SPACE.  */
static inline void
ge_set_array (ge_problem *p, int i, void *pointer, ge_space space)
{
  ge_set_pointer (p->data.bytes, p->array[i].offset, pointer);
  p->array[i].space = space;
}

/* Let the struct say that its matrices are there; the arrays are set one by one.  */
void ge_set_spaces (ge_problem *p, ge_spaces spaces);

/* *VIEW: COUNT pages of P from page FIRST on.  */
void ge_view_pages (const ge_problem *p, int64_t first, int64_t count,
                    ge_problem *view);

/* *ONE, the struct of a problem: page PAGE of P.  */
void ge_view_page (const ge_problem *p, int64_t page, void *one);

/* *TO: pages LIST[0 .. COUNT - 1] of P, ascending (LIST = NULL: the first COUNT), in SPACES,
   with inputs; arrays of pages that follow each other and are in their space are those of P,
   all others are in the caller's frame.  */
gpueig_status ge_gather_pages (gpueig_context *ctx, const ge_problem *p,
                               const int64_t *list, int64_t count,
                               ge_spaces spaces, ge_problem *to);

/* The results of FROM, which was gathered from these pages of P, to P.  */
gpueig_status ge_scatter_pages (gpueig_context *ctx, const ge_problem *from,
                                const ge_problem *p, const int64_t *list);

/* Until ge_leave the running call solves P, perhaps a part of its problem elsewhere.  */
typedef struct
{
  int64_t stack_pages, first_page;
} ge_position;

ge_position ge_enter (gpueig_context *ctx, const ge_problem *p);
void ge_leave (gpueig_context *ctx, ge_position before);

/* --- pages that are solved by themselves, or elsewhere --- */

/* The problem of the running call, and the COUNT of its pages in LIST.  */
typedef struct
{
  ge_problem all, some;
  const int64_t *list;
  gpueig_info *info;
  double transfer; /* seconds */
  ge_position before;
} ge_left_pages;

/* Begin to solve pages LIST[0 .. COUNT - 1], as those of ge_gather_pages, of pages->all in SPACES,
   as pages->some; scratch memory is the caller's frame's.  INFO gets the time of copies from
   and to a GPU.  */
gpueig_status ge_take_pages (gpueig_context *ctx, const int64_t *list,
                             int64_t count, ge_spaces spaces, gpueig_info *info,
                             ge_left_pages *pages);

/* End it: unless that failed with STATUS, which is returned, the results become those of the
   problem.  */
gpueig_status ge_put_pages (gpueig_context *ctx, const ge_left_pages *pages,
                            gpueig_status status);

#endif
