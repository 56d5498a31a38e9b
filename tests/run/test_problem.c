/* Claims about gathered pages, for random lists, types, selections and, with a GPU, in its
   memory:
   scatter_changes_these_pages_only: gathered pages have the inputs and flags of their pages,
     those that follow each other share the arrays of the problem; what is scattered changes the
     results of these pages only
   random_problems_are_gathered: that, for a random problem
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "run/solvers.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST = 9 /* pages */
};

static gpueig_context *ctx;
static measure_random generator = { 11 };

/* Every byte of an array of PAGES pages is its page's number plus SHIFT.  */
static char *
numbered (int64_t pages, size_t bytes, int shift)
{
  char *x = check_memory (pages, bytes);
  for (int64_t p = 0; p < pages; p++)
    memset (x + (size_t) p * bytes, (int) p + shift, bytes);
  return x;
}

/* Nonzero if page K of X, in host memory, is VALUE in all bytes.  */
static int
is_page (const char *x, int64_t k, size_t bytes, int value)
{
  for (size_t i = 0; i < bytes; i++)
    if (x[(size_t) k * bytes + i] != (char) value)
      return 0;
  return 1;
}

/* Ascending pages of PAGES; *FOLLOW: without gaps.  */
static int64_t
draw_list (int64_t pages, int64_t *list, int *follow)
{
  int64_t count = 1;
  *follow = (int) measure_integer (&generator, 0, 1);
  const int64_t first = measure_integer (&generator, 0, pages - 1),
                last = measure_integer (&generator, first, pages - 1);
  list[0] = first;
  for (int64_t p = first + 1; p <= last; p++)
    if (*follow || measure_integer (&generator, 0, 1))
      list[count++] = p;
  *follow = list[count - 1] == list[0] + count - 1;
  return count;
}

/* Gather pages of S in SPACES, let their results be those of other numbers, and scatter them.  */
static void
scatter_changes_these_pages_only (const gpueig_symmetric *s, ge_spaces spaces,
                                  const char *what)
{
  const ge_spaces host = { GE_HOST, GE_HOST };
  int64_t list[MOST];
  int follow;
  ge_problem all, some, here;
  const int mark = ge_mark (ctx);
  const int64_t count = draw_list (s->pages, list, &follow);
  ge_make_problem (ctx, &ge_layout_symmetric, s, GE_HOST, &all);
  CHECK (ge_gather_pages (ctx, &all, list, count, spaces, &some) == GPUEIG_OK
             && ge_gather_pages (ctx, &some, NULL, count, host, &here)
                    == GPUEIG_OK,
         "gather %s: %s", what, gpueig_message (ctx));
  const gpueig_symmetric *x = (const gpueig_symmetric *) some.data.bytes;
  CHECK (
      x->pages == count && some.first_page == list[0]
          && some.stack_pages == s->pages
          && x->place
                 == (spaces.matrices == GE_HOST ? GPUEIG_HOST : GPUEIG_DEVICE),
      "the problem of %d of %d pages, %s", (int) count, (int) s->pages, what);
  int right = 1, untouched = 1, shared = 1;
  for (int i = 0; i < here.arrays; i++)
    {
      const ge_problem_array *a = &here.array[i];
      char *const y = ge_array_at (&here, i), *const whole
                                              = ge_array_at (&all, i);
      shared &= ! follow || spaces.matrices != GE_HOST
                || y == whole + (size_t) list[0] * a->bytes;
      for (int64_t k = 0; k < count && a->kind != GE_OUTPUT; k++)
        right &= is_page (y, k, a->bytes, (int) list[k] + i);
      for (int64_t k = 0; k < count && a->kind != GE_INPUT; k++)
        memset (y + (size_t) k * a->bytes, 100 + (int) list[k], a->bytes);
    }
  CHECK (right, "inputs of %d pages, %s", (int) count, what);
  CHECK (shared, "pages that follow each other are not copied, %s", what);
  CHECK (ge_scatter_pages (ctx, &here, &some, NULL) == GPUEIG_OK
             && ge_scatter_pages (ctx, &some, &all, list) == GPUEIG_OK,
         "scatter %s: %s", what, gpueig_message (ctx));
  for (int i = 0; i < all.arrays; i++)
    {
      const ge_problem_array *a = &all.array[i];
      int64_t k = 0;
      for (int64_t p = 0; p < s->pages; p++)
        {
          const int listed = k < count && list[k] == p;
          k += listed;
          untouched &= is_page (ge_array_at (&all, i), p, a->bytes,
                                listed && a->kind != GE_INPUT ? 100 + (int) p
                                                              : (int) p + i);
        }
    }
  CHECK (untouched, "results of %d pages and no others, %s", (int) count, what);
  ge_release (ctx, mark);
}

static void
random_problems_are_gathered (ge_spaces spaces, const char *what)
{
  const int64_t pages = measure_integer (&generator, 1, MOST),
                n = measure_integer (&generator, 1, 40);
  gpueig_symmetric s
      = { .type = (gpueig_type) measure_integer (&generator, 0, 3),
          .n = n,
          .pages = pages };
  if (measure_integer (&generator, 0, 1))
    {
      s.select = GPUEIG_SELECT_INDEX;
      s.first = measure_integer (&generator, 1, n);
      s.last = measure_integer (&generator, s.first, n);
    }
  const int64_t columns
      = s.select == GPUEIG_SELECT_INDEX ? s.last - s.first + 1 : n;
  const size_t size = gpueig_scalar_size (s.type);
  const int vectors = (int) measure_integer (&generator, 0, 1),
            pair = (int) measure_integer (&generator, 0, 1);
  int i = 0;
  s.lambda
      = numbered (pages, (size_t) columns * gpueig_real_size (s.type), i++);
  s.v = vectors ? numbered (pages, (size_t) (n * columns) * size, i++) : NULL;
  s.a = numbered (pages, (size_t) (n * n) * size, i++);
  s.b = pair ? numbered (pages, (size_t) (n * n) * size, i++) : NULL;
  s.indefinite = pair ? (int *) numbered (pages, sizeof (int), i++) : NULL;
  scatter_changes_these_pages_only (&s, spaces, what);
  free (s.lambda);
  free (s.v);
  free ((void *) s.a);
  free ((void *) s.b);
  free (s.indefinite);
}

int
main (void)
{
  static const ge_spaces spaces[] = { { GE_HOST, GE_HOST },
                                      { GE_DEVICE, GE_HOST },
                                      { GE_DEVICE, GE_DEVICE } };
  gpueig_options options;
  check_begin ("problem");
  ctx = check_context (&options);
  const int on_gpu = options.backend == GPUEIG_CUDA;
  if (on_gpu)
    CHECK (ge_need_gpu (ctx) == GPUEIG_OK
               && ge_select_device (ctx, options.device) == GPUEIG_OK,
           "%s", gpueig_message (ctx));
  for (int i = 0; i < 300; i++)
    random_problems_are_gathered (spaces[on_gpu ? i % 3 : 0],
                                  on_gpu && i % 3 ? "on a GPU"
                                                  : "in host memory");
  gpueig_destroy (ctx);
  return check_end ();
}
