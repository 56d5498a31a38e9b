/* Results of gpu_array that are values of Octave, fetched when their elements are asked for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_deferred.h"

#include <octave/ov-typeinfo.h>

namespace gpueig
{

int deferred_value::s_types[2], deferred_value::s_host_types[2];

void
deferred_value::register_types (octave::type_info &info)
{
  s_host_types[0] = octave_value (NDArray (dim_vector (1, 2))).type_id ();
  s_host_types[1] = octave_value (boolNDArray (dim_vector (1, 2))).type_id ();
  for (const bool is_mask : { false, true })
    s_types[is_mask] = info.register_type (
        is_mask ? "truth values of a gpu_array" : "positions of a gpu_array",
        is_mask ? "logical" : "double",
        octave_value (new deferred_value (is_mask)));
}

octave_value
deferred_value::host () const
{
  if (m_host.is_defined ())
    return m_host;
  NDArray numbers;
  boolNDArray truth;
  if (m_array && m_is_mask)
    {
      make_unset (dims (), &truth);
      check ("gather",
             direct->array_download_bytes (
                 *direct->context, m_array->number,
                 reinterpret_cast<unsigned char *> (truth.fortran_vec ())));
    }
  else if (m_array)
    {
      make_unset (dims (), &numbers);
      check ("gather",
             direct->array_download (*direct->context, m_array->number,
                                     numbers.fortran_vec ()));
    }
  m_host = m_is_mask ? octave_value (truth) : octave_value (numbers);
  return m_host;
}

octave_value
deferred (const octave_value &r, bool is_mask)
{
  const deferred_value *d
      = new deferred_value (data_of (r.get_rep ()), is_mask);
  const octave_value v (const_cast<deferred_value *> (d));
  return v.numel () < 2 ? d->host () : v;
}

} /* namespace */
