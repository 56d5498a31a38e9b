/* Functions of Octave that know arrays although no argument is one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_NAMES_H
#define GPU_NAMES_H 1

#include "gpu_array.h"

namespace gpueig
{

/* The name of the class of the array X, which functions take for underlyingType (X).  */
octave_value class_name_of (const octave_value &x);

/* Put the functions in place of Octave's, or Octave's back.  */
void install_names (octave::symbol_table &table, bool on);

} /* namespace */

#endif
