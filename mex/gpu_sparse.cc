/* The GPU's copy of a sparse gpu_array, and its products with full arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Octave compresses a matrix by columns, which is its transpose compressed by rows: a product with the
   transpose needs no other form, that with the matrix the transpose that Octave computes.  */

#include "gpu_kept.h"

#include <octave/dSparse.h>
#include <octave/CSparse.h>

namespace gpueig
{

static_assert (sizeof (octave_idx_type) == sizeof (int64_t),
               "indices of Octave have 64 bits");

/* --- copies --- */

/* Make R entry WHICH of COPIES.  */
static void
set_copy (sparse_copies &copies, int which, const int64_t r[2])
{
  copies.pattern[which] = std::make_shared<gpu_data> (r[0]);
  copies.values[which] = std::make_shared<gpu_data> (r[1]);
}

/* The transpose of S, which Octave compresses by columns, in entry WHICH of COPIES.  */
template <typename S>
static gpueig_status
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
  const gpueig_status status = direct->array_new_sparse (
      *direct->context, like.number, &rows, &r[0], &r[1]);
  if (status == GPUEIG_OK)
    set_copy (copies, which, r);
  return status;
}

/* Entry WHICH of COPIES by the GPU, of the other one.  */
static gpueig_status
transpose_copy (sparse_copies &copies, int which)
{
  int64_t r[2];
  const gpueig_status status = direct->array_combine_sparse (
      *direct->context, GPUEIG_SPARSE_TRANSPOSE,
      copies.pattern[! which]->number, copies.values[! which]->number, 0, 0,
      &r[0], &r[1]);
  if (status == GPUEIG_OK)
    set_copy (copies, which, r);
  return status;
}

/* For a transpose the GPU needs several times the memory of the copy.  */
template <typename S>
static gpueig_status
make_copy (sparse_copies &copies, int which, const S &s, gpueig_type type,
           const gpu_data &like)
{
  if (which)
    return upload (copies, which, s, type, like);
  sparse_copies other;
  gpueig_status status = upload (other, 1, s, type, like);
  if (status == GPUEIG_OK)
    status = transpose_copy (other, 0);
  if (status == GPUEIG_OUT_OF_MEMORY)
    {
      other = sparse_copies ();
      return upload (copies, which, s.transpose (), type, like);
    }
  copies.pattern[0] = other.pattern[0];
  copies.values[0] = other.values[0];
  return status;
}

bool
need_copy (sparse_copies &copies, int which, const octave_value &s,
           const shared_data &like)
{
  if (copies.pattern[which])
    return true;
  const gpueig_status status
      = copies.pattern[! which] ? transpose_copy (copies, which)
        : s.iscomplex ()
            ? make_copy (copies, which, s.sparse_complex_matrix_value (),
                         GPUEIG_COMPLEX_DOUBLE, *like)
            : make_copy (copies, which, s.sparse_matrix_value (), GPUEIG_DOUBLE,
                         *like);
  if (status == GPUEIG_OUT_OF_MEMORY)
    return false;
  check ("gpu_array", status);
  return true;
}

bool
is_complex (const sparse_copies &copies)
{
  const shared_data &values = copies.values[! copies.values[0]];
  return gpueig_is_complex (values->info.shape.type);
}

/* The transpose of entry WHICH of COPIES, which has DIMS.  */
template <typename S>
static S
download (const sparse_copies &copies, int which, const dim_vector &dims)
{
  const gpu_data &values = *copies.values[which];
  S s (dims (0), dims (1), values.info.shape.count);
  check ("gather", direct->array_download_pattern (
                       *direct->context, copies.pattern[which]->number,
                       s.xcidx (), s.xridx ()));
  check ("gather",
         direct->array_download (*direct->context, values.number, s.xdata ()));
  return s;
}

/* Without room for the transpose that Octave wants the host transposes.  */
template <typename S>
static octave_value
download_any (const sparse_copies &copies)
{
  const dim_vector &d = copies.dims;
  return copies.pattern[1]
             ? download<S> (copies, 1, d)
             : download<S> (copies, 0, dim_vector (d (1), d (0))).transpose ();
}

