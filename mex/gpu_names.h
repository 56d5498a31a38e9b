/* Functions of this package under names of Octave's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_NAMES_H
#define GPU_NAMES_H 1

#include "gpu_hosted.h"

namespace gpueig
{

/* The name of the class of an array, with what its elements are: zeros (2, class (G)) is like G.
   What is made of it, and a change of it, is text of Octave.  */
class class_text : public hosted_value
{
public:
  explicit class_text (const octave_value &like = octave_value ())
      : m_text (std::string (MEX_ARRAY_CLASS), '\''), m_like (like)
  {
  }

  static void register_type (octave::type_info &info);

  GPU_ANSWER (octave_value, host, m_text)
  const octave_value &
  like () const
  {
    return m_like;
  }

  GPU_ANSWER (int, type_id, s_type)
  /* As of the text that others see, and that is saved.  */
  GPU_ANSWER (std::string, type_name, m_text.type_name ())
  GPU_ANSWER (std::string, class_name, m_text.class_name ())
  GPU_ANSWER (octave_base_value *, clone, new class_text (*this))
  GPU_ANSWER (octave_base_value *, empty_clone,
              m_text.get_rep ().empty_clone ())
  GPU_ANSWER (builtin_type_t, builtin_type, btyp_char)
  GPU_ANSWER (dim_vector, dims, m_text.dims ())

  GPU_IS (is_string, true)
  GPU_IS (is_sq_string, true)
  GPU_IS (is_char_matrix, true)

private:
  octave_value m_text, m_like;

  static int s_type;
};

/* The name of the class of the array X, which functions take for underlyingType (X).  */
octave_value class_name_of (const octave_value &x);

/* The functions of the gateway that solve problems.  */
#define GPU_SOLVERS                                                            \
  "gpu_eig gpu_jacobi_eig gpu_onesided_eig gpu_complex_eig gpu_mrrr "          \
  "gpu_tdinv gpu_schur gpu_ordschur gpu_sqrtm gpu_logm gpu_expm gpu_svd "      \
  "gpu_polar gpu_pinv gpu_mpower"

/* Put those that know arrays in place of Octave's, or Octave's back.  */
void install_names (octave::symbol_table &table, bool on);

/* Put those of gpu_replace in place, or Octave's back; functions_are_replaced: they are there.  */
void replace_functions (octave::symbol_table &table, bool on);
bool functions_are_replaced ();

} /* namespace */

#endif
