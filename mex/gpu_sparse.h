/* The GPU's copy of a sparse gpu_array, its products with full arrays, sums and products of two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_SPARSE_H
#define GPU_SPARSE_H 1

#include "gpu_array.h"

namespace gpueig
{

/* A sparse matrix, [0], and its transpose, [1], compressed by rows: each made when it is needed.  */
struct sparse_copies
{
  shared_data pattern[2], values[2];
  dim_vector dims;
};

/* Whether there is the copy of S, [0], or of its transpose, [1], of COPIES, in the place of LIKE, which
   are made; false: the GPU has no room.  S is not read if one of them is there.  */
bool need_copy (sparse_copies &copies, int which, const octave_value &s,
                const shared_data &like);

/* Whether the values of COPIES, of which one is there, are complex.  */
bool is_complex (const sparse_copies &copies);

/* The matrix of COPIES, of which one is there.  */
octave_value downloaded (sparse_copies &copies, const shared_data &like);

/* The copies for OP of each value.  */
std::shared_ptr<sparse_copies> copies_of_one (gpueig_unary op,
                                              const sparse_copies &copies);

/* The copies for OP of each value and the number X.  */
std::shared_ptr<sparse_copies> copies_of_two (gpueig_binary op,
                                              const sparse_copies &copies,
                                              const octave_base_value &x);

/* op (A) op (B), with the letters of pagemtimes, on the GPU where one of the two, and not a number,
   is a sparse gpu_array there, and the other a full array of doubles; otherwise undefined.  */
octave_value sparse_product (char of_a, char of_b, const octave_base_value &a,
                             const octave_base_value &b);

/* A OP B on the GPU where both are sparse matrices of the same size, or of sizes that a product wants,
   one of them is a gpu_array there, and OP is a sum, difference or product; otherwise undefined.  Its
   elements are not copied to host memory before they are asked for.  */
octave_value sparse_result (octave_value::binary_op op,
                            const octave_base_value &a,
                            const octave_base_value &b);

} /* namespace */

#endif
