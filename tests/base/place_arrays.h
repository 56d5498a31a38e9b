/* Operations on arrays of the simulated GPU of place_plugin.c: the processor's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_ARRAYS_H
#define PLACE_ARRAYS_H 1

static gpueig_status
upload (gpueig_context *ctx, void *to, const void *host, size_t bytes)
{
  return copy (ctx, to, host, bytes);
}

static gpueig_status
download (gpueig_context *ctx, void *host, const void *from, size_t bytes)
{
  return copy (ctx, host, from, bytes);
}

/* NAME, the operation OP with the parameters in parentheses, of which CTX is the first.  */
#define OPERATION(name, op, parameters, arguments)                             \
  static gpueig_status name parameters                                         \
  {                                                                            \
    enter ();                                                                  \
    return leave_open (ge_cpu_array_ops.op arguments);                         \
  }
#define OF_PROBLEM(name, type)                                                 \
  OPERATION (name, name, (gpueig_context * ctx, const type *p), (ctx, p))
OF_PROBLEM (map, ge_map)
OF_PROBLEM (reduce, ge_reduction)
OF_PROBLEM (scan, ge_scan)
OF_PROBLEM (sort, ge_sort)
OF_PROBLEM (add_scaled, ge_scaled_sum)
OF_PROBLEM (multiply, ge_product)
OF_PROBLEM (multiply_sparse, ge_sparse_product)
OPERATION (combine_sparse, combine_sparse,
           (gpueig_context * ctx, ge_sparse_list *list), (ctx, list))
OPERATION (compress_sparse, compress_sparse,
           (gpueig_context * ctx, const ge_sparse_list *list, int wide,
            void *starts, void *indices, int64_t *longest),
           (ctx, list, wide, starts, indices, longest))
OPERATION (find, find, (gpueig_context * ctx, const ge_map *m, int64_t *first),
           (ctx, m, first))
OPERATION (svd, svd,
           (gpueig_context * ctx, gpueig_type type, int64_t m, int64_t n,
            void *a, void *s, void *u, void *vt),
           (ctx, type, m, n, a, s, u, vt))
OPERATION (factor, factor,
           (gpueig_context * ctx, const ge_factors *f, int64_t *at),
           (ctx, f, at))
OPERATION (solve_factors, solve,
           (gpueig_context * ctx, const ge_factors *f, char trans,
            int64_t count, void *b),
           (ctx, f, trans, count, b))
OPERATION (select_nonzero, select,
           (gpueig_context * ctx, gpueig_type type, int64_t count,
            const void *x, double *list, int64_t *n),
           (ctx, type, count, x, list, n))
OPERATION (pick, pick,
           (gpueig_context * ctx, gpueig_type type, int64_t count,
            const double *x, int64_t limit, const void *from, void *to,
            int *bad),
           (ctx, type, count, x, limit, from, to, bad))
OPERATION (root, root,
           (gpueig_context * ctx, gpueig_type type, int64_t n, void *t),
           (ctx, type, n, t))
static const ge_array_ops array_ops = { .upload = upload,
                                        .download = download,
                                        .wait = wait_for_caller,
                                        .map = map,
                                        .find = find,
                                        .reduce = reduce,
                                        .scan = scan,
                                        .sort = sort,
                                        .add_scaled = add_scaled,
                                        .multiply = multiply,
                                        .multiply_sparse = multiply_sparse,
                                        .combine_sparse = combine_sparse,
                                        .compress_sparse = compress_sparse,
                                        .select = select_nonzero,
                                        .pick = pick,
                                        .factor = factor,
                                        .solve = solve_factors,
                                        .svd = svd,
                                        .root = root };

#endif
