/* Calls of the gateway and of Octave's functions: solvers of arrays, functions with values in host
   memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_operations.h"

#include <octave/interpreter.h>
#include <octave/oct-map.h>
#include <octave/oct-string.h>
#include <octave/parse.h>

namespace gpueig
{

int passing;

namespace
{

struct guard
{
  guard () { passing++; }
  ~guard () { passing--; }
};

/* In the order of enum mex_failed (mex/gateway.h); none: 0.  */
enum failure
{
  USAGE = -1,
  RAISE = 1,
  REFUSED = 2
};

} /* namespace */

/* --- the gateway --- */

/* Raise the errors and warnings of the last call.  */
static void
raise (const std::string &caller)
{
  const octave_map failures
      = octave::feval ("__gpueig__", ovl ("failures"), 2) (1).map_value ();
  for (octave_idx_type i = 0; i < failures.numel (); i++)
    {
      const octave_scalar_map f = failures.checkelem (i);
      const std::string id = f.getfield ("identifier").string_value (),
                        text = f.getfield ("message").string_value ();
      (f.getfield ("is_error").bool_value () ? error_with_id
                                             : warning_with_id) (
          id.c_str (), "%s: %s", caller.c_str (), text.c_str ());
    }
}

/* *R: the N_OUT results of COMMAND.  Returns what the first output of the gateway is, a failure or
   0.  */
static int
call_gateway (const std::string &command, const octave_value_list &args,
              int n_out, octave_value_list *r)
{
  octave_value_list all = ovl (command, n_out);
  *r = octave::feval ("__gpueig__", all.append (args), n_out + 1);
  const int failed = (*r) (0).isempty () ? 0 : (*r) (0).int_value ();
  *r = r->slice (1, r->length () - 1);
  return failed;
}

/* As call_gateway; arrays are values of this type.  */
static int
ask_gateway (const char *command, const octave_value_list &args, int n_out,
             octave_value_list *r)
{
  int failed;
  {
    const guard g;
    failed = call_gateway (command, args, n_out, r);
  }
  /* The values own the arrays before warnings are raised, which can become errors.  */
  for (octave_idx_type i = 0; i < r->length (); i++)
    if ((*r) (i).is_int64_type ())
      (*r) (i) = octave_value (new gpu_value (
          static_cast<int64_t> ((*r) (i).int64_scalar_value ())));
  return failed;
}

octave_value_list
solved_by_gateway (const std::string &name, const octave_value_list &args,
                   int n_out)
{
  octave_value_list r;
  const int failed
      = call_gateway (name.substr (4), args, std::max (n_out, 1), &r);
  if (failed == USAGE)
    return octave_value_list ();
  if (failed)
    raise (name);
  return r;
}

octave_value
new_array (const std::string &caller, const octave_value &given,
           const octave_value_list &args)
{
  const octave_base_value &rep = given.get_rep ();
  const shared_data there
      = args.empty () && ! as_array (rep) ? data_of (rep) : nullptr;
  octave_value_list r;
  if (there && ! given.islogical () && there->info.on_gpu)
    return array_value_of (there);
  if (ask_gateway ("place", args, 1, &r))
    raise (caller);
  const octave_value x = host_value_of (rep);
  if (x.is_char_matrix ())
    check_class (caller.c_str (), x);
  const octave_value made = put (x, data_of (r (0).get_rep ()));
  const kept_value *k = first_kept (ovl (made));
  if (k && k->device () >= 0 && ! k->copies (0))
    check (caller.c_str (), GPUEIG_OUT_OF_MEMORY);
  return made;
}

/* --- solvers --- */

/* The options for arrays in the place of LIKE: those in host memory are solved by the CPU, those on
   a GPU by "auto".  */
static octave_value_list
options_for (const gpu_data &like, const octave_value_list &args)
{
  for (octave_idx_type i = 0; i < args.length (); i++)
    if (args (i).is_string ()
        && octave::string::strcmpi (args (i).string_value (), "Backend"))
      return octave_value_list ();
  return like.info.device < 0 ? ovl ("Backend", "cpu")
                              : ovl ("Device", like.info.device);
}

/* The results of the function NAME of copies in host memory.  */
static octave_value_list
solved_on_host (const std::string &name, const octave_value_list &args,
                const octave_value_list &options, int n_out)
{
  const octave_value_list copies = host_values_of (args);
  try
    {
      return octave::feval (name, octave_value_list (copies).append (options),
                            n_out);
    }
  catch (const octave::execution_exception &e)
    {
      /* The array is on a GPU, and what is asked, as a general pair, only the CPU solves.  */
      if (options.empty () || e.identifier () != "gpueig:no-device")
        throw;
      octave::interpreter::the_interpreter ()->recover_from_exception ();
    }
  return octave::feval (
      name, octave_value_list (copies).append (ovl ("Backend", "auto")), n_out);
}

octave_value_list
solved (const std::string &name, octave_value_list args, int n_out)
{
  const shared_data like = place_of (args);
  const octave_value_list options = options_for (*like, args);
  const std::string command = name.substr (std::string ("gpu_").length ());
  octave_value_list r;
  n_out = std::max (n_out, 1);
  const int failed = ask_gateway (
      command.c_str (), octave_value_list (args).append (options), n_out, &r);
  if (failed == RAISE)
    raise (name);
  if (failed != REFUSED && failed != USAGE)
    return r;
  r = solved_on_host (name, args, options, n_out);
  const bool is_inverse = name == "gpu_tdinv"; /* and a condition number */
  for (octave_idx_type i = 0; i < r.length (); i++)
    if (r (i).isfloat () && ! r (i).issparse () && ! (i > 0 && is_inverse))
      r (i) = placed (r (i), like, false, true);
  return r;
}

/* --- functions of Octave --- */

octave_value_list
hosted (const std::string &name, double count, const octave_value_list &args,
        int n_out)
{
  octave_value_list hosts = host_values_of (args);
  octave_value like;
  for (octave_idx_type i = 0; i < args.length () && like.is_undefined (); i++)
    if (as_array (args (i).get_rep ()) || first_kept (args.slice (i, 1)))
      like = args (i);
  for (octave_idx_type i = 0; i < hosts.length (); i++)
    if (hosts (i).is_function_handle ())
      hosts (i) = octave::feval ("__gathering__", ovl (like, hosts (i)), 1) (0);
  hosts.stash_name_tags (args.name_tags ()); /* for inputname and assert */
  octave_value_list r = octave::feval (name, hosts, n_out);
  for (octave_idx_type i = 0; i < r.length () && i < count; i++)
    if (r (i).is_defined () && like.is_defined ())
      r (i) = placed (r (i), place_like (like), false, false);
  return n_out > 0 ? r : octave_value_list ();
}

} /* namespace */
