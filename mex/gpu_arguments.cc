/* Arguments of the functions of gpu_array.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_deferred.h"
#include "gpu_operations.h"

#include <cmath>
#include <octave/oct-string.h>
#include <octave/parse.h>

namespace gpueig
{

octave_value_list
host_values_of (const octave_value_list &args)
{
  octave_value_list r;
  for (octave_idx_type i = 0; i < args.length (); i++)
    r.append (host_value_of (args (i).get_rep ()));
  return r;
}

shared_data
place_of (const octave_value_list &args)
{
  shared_data there;
  for (octave_idx_type i = 0; ! there && i < args.length (); i++)
    there = data_of (args (i).get_rep ());
  return there;
}

bool
is_scalar (const octave_value &x)
{
  return x.isnumeric () && x.numel () == 1;
}

RowVector
sizes_of (const octave_value_list &args, bool reshapes)
{
  const octave_idx_type n = args.length ();
  octave_idx_type open = 0;
  RowVector sizes;
  for (octave_idx_type i = 1; i < n; i++)
    {
      const RowVector more (
          args (i).array_value ().reshape (dim_vector (1, args (i).numel ())));
      if (reshapes && (more.numel () > 0 ? more.min () : 0) < 0)
        error ("reshape: SIZE must be non-negative");
      if (more.numel () == 0 && n > 2)
        open++;
      sizes = sizes.append (
          more.numel () == 0 && n > 2 && reshapes ? RowVector (1, -1.0) : more);
    }
  if (reshapes && open > 1)
    error ("reshape: only a single dimension can be unknown");
  return sizes;
}

static bool
is_word_of (const std::string &word, const std::string &words)
{
  return words.find (" " + word + " ") != std::string::npos;
}

shared_data
place_like (const octave_value &x)
{
  const kept_value *d = first_kept (ovl (x));
  const gpu_value *array = as_array (x.get_rep ());
  if (! d && ! array)
    error ("gpu_array: a place must be given by an array");
  return d ? d->anchor () : array->array ();
}

static std::string
class_of_elements (const octave_value &x)
{
  const gpu_value *array = as_array (x.get_rep ());
  return ! array               ? host_value_of (x.get_rep ()).class_name ()
         : array->is_single () ? "single"
                               : "double";
}

octave_value
prototype_of (const octave_value &x)
{
  const gpu_value *array = as_array (x.get_rep ());
  if (! array)
    return octave_value (x).index_op (ovl (Matrix ()));
  const octave_value none = class_of_elements (x) == "single"
                                ? octave_value (FloatMatrix ())
                                : octave_value (Matrix ());
  return put (none, place_like (x));
}

bool
is_like (const octave_value_list &args)
{
  const octave_idx_type n = args.length ();
  return n > 1 && args (n - 2).is_string ()
         && octave::string::strcmpi (args (n - 2).string_value (), "like")
         && (as_array (args (n - 1).get_rep ())
             || first_kept (args.slice (n - 1, 1)));
}

/* NAME (ARGS, TYPE), of Octave.  */
static octave_value
made_on_host (const std::string &name, octave_value_list args,
              const std::string &type)
{
  if (is_word_of (name, " true false randperm "))
    return octave::feval (name, args, 1) (0);
  /* Octave has no zeros (2, "logical").  */
  const bool converts
      = type == "logical" && is_word_of (name, " zeros ones eye ");
  const octave_value x = octave::feval (
      name, args.append (octave_value (converts ? "double" : type)), 1) (0);
  return converts ? octave::feval (type, ovl (x), 1) (0) : x;
}

static const char filled[] = " zeros ones Inf inf NaN nan ";

/* NAME (ARGS) like the sparse matrix LIKE, of Octave.  */
static octave_value
made_sparse (const std::string &name, octave_value_list args,
             const octave_value &like)
{
  if (is_word_of (name, filled))
    return octave::feval (name, args.append (ovl ("like", like)), 1) (0);
  const octave_value x = name == "cast"
                             ? octave::feval (like.class_name (), args, 1) (0)
                             : made_on_host (name, args, like.class_name ());
  return octave::feval ("sparse", ovl (x), 1) (0);
}

octave_value
made_like (const std::string &name, octave_value_list args,
           const octave_value &like)
{
  const octave_idx_type n = args.length ();
  std::string type = class_of_elements (like);
  if (is_word_of (name, " eps realmin realmax flintmax intmax intmin "))
    return octave::feval (name, octave_value_list (octave_value (type)), 1) (0);
  if (n > 0 && args (n - 1).is_string ())
    {
      type = args (n - 1).string_value ();
      args.resize (n - 1);
    }
  if (name != "cast")
    args = host_values_of (args);
  if (like.issparse ())
    return placed (made_sparse (name, args, host_value_of (like.get_rep ())),
                   place_like (like), true, true);
  /* One element of a constant array is made and repeated: no array is made in host memory.  */
  const bool repeats
      = is_word_of (name, filled) && (type == "double" || type == "single");
  RowVector sizes
      = repeats ? sizes_of (octave_value_list (like).append (args), false)
                : RowVector ();
  if (sizes.numel () == 1)
    sizes = sizes.append (sizes);
  octave_value x
      = name == "cast"
            ? octave::feval (type, args, 1) (0)
            : made_on_host (name, repeats ? octave_value_list () : args, type);
  if (like.iscomplex () && name.compare (0, 4, "rand") != 0)
    x = octave::feval ("complex", ovl (x), 1) (0);
  x = placed (x, place_like (like), true, true);
  if (sizes.numel () == 0 || (sizes.min () == 1 && sizes.max () == 1))
    return x;
  const octave_value_list r
      = run (*find_operation ("repmat"), name.c_str (), ovl (x, sizes), 1);
  if (r.empty ())
    error ("%s: dimensions must be up to %d integers", name.c_str (),
           GPUEIG_ARRAY_DIMS);
  return r (0);
}

} /* namespace */
