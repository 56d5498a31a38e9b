/* The typed parts of the CPU's operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ARRAY_CPU_H
#define GE_ARRAY_CPU_H 1

#include "array/ops.h"

/* An item in sorting: the key, of a number see el_key, and the position, from 0.  The items X are
   sorted by keys; SPARE is scratch for as many items.  */
typedef struct
{
  uint64_t key;
  int64_t at;
} ge_item;

void ge_cpu_sort_items (ge_item *x, ge_item *spare, int64_t n);
gpueig_status ge_cpu_sort (gpueig_context *ctx, const ge_sort *s);

/* Elements BEGIN .. END - 1 of a map: of MAP, and for a test in which TO.data is NULL
   the first for which it is true, or -1.  */
#define GE_ARRAY_TYPED(suffix)                                                 \
  int64_t ge_cpu_map_##suffix (const ge_map *map, int64_t begin, int64_t end); \
  void ge_cpu_reduce_##suffix (const ge_reduction *r, int64_t page,            \
                               int64_t from, int64_t to);                      \
  void ge_cpu_scan_##suffix (const ge_scan *s, int64_t page, int64_t from,     \
                             int64_t to);                                      \
  void ge_cpu_sort_column_##suffix (const ge_sort *s, int64_t column,          \
                                    ge_item *items);                           \
  void ge_cpu_locate_##suffix (const ge_reduction *r, int64_t page,            \
                               int64_t from, int64_t to);                      \
  int64_t ge_cpu_select_##suffix (const void *data, int64_t count,             \
                                  double *list);                               \
  void ge_cpu_pick_##suffix (int64_t count, const double *x, int64_t limit,    \
                             const void *from, void *to, int *bad);            \
  gpueig_status ge_cpu_multiply_##suffix (gpueig_context *ctx,                 \
                                          const ge_product *p);                \
  void ge_cpu_multiply_sparse_##suffix (const ge_sparse_product *p,            \
                                        int64_t from, int64_t to);             \
  gpueig_status ge_cpu_combine_sparse_##suffix (gpueig_context *ctx,           \
                                                ge_sparse_list *list);         \
  gpueig_status ge_cpu_factor_##suffix (gpueig_context *ctx,                   \
                                        const ge_factors *f, int64_t *at);     \
  gpueig_status ge_cpu_solve_##suffix (gpueig_context *ctx,                    \
                                       const ge_factors *f, char trans,        \
                                       int64_t count, void *b);                \
  void ge_cpu_root_##suffix (int64_t n, void *t);                              \
  gpueig_status ge_cpu_svd_##suffix (gpueig_context *ctx, int64_t m,           \
                                     int64_t n, void *a, void *s, void *u,     \
                                     void *vt);
GE_FOR_TYPES (GE_ARRAY_TYPED)

#endif
