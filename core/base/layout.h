/* The arrays of a problem: what generic code needs of a struct such as gpueig_symmetric.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_LAYOUT_H
#define GE_LAYOUT_H 1

#include "base/context.h"

#include <string.h>

typedef enum
{
  GE_INPUT,
  GE_OUTPUT,
  GE_FLAGS /* read and written, in host memory */
} ge_argument_kind;

/* An array of a problem: where its pointer is in the struct, its elements and their
   size.  SMALL: O(n) numbers per page.  */
typedef struct
{
  size_t offset;
  int64_t count;
  size_t size;
  ge_argument_kind kind;
  int small;
} ge_argument;

/* COUNT elements of SIZE bytes: input or output FIELD of the struct at P.  */
#define GE_ARGUMENT(p, field, count, size, kind, small)                        \
  ((ge_argument){ (size_t) ((const char *) &(p)->field - (const char *) (p)),  \
                  count, size, kind, small })
#define GE_IN(p, field, count, size)                                           \
  GE_ARGUMENT (p, field, count, size, GE_INPUT, 0)
#define GE_OUT(p, field, count, size)                                          \
  GE_ARGUMENT (p, field, count, size, GE_OUTPUT, 0)
#define GE_SMALL_IN(p, field, count, size)                                     \
  GE_ARGUMENT (p, field, count, size, GE_INPUT, 1)
#define GE_SMALL_OUT(p, field, count, size)                                    \
  GE_ARGUMENT (p, field, count, size, GE_OUTPUT, 1)

enum
{
  GE_ARGUMENTS = 6,      /* the most of a problem */
  GE_PROBLEM_BYTES = 256 /* of its struct, the most */
};

/* The size of a struct, which must not be larger.  */
#define GE_PROBLEM_SIZE(type)                                                  \
  (sizeof (type)                                                               \
   + 0 * sizeof (char[sizeof (type) <= GE_PROBLEM_BYTES ? 1 : -1]))

/* A struct with a problem: its size; where its gpueig_place is, its number of pages, and an
   array with a number of FLAG_SIZE bytes per page (0: it has none); and its other arrays, of
   which ARGUMENTS (NULL: there are none) returns the number.  */
typedef struct
{
  size_t size, place, pages, flags, flag_size;
  int (*arguments) (const void *problem, ge_argument argument[GE_ARGUMENTS]);
} ge_layout;

/* The layout of TYPE, a problem of pages; PART: empty, or of the struct that has place and
   pages, with a point.  ARGUMENTS may be followed by further fields.  */
#define GE_LAYOUT(type, part, ...)                                             \
  {                                                                            \
    .size = GE_PROBLEM_SIZE (type), .place = offsetof (type, part place),      \
    .pages = offsetof (type, part pages), .arguments = __VA_ARGS__             \
  }

/* The pointer at OFFSET of a struct.  */
static inline void *
ge_pointer_at (const void *problem, size_t offset)
{
  void *pointer;
  memcpy (&pointer, (const char *) problem + offset, sizeof pointer);
  return pointer;
}

static inline void
ge_set_pointer (void *problem, size_t offset, const void *pointer)
{
  memcpy ((char *) problem + offset, &pointer, sizeof pointer);
}

/* The number of elements of PAGES pages with ROWS rows and COLUMNS columns, -1 if one of
   them is negative or the number too large.  */
static inline int64_t
ge_argument_count (int64_t rows, int64_t columns, int64_t pages)
{
  int64_t count;
  if (rows < 0 || columns < 0 || pages < 0
      || __builtin_mul_overflow (rows, columns, &count)
      || __builtin_mul_overflow (count, pages, &count)
      || count > INT64_MAX / 32)
    return -1;
  return count;
}

#endif
