/* Values of other types whose elements are in a value of Octave's: what Octave asks of them,
   they ask of that.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_HOSTED_H
#define GPU_HOSTED_H 1

#include "gpu_array.h"

#include <octave/MatrixType.h>
#include <octave/oct-stream.h>
#include <octave/pr-flt-fmt.h>

namespace gpueig
{

class hosted_value : public octave_base_value
{
public:
  /* The value of Octave.  */
  virtual octave_value host () const = 0;
  /* The number of its type.  */
  virtual int
  host_type () const
  {
    return host ().type_id ();
  }

  GPU_IS (is_defined, true)
  GPU_IS (is_constant, true)
  GPU_IS (is_matrix_type, true)
  GPU_IS (isreal, true)
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
  /* A change makes a value of Octave of it.  */
  octave_value
  subsasgn (const std::string &type, const std::list<octave_value_list> &index,
            const octave_value &x) override
  {
    octave_value copy = host ();
    return copy.assign (octave_value::op_asn_eq, type, index, x);
  }
  type_conv_info
  numeric_conversion_function () const override
  {
    return type_conv_info (
        [] (const octave_base_value &x) {
          const octave_value v = static_cast<const hosted_value &> (x).host ();
          return v.get_rep ().clone ();
        },
        host_type ());
  }
  octave_value
  do_index_op (const octave_value_list &index, bool resize_ok = false) override
  {
    return host ().index_op (index, resize_ok);
  }

/* By the value of Octave.  */
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
  AS (charMatrix, char_matrix_value)
  AS (std::string, string_value)
  BY_HOST (std::string, xstring_value, (), ())
  BY_HOST (string_vector, string_vector_value, (bool pad = false), (pad))
  BY_HOST (Array<std::string>, cellstr_value, (), ())
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
  BY_HOST (octave_idx_type, nzmax, (), ())
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
  BY_HOST (bool, fast_elem_insert_self, (void *where, builtin_type_t type),
           (where, type))
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

  GPU_ANSWER (octave_value, full_value, host ())
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
};

} /* namespace */

#endif
