/* Arguments of the functions of gpu_array.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_arguments.h"

#include "gpu_deferred.h"

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

std::shared_ptr<gpu_data>
place_of (const octave_value_list &args)
{
  std::shared_ptr<gpu_data> there;
  for (octave_idx_type i = 0; ! there && i < args.length (); i++)
    there = data_of (args (i).get_rep ());
  return there;
}

bool
is_scalar (const octave_value &x)
{
  return x.isnumeric () && x.numel () == 1;
}

int
along (const octave_value &x, const octave_value_list &args, int i,
       octave_idx_type *size)
{
  const dim_vector dims = x.dims ();
  int dim = dims.first_non_singleton () + 1;
  *size = 0;
  if (args.length () > i + 1)
    return 0;
  if (args.length () > i)
    {
      const double d = is_scalar (args (i)) ? args (i).double_value () : 0;
      if (! (d >= 1 && d < 1e9 && d == std::floor (d)))
        return 0;
      dim = static_cast<int> (d);
    }
  if (! dims.any_zero ())
    *size = dim > dims.ndims () ? 1 : dims (dim - 1);
  return dim;
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

octave_value_list
sort_arguments (int n_out, const octave_value_list &args)
{
  octave_idx_type n = args.length ();
  double down = 0;
  if (n > 1 && args (n - 1).is_string ())
    {
      const std::string word = args (--n).string_value ();
      if (word != "ascend" && word != "descend")
        return octave_value_list ();
      down = word == "descend";
    }
  if (n == 1 && ! args (0).isempty ())
    return ovl (args (0), down);
  octave_idx_type size;
  if (n != 2 || args (0).isempty ()
      || along (args (0), args.slice (0, 2), 1, &size) == 0)
    return octave_value_list ();
  if (n_out > 1 && args (1).double_value () > args (0).ndims ())
    return octave_value_list ();
  return ovl (args (0), down, args (1));
}

octave_value_list
find_in (int n_out, const octave_value_list &args)
{
  const octave_idx_type n = args.length ();
  const octave_value &a = args (0);
  const dim_vector dims = a.dims ();
  const double most = n > 1 && is_scalar (args (1)) ? args (1).double_value ()
                      : n > 1                       ? 0
                                                    : 1e18;
  const std::string word
      = n > 2 && args (2).is_string () ? args (2).string_value () : "first";
  if (! as_array (a.get_rep ()) || a.numel () < 2 || n > 3 || ! (most >= 1)
      || most != std::floor (most) || (word != "first" && word != "last"))
    return octave_value_list ();
  int64_t positions;
  if (! direct->nonzero (as_array (a.get_rep ())->number (), &positions))
    raise ("find");
  const octave_value list (new gpu_value (positions));
  const octave_idx_type count = list.numel ();
  const bool row = dims.ndims () == 2 && dims (0) == 1;
  if (most >= count && n_out < 2)
    return ovl (
        deferred (row ? list.reshape (dim_vector (1, count)) : list, false));
  ColumnVector at (host_value_of (list.get_rep ()).column_vector_value ());
  if (most < count)
    at = at.extract_n (
        word == "last" ? count - static_cast<octave_idx_type> (most) : 0,
        static_cast<octave_idx_type> (most));
  octave_value_list r = ovl (row ? octave_value (RowVector (at.transpose ()))
                                 : octave_value (at));
  if (n_out > 2)
    r (2) = host_value_of (octave_value (a).index_op (ovl (r (0))).get_rep ());
  if (n_out > 1)
    {
      ColumnVector i (at.numel ()), j (at.numel ());
      for (octave_idx_type k = 0; k < at.numel (); k++)
        {
          j (k) = std::floor ((at (k) - 1) / dims (0)) + 1;
          i (k) = at (k) - (j (k) - 1) * dims (0);
        }
      r (0)
          = row ? octave_value (RowVector (i.transpose ())) : octave_value (i);
      r (1)
          = row ? octave_value (RowVector (j.transpose ())) : octave_value (j);
    }
  return r;
}

static bool
is_word_of (const std::string &word, const std::string &words)
{
  return words.find (" " + word + " ") != std::string::npos;
}

std::shared_ptr<gpu_data>
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
  return run_one ("gpu_array", "put", ovl (none, x));
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
  return sizes.numel () > 0 && (sizes.min () != 1 || sizes.max () != 1)
             ? run_one (name.c_str (), "repmat", ovl (x, sizes))
             : x;
}

} /* namespace */
