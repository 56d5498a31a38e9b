/* The GPU's copy of a sparse gpu_array, and its products with full arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Octave compresses a matrix by columns, which is its transpose compressed by rows: a product with the
   transpose needs no other form, that with the matrix the transpose that Octave computes.  */

#include "gpu_sparse.h"
#include "gpu_kept.h"

#include <octave/dSparse.h>
#include <octave/CSparse.h>

namespace gpueig
{

static_assert (sizeof (octave_idx_type) == sizeof (int64_t),
               "indices of Octave have 64 bits");

/* --- copies --- */

/* The transpose of S, which Octave compresses by columns, in entry WHICH of COPIES.  */
template <typename S>
static void
upload (sparse_copies &copies, int which, const S &s, gpueig_type type,
        const gpu_data &like)
{
  gpueig_sparse rows = gpueig_sparse ();
  int64_t r[2];
  rows.type = type;
  rows.rows = s.cols ();
  rows.columns = s.rows ();
  rows.starts = s.cidx ();
  rows.indices = s.ridx ();
  rows.values = s.data ();
  check ("gpu_array", direct->array_new_sparse (*direct->context, like.number,
                                                &rows, &r[0], &r[1]));
  copies.pattern[which] = std::make_shared<gpu_data> (r[0]);
  copies.values[which] = std::make_shared<gpu_data> (r[1]);
}

void
need_copy (sparse_copies &copies, int which, const octave_value &s,
           const shared_data &like)
{
  if (copies.pattern[which])
    return;
  if (s.iscomplex ())
    {
      const SparseComplexMatrix c = s.sparse_complex_matrix_value ();
      upload (copies, which, which ? c : c.transpose (), GPUEIG_COMPLEX_DOUBLE,
              *like);
    }
  else
    {
      const SparseMatrix c = s.sparse_matrix_value ();
      upload (copies, which, which ? c : c.transpose (), GPUEIG_DOUBLE, *like);
    }
}

/* COPIES with the values OPERATION (VALUES).  */
template <typename F>
static std::shared_ptr<sparse_copies>
copies_by (const sparse_copies &copies, F operation)
{
  auto r = std::make_shared<sparse_copies> (copies);
  for (auto &values : r->values)
    {
      if (values)
        values = operation (values->number);
    }
  return r;
}

std::shared_ptr<sparse_copies>
copies_of_one (gpueig_unary op, const sparse_copies &copies)
{
  return copies_by (copies, [op] (int64_t values) {
    return made ("gpu_array", direct->array_unary, op, values);
  });
}

std::shared_ptr<sparse_copies>
copies_of_two (gpueig_binary op, const sparse_copies &copies,
               const octave_base_value &x)
{
  gpueig_operand number;
  get_operand (x, &number);
  return copies_by (copies, [op, number] (int64_t values) {
    gpueig_operand of_values = gpueig_operand ();
    of_values.array = values;
    return made ("gpu_array", direct->array_binary, op, of_values, number);
  });
}

/* --- products --- */

/* X, in an array, transposed, conjugated, or both.  */
static octave_value
turned (const octave_value &x, bool transposes, bool conjugates)
{
  const gpu_value &a = *as_array (x.get_rep ());
  conjugates = conjugates && a.iscomplex ();
  if (! transposes && ! conjugates)
    return x;
  return array_value_of (
      transposes
          ? made ("operator *", direct->array_transpose, a.number (),
                  conjugates)
          : made ("operator *", direct->array_unary, GPUEIG_CONJ, a.number ()));
}

/* X in an array in the place of S; undefined if it is not a full matrix of doubles.  */
static octave_value
operand_of (const octave_base_value &x, const kept_value &s)
{
  const shared_data there = data_of (x);
  if (x.numel () == 1 || x.ndims () != 2)
    return octave_value ();
  if (there)
    return gpueig_is_double (there->info.shape.type) ? array_value_of (there)
                                                     : octave_value ();
  if (! x.is_double_type () || ! x.is_matrix_type () || x.issparse ()
      || x.is_diag_matrix () || x.is_perm_matrix () || x.isobject ())
    return octave_value ();
  return array_value_of (uploaded ("operator *", x, *s.anchor ()));
}

octave_value
sparse_product (char of_a, char of_b, const octave_base_value &a,
                const octave_base_value &b)
{
  const auto with_copies = [] (const octave_base_value &x) {
    const auto *s = dynamic_cast<const kept_value *> (&x);
    return s && s->device () >= 0 ? s : nullptr;
  };
  const kept_value *const left = with_copies (a);
  const kept_value *const s = left ? left : with_copies (b);
  if (! s || a.dims () (of_a == 'N') != b.dims () (of_b != 'N'))
    return octave_value ();
  octave_value x = operand_of (left ? b : a, *s);
  if (x.is_undefined ())
    return octave_value ();
  /* From the right the product is the transpose of that of the transposes; that with a conjugate is the
     conjugate of that with conj (X).  */
  const char of_s = left ? of_a : of_b, of_x = left ? of_b : of_a;
  const bool is_left = left != nullptr;
  const bool conjugates
      = (of_s == 'C' && s->iscomplex ()) != s->is_conjugate ();
  const int which = ((of_s != 'N') != s->is_turned ()) == is_left;
  const sparse_copies &copies = *s->copies (which);
  x = turned (x, (of_x == 'N') != is_left, (of_x == 'C') != conjugates);
  x = array_value_of (made ("operator *", direct->array_multiply_sparse,
                            copies.pattern[which]->number,
                            copies.values[which]->number,
                            as_array (x.get_rep ())->number ()));
  x = turned (x, ! is_left, conjugates);
  return x.numel () == 1 ? as_array (x.get_rep ())->gathered () : x;
}

} /* namespace */
