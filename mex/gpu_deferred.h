/* Results of gpu_array that are values of Octave, fetched when their elements are asked for:
   positions, of class double, and truth values.  Octave's own lazy_index is such a value.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_DEFERRED_H
#define GPU_DEFERRED_H 1

#include "gpu_array.h"

#include <octave/MatrixType.h>
#include <octave/oct-stream.h>
#include <octave/pr-flt-fmt.h>

namespace gpueig
{

/* Operations of arrays take the elements from where they are.  A change makes an array of
   Octave of it.  */
class deferred_value : public octave_base_value
{
public:
  explicit deferred_value (bool is_mask) : m_is_mask (is_mask) {}
  deferred_value (const std::shared_ptr<gpu_data> &array, bool is_mask)
      : m_array (array), m_is_mask (is_mask)
  {
  }

  static void register_types (octave::type_info &info);
  static int
  type_of (bool is_mask)
  {
    return s_types[is_mask];
  }

  const std::shared_ptr<gpu_data> &
  array () const
  {
    return m_array;
  }
  bool
  is_mask () const
  {
    return m_is_mask;
  }

  int
  type_id () const override
  {
    return s_types[m_is_mask];
  }
  /* As of the values that others see, and that are saved.  */
  std::string
  type_name () const override
  {
    return m_is_mask ? "bool matrix" : "matrix";
  }
  std::string
  class_name () const override
  {
    return m_is_mask ? "logical" : "double";
  }
  octave_base_value *
  clone () const override
  {
    return new deferred_value (*this);
  }
  octave_base_value *
  empty_clone () const override
  {
    return host ().get_rep ().empty_clone ();
  }
  type_conv_info numeric_conversion_function () const override;

