/* Arguments of the functions of gpu_array.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_ARGUMENTS_H
#define GPU_ARGUMENTS_H 1

#include "gpu_kept.h"

namespace gpueig
{

octave_value_list host_values_of (const octave_value_list &args);

/* The first array of floating-point numbers, or that of deferred elements.  */
shared_data place_of (const octave_value_list &args);

bool is_scalar (const octave_value &x);

/* The sizes in the arguments ARGS from number 1 on, numbers or one vector; of reshape -1 for an
   empty one.  */
RowVector sizes_of (const octave_value_list &args, bool reshapes);

/* Nonzero for (..., "like", G), G being an array.  */
bool is_like (const octave_value_list &args);

/* NAME (ARGS) in the place and of the class of LIKE, an array, or of the class that is the last of
   ARGS.  */
octave_value made_like (const std::string &name, octave_value_list args,
                        const octave_value &like);

/* The array, perhaps without elements, that says where X, an array, is.  */
shared_data place_like (const octave_value &x);

/* An array without elements like X, an array.  */
octave_value prototype_of (const octave_value &x);

} /* namespace */

#endif