octave_value
downloaded (sparse_copies &copies, const shared_data &like)
{
  need_copy (copies, 1, octave_value (), like);
  return is_complex (copies) ? download_any<SparseComplexMatrix> (copies)
                             : download_any<SparseMatrix> (copies);
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

/* X, if it is a sparse gpu_array on a GPU; otherwise NULL.  */
static const kept_value *
with_copies (const octave_base_value &x)
{
  const auto *s = dynamic_cast<const kept_value *> (&x);
  return s && s->device () >= 0 ? s : nullptr;
}

octave_value
sparse_product (char of_a, char of_b, const octave_base_value &a,
                const octave_base_value &b)
{
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
  const sparse_copies *copies = s->copies (which);
  if (! copies)
    return octave_value ();
  x = turned (x, (of_x == 'N') != is_left, (of_x == 'C') != conjugates);
  x = array_value_of (made ("operator *", direct->array_multiply_sparse,
                            copies->pattern[which]->number,
                            copies->values[which]->number,
                            as_array (x.get_rep ())->number ()));
  x = turned (x, ! is_left, conjugates);
  return x.numel () == 1 ? as_array (x.get_rep ())->gathered () : x;
}

/* --- sparse results --- */

/* The pattern and values, R, of X, compressed by rows; false: there are none, or no room for them.  */
static bool
rows_of (const kept_value &x, shared_data r[2])
{
  const int which = x.is_turned ();
  const sparse_copies *copies = x.copies (which);
  if (! copies)
    return false;
  r[0] = copies->pattern[which];
  r[1] = copies->values[which];
  if (x.is_conjugate ())
    r[1] = made ("conj", direct->array_unary, GPUEIG_CONJ, r[1]->number);
  return true;
}

/* Whether OP is one of the library's, *CODE.  */
static bool
find_sparse_op (octave_value::binary_op op, gpueig_sparse_op *code)
{
  *code = op == octave_value::op_add   ? GPUEIG_SPARSE_PLUS
          : op == octave_value::op_sub ? GPUEIG_SPARSE_MINUS
          : op == octave_value::op_mul ? GPUEIG_SPARSE_MULTIPLY
                                       : GPUEIG_SPARSE_TIMES;
  return *code != GPUEIG_SPARSE_TIMES || op == octave_value::op_el_mul;
}

octave_value
sparse_result (octave_value::binary_op op, const octave_base_value &a,
               const octave_base_value &b)
{
  const dim_vector d = a.dims (), e = b.dims ();
  const bool multiplies = op == octave_value::op_mul;
  const kept_value *const there
      = with_copies (a) ? with_copies (a) : with_copies (b);
  gpueig_sparse_op code;
  if (! there || ! a.issparse () || ! b.issparse ()
      || ! find_sparse_op (op, &code) || a.numel () == 1 || b.numel () == 1
      || (multiplies ? d (1) != e (0) || d (0) * e (1) == 1 : d != e))
    return octave_value ();
  const auto there_too = [there] (const octave_base_value &x) {
    return with_copies (x) ? *with_copies (x)
                           : kept_value (host_value_of (x), there->anchor ());
  };
  const kept_value x = there_too (a), y = there_too (b);
  shared_data left[2], right[2];
  int64_t r[2];
  if (x.device () != y.device () || ! rows_of (x, left) || ! rows_of (y, right))
    return octave_value ();
  const gpueig_status status = direct->array_combine_sparse (
      *direct->context, code, left[0]->number, left[1]->number,
      right[0]->number, right[1]->number, &r[0], &r[1]);
  /* Octave computes products of NaN or Inf with zeros that are not stored, each version as it does.  */
  if (status == GPUEIG_OUT_OF_MEMORY || status == GPUEIG_NONFINITE)
    return octave_value ();
  const std::string name = octave_value::binary_op_as_string (op);
  check (("operator " + name).c_str (), status);
  auto copies = std::make_shared<sparse_copies> ();
  set_copy (*copies, 0, r);
  copies->dims = dim_vector (d (0), multiplies ? e (1) : d (1));
  return octave_value (new kept_value (copies, there->anchor ()));
}

} /* namespace */