  dim_vector
  dims () const override
  {
    return m_array ? dims_of (m_array->info.shape) : dim_vector (0, 0);
  }
  octave_value subsasgn (const std::string &type,
                         const std::list<octave_value_list> &index,
                         const octave_value &x) override;
  octave_value_list
  subsref (const std::string &type, const std::list<octave_value_list> &index,
           int n_out) override
  {
    return host ().subsref (type, index, n_out);
  }
  octave_value
  subsref (const std::string &type,
           const std::list<octave_value_list> &index) override
  {
    return host ().subsref (type, index);
  }
  octave_value
  do_index_op (const octave_value_list &index, bool resize_ok = false) override
  {
    return host ().index_op (index, resize_ok);
  }

#define IS(name, value)                                                        \
  bool name () const override { return value; }
  IS (is_defined, true)
  IS (is_constant, true)
  IS (is_matrix_type, true)
  IS (isreal, true)
  IS (isnumeric, ! m_is_mask)
  IS (isfloat, ! m_is_mask)
  IS (is_double_type, ! m_is_mask)
  IS (is_real_matrix, ! m_is_mask)
  IS (islogical, m_is_mask)
  IS (is_bool_matrix, m_is_mask)
#undef IS
  builtin_type_t
  builtin_type () const override
  {
    return m_is_mask ? btyp_bool : btyp_double;
  }

/* By the array of Octave.  */
#define BY_HOST(type, name, parameters, arguments)                             \
  type name parameters const override                                          \
  {                                                                            \
    return host ().get_rep ().name arguments;                                  \
  }
#define AS(type, name) BY_HOST (type, name, (bool force = false), (force))
#define AS_INTEGERS(name)                                                      \
  BY_HOST (name##NDArray, name##_array_value, (), ())                          \
  BY_HOST (octave_value, as_##name, (), ())
  GPU_CONVERSIONS (AS)
  AS (double, scalar_value)
  AS (float, float_scalar_value)
  AS (charNDArray, char_array_value)
  AS (SparseBoolMatrix, sparse_bool_matrix_value)
  AS_INTEGERS (int8)
  AS_INTEGERS (int16)
  AS_INTEGERS (int32)
  AS_INTEGERS (int64)
  AS_INTEGERS (uint8)
  AS_INTEGERS (uint16)
  AS_INTEGERS (uint32)
  AS_INTEGERS (uint64)
  BY_HOST (octave_value, as_double, (), ())
  BY_HOST (octave_value, as_single, (), ())
  BY_HOST (bool, is_true, (), ())
  BY_HOST (bool, print_as_scalar, (), ())
  BY_HOST (octave_idx_type, nnz, (), ())
  BY_HOST (std::size_t, byte_size, (), ())
  BY_HOST (octave_value, squeeze, (), ())
  BY_HOST (octave_value, reshape, (const dim_vector &d), (d))
  BY_HOST (octave_value, permute, (const Array<int> &order, bool back = false),
           (order, back))
  BY_HOST (octave_value, resize, (const dim_vector &d, bool fill = false),
           (d, fill))
  BY_HOST (octave_value, all, (int dim = 0), (dim))
  BY_HOST (octave_value, any, (int dim = 0), (dim))
  BY_HOST (MatrixType, matrix_type, (), ())
  BY_HOST (MatrixType, matrix_type, (const MatrixType &type), (type))
  BY_HOST (octave_value, diag, (octave_idx_type k = 0), (k))
  BY_HOST (octave_value, diag, (octave_idx_type m, octave_idx_type n), (m, n))
  BY_HOST (octave_value, sort,
           (octave_idx_type dim = 0, sortmode mode = ASCENDING), (dim, mode))
  BY_HOST (octave_value, sort,
           (Array<octave_idx_type> & at, octave_idx_type dim = 0,
            sortmode mode = ASCENDING),
           (at, dim, mode))
  BY_HOST (sortmode, issorted, (sortmode mode = UNSORTED), (mode))
  BY_HOST (Array<octave_idx_type>, sort_rows_idx, (sortmode mode = ASCENDING),
           (mode))
  BY_HOST (sortmode, is_sorted_rows, (sortmode mode = UNSORTED), (mode))
  BY_HOST (octave_value, fast_elem_extract, (octave_idx_type n), (n))
  BY_HOST (octave_value, map, (unary_mapper_t function), (function))
  BY_HOST (octave_value, convert_to_str_internal,
           (bool pad, bool force, char type), (pad, force, type))
  BY_HOST (void, print_raw, (std::ostream & os, bool as_read = false),
           (os, as_read))
  BY_HOST (void, print_info, (std::ostream & os, const std::string &prefix),
           (os, prefix))
  BY_HOST (void, short_disp, (std::ostream & os), (os))
  BY_HOST (float_display_format, get_edit_display_format, (), ())
  BY_HOST (std::string, edit_display,
           (const float_display_format &format, octave_idx_type i,
            octave_idx_type j),
           (format, i, j))
  BY_HOST (int, write,
           (octave::stream & os, int block, oct_data_conv::data_type type,
            int skip, octave::mach_info::float_format format),
           (os, block, type, skip, format))
  BY_HOST (const void *, mex_get_data, (), ())
  BY_HOST (mxArray *, as_mxArray, (bool interleaved), (interleaved))
#undef AS_INTEGERS
#undef AS
#undef BY_HOST

  octave_value
  full_value () const override
  {
    return host ();
  }
  void
  print (std::ostream &os, bool as_read = false) override
  {
    host ().print (os, as_read);
  }
  bool
  save_ascii (std::ostream &os) override
  {
    return host ().save_ascii (os);
  }
  bool
  save_binary (std::ostream &os, bool as_floats) override
  {
    return host ().save_binary (os, as_floats);
  }
  bool
  save_hdf5 (octave_hdf5_id id, const char *name, bool as_floats) override
  {
    return host ().save_hdf5 (id, name, as_floats);
  }

  /* The array of Octave.  */
  octave_value host () const;

private:
  std::shared_ptr<gpu_data> m_array; /* none: a value that Octave registers */
  bool m_is_mask;
  mutable octave_value m_host; /* undefined until it is asked for */

  static int s_types[2], s_host_types[2];
};

/* R, a gpu_array, as positions or, with IS_MASK, truth values.  */
octave_value deferred (const octave_value &r, bool is_mask);

} /* namespace */

#endif
