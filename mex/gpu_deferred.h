/* Results of gpu_array that are values of Octave, fetched when their elements are asked for:
   positions, of class double, and truth values.  Octave's own lazy_index is such a value.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_DEFERRED_H
#define GPU_DEFERRED_H 1

#include "gpu_hosted.h"

namespace gpueig
{

/* Operations of arrays take the elements from where they are.  */
class deferred_value : public hosted_value
{
public:
  explicit deferred_value (bool is_mask) : m_is_mask (is_mask) {}
  deferred_value (const shared_data &array, bool is_mask)
      : m_array (array), m_is_mask (is_mask)
  {
  }

  static void register_types (octave::type_info &info);
  static int
  type_of (bool is_mask)
  {
    return s_types[is_mask];
  }

  const shared_data &
  array () const
  {
    return m_array;
  }
  bool
  is_mask () const
  {
    return m_is_mask;
  }

  GPU_ANSWER (int, type_id, s_types[m_is_mask])
  /* As of the values that others see, and that are saved.  */
  GPU_ANSWER (std::string, type_name, m_is_mask ? "bool matrix" : "matrix")
  GPU_ANSWER (std::string, class_name, m_is_mask ? "logical" : "double")
  GPU_ANSWER (octave_base_value *, clone, new deferred_value (*this))
  GPU_ANSWER (octave_base_value *, empty_clone,
              host ().get_rep ().empty_clone ())
  GPU_ANSWER (int, host_type, s_host_types[m_is_mask])

  GPU_ANSWER (dim_vector, dims,
              m_array ? dims_of (m_array->info.shape) : dim_vector (0, 0))
  GPU_IS (isnumeric, ! m_is_mask)
  GPU_IS (isfloat, ! m_is_mask)
  GPU_IS (is_double_type, ! m_is_mask)
  GPU_IS (is_real_matrix, ! m_is_mask)
  GPU_IS (islogical, m_is_mask)
  GPU_IS (is_bool_matrix, m_is_mask)
  GPU_ANSWER (builtin_type_t, builtin_type, m_is_mask ? btyp_bool : btyp_double)

  octave_value host () const override;

private:
  shared_data m_array; /* none: a value that Octave registers */
  bool m_is_mask;
  mutable octave_value m_host; /* undefined until it is asked for */

  static int s_types[2], s_host_types[2];
};

/* R, a gpu_array, as positions or, with IS_MASK, truth values.  */
octave_value deferred (const octave_value &r, bool is_mask);

} /* namespace */

#endif
