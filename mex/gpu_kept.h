/* gpu_array with logical or integer elements, or a sparse one: the elements are in host memory;
   those of a sparse one on the GPU as well, for sums and products, or there alone until they are
   asked for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_KEPT_H
#define GPU_KEPT_H 1

#include "gpu_hosted.h"

namespace gpueig
{

/* --- gpu_sparse.cc --- */

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

/* --- gpu_kept.cc --- */

/* X, of Octave, as an array in the place of LIKE if it has numbers or, with TRUTH, truth values, and
   more than one or, with KEEPS, any number of them; otherwise X.  */
octave_value placed (const octave_value &x, const shared_data &like, bool truth,
                     bool keeps);

/* Operators and functions are those of Octave.  Its results that are full and floating-point go to
   the place of ANCHOR, an array without elements.  */
class kept_value : public object_value<hosted_value>
{
public:
  kept_value () = default;
  kept_value (const octave_value &host, const shared_data &anchor)
      : m_host (host), m_anchor (anchor)
  {
    forget_copies ();
  }

  GPU_ANSWER (octave_base_value *, clone, new kept_value (*this))
  GPU_ANSWER (octave_base_value *, empty_clone,
              new kept_value (octave_value (), m_anchor))

  /* The matrix of COPIES, of which one is there.  */
  kept_value (const std::shared_ptr<sparse_copies> &copies,
              const shared_data &anchor)
      : m_anchor (anchor), m_copies (copies)
  {
  }

  octave_value
  host () const override
  {
    if (m_is_turned || m_is_conjugate)
      turn ();
    return stored ();
  }
  const shared_data &
  anchor () const
  {
    return m_anchor;
  }

  /* The GPU of a sparse matrix that has copies; -1 for other values.  */
  int
  device () const
  {
    return m_copies ? m_anchor->info.device : -1;
  }
  /* The transpose, or conjugate transpose, of a matrix that has copies, without a transpose in host
     memory until it is asked for; undefined for other values.  */
  octave_value turned (bool conjugates) const;
  bool
  is_turned () const
  {
    return m_is_turned;
  }
  bool
  is_conjugate () const
  {
    return m_is_conjugate;
  }
  /* The copies of the matrix that is stored, that of itself, 0, or its transpose, 1, being there; NULL
     for a value whose products are not on a GPU, or where that has no room.  */
  const sparse_copies *copies (int which) const;
  /* R, an operation of this value, with the copies MAKE (copies of this value), if it has some.  */
  template <typename F>
  octave_value with_copies (const octave_value &r, F make) const;

  dim_vector
  dims () const override
  {
    const dim_vector d = is_there_alone () ? m_copies->dims : stored ().dims ();
    return m_is_turned ? dim_vector (d (1), d (0)) : d;
  }

#define AS_HOST(name) GPU_IS (name, kind ().name ())
  AS_HOST (isreal)
  AS_HOST (iscomplex)
  AS_HOST (isfloat)
  AS_HOST (issparse)
  AS_HOST (islogical)
  AS_HOST (isnumeric)
  AS_HOST (isinteger)
  AS_HOST (is_bool_scalar)
  AS_HOST (is_bool_matrix)
  AS_HOST (is_real_scalar)
  AS_HOST (is_real_matrix)
  AS_HOST (is_scalar_type)
  AS_HOST (is_int8_type)
  AS_HOST (is_int16_type)
  AS_HOST (is_int32_type)
  AS_HOST (is_int64_type)
  AS_HOST (is_uint8_type)
  AS_HOST (is_uint16_type)
  AS_HOST (is_uint32_type)
  AS_HOST (is_uint64_type)
#undef AS_HOST

  octave_value do_index_op (const octave_value_list &index,
                            bool resize_ok = false) override;
  octave_value subsasgn (const std::string &type,
                         const std::list<octave_value_list> &index,
                         const octave_value &x) override;

  octave_value
  map (unary_mapper_t function) const override
  {
    return placed (host ().get_rep ().map (function), m_anchor, false, false);
  }

  type_conv_info numeric_conversion_function () const override;

  GPU_ANSWER (octave_value, full_value, host ().full_value ())
  const void *mex_get_data () const override;

private:
  /* Whether the elements are on the GPU and not yet in host memory.  */
  bool
  is_there_alone () const
  {
    return m_copies && m_host.is_undefined ();
  }
  octave_value stored () const;
  /* The stored value, or any other value of Octave of the same type.  */
  octave_value kind () const;
  void turn () const;
  /* Make new copies, none of them there yet, of a sparse matrix on a GPU.  */
  void forget_copies () const;

  /* undefined: what assignment creates, or a matrix that is on the GPU alone */
  mutable octave_value m_host;
  shared_data m_anchor;
  /* shared with values that have the same matrix, or its transpose; NULL if no product is on a GPU */
  mutable std::shared_ptr<sparse_copies> m_copies;
  /* The value is the transpose of M_HOST, its conjugate, or both.  */
  mutable bool m_is_turned = false, m_is_conjugate = false;

  DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
};

/* An array without elements in the place of LIKE.  */
shared_data anchor_like (const gpu_data &like);

/* The first kept_value of ARGS, or NULL.  */
const kept_value *first_kept (const octave_value_list &args);

/* ARGS with the values of Octave in place of the kept ones.  */
octave_value_list hosts_of (const octave_value_list &args);

/* Operators of kept values, and of integers and sparse matrices of Octave with any array: those
   for which has_kept_operators is true of the number of the type.  */
bool has_kept_operators (const octave::type_info &info, int type);
void install_kept_operators (octave::type_info &info);

} /* namespace */

#endif
