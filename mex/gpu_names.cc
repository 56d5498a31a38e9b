/* Functions of this package under names of Octave's: those that know arrays although no argument is
   one, zeros (2, "gpuArray") and its kin, and cell2mat; and those of gpu_replace, eig, svd ....  Calls
   that are not theirs are passed on to Octave's own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_names.h"

#include "gpu_operations.h"

#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/ov-cell.h>
#include <octave/ov-typeinfo.h>
#include <octave/parse.h>
#include <sstream>

namespace gpueig
{

/* --- class (G) --- */

int class_text::s_type;

void
class_text::register_type (octave::type_info &info)
{
  s_type = info.register_type ("name of the class of a gpu_array", "char",
                               octave_value (new class_text));
}

octave_value
class_name_of (const octave_value &x)
{
  return octave_value (new class_text (prototype_of (x)));
}

/* The array of VALUE in the default place.  */
static octave_value
new_array (const std::string &caller, const octave_value &value)
{
  return octave::feval ("__array__", ovl (caller, "new", value), 1) (0);
}

/* --- the functions --- */

namespace
{

/* Octave may keep what it has found by the class of an argument when it is no longer installed.  */
bool are_installed, are_replaced;

/* A function in place of ORIGINAL or, if that is undefined, of an m-file, which Octave finds at
   each call.  All calls are passed on unless IS_ON.  */
class named_function : public octave_builtin
{
public:
  named_function (const std::string &name, const octave_value &original,
                  const bool &is_on = are_installed)
      : octave_builtin (fcn (nullptr), name, "", ""), m_original (original),
        m_is_on (is_on)
  {
    octave_function *f
        = original.is_defined () ? original.function_value () : nullptr;
    if (f)
      {
        m_file = f->src_file_name ();
        document (f->doc_string ());
      }
  }

  octave_value_list execute (octave::tree_evaluator &tw, int n_out,
                             const octave_value_list &args) override;

  const octave_value &
  original () const
  {
    return m_original;
  }

protected:
  /* The results if they are not Octave's, otherwise none.  */
  virtual octave_value_list
  own_results (int, const octave_value_list &args) const
  {
    const octave_idx_type n = args.length ();
    if (n == 0 || ! args (n - 1).is_string () || args (n - 1).ndims () > 2
        || args (n - 1).rows () != 1)
      return octave_value_list ();
    const auto *text
        = dynamic_cast<const class_text *> (&args (n - 1).get_rep ());
    const std::string word = args (n - 1).string_value ();
    if (word != MEX_ARRAY_CLASS && word != "gpu_array")
      return octave_value_list ();
    if (! text && n == 2 && name () == "cast")
      return ovl (new_array (name (), args (0)));
    return ovl (
        made_like (name (), args.slice (0, n - 1),
                   text ? text->like () : new_array (name (), Matrix ())));
  }

private:
  octave_value m_original;
  const bool &m_is_on;
};

/* cell2mat of a cell of matrices, one of them an array.  */
class cell_function : public named_function
{
public:
  using named_function::named_function;

protected:
  octave_value_list
  own_results (int n_out, const octave_value_list &args) const override
  {
    const bool is_cell = args.length () == 1 && args (0).iscell ();
    const Cell c = is_cell ? args (0).cell_value () : Cell ();
    octave_idx_type array = -1;
    for (octave_idx_type i = 0; i < c.numel (); i++)
      {
        const octave_value &x = c (i);
        if (! x.isnumeric () && ! x.islogical ())
          return octave_value_list ();
        if (x.isobject () && x.class_name () == MEX_ARRAY_CLASS)
          array = i;
      }
    return array < 0 ? octave_value_list ()
                     : octave::feval ("__" + name () + "__",
                                      ovl (c (array), args (0)), n_out);
  }
};

/* A solver in place of its m-file, whose call takes longer than that of the gateway for a small
   matrix; not of another file or function with its name.  */
class solver_function : public named_function
{
public:
  using named_function::named_function;

protected:
  octave_value_list
  own_results (int n_out, const octave_value_list &args) const override
  {
    const octave_value f = found (name ());
    if (! m_known.is_copy_of (f))
      {
        if (! is_own (f))
          return octave_value_list ();
        m_known = f;
        m_most = octave::feval ("nargout", ovl (name ()), 1) (0).int_value ();
      }
    return args.empty () || n_out > m_most
               ? octave_value_list () /* the m-file has the error */
               : solved_by_gateway (name (), args, n_out);
  }

private:
  mutable octave_value m_known; /* the m-file */
  mutable int m_most = 0;       /* its outputs */

  static octave_value
  found (const std::string &name)
  {
    return octave::interpreter::the_interpreter ()
        ->get_symbol_table ()
        .find_function (name);
  }

  /* Nonzero if F is a file in the folder of the gateway.  */
  static bool
  is_own (octave_value f)
  {
    const octave_function *gateway = found ("__gpueig__").function_value (true);
    if (! f.is_user_function () || ! gateway)
      return false;
    const std::string file = f.user_function_value ()->fcn_file_name (),
                      other = gateway->fcn_file_name ();
    const size_t end = file.find_last_of ("/\\");
    return end != std::string::npos && end == other.find_last_of ("/\\")
           && file.compare (0, end, other, 0, end) == 0;
  }
};

/* A function of gpu_replace, see mex/replace.c.  builtin ("eig", ...) is Octave's.  */
class replaced_function : public named_function
{
public:
  replaced_function (const std::string &name, const octave_value &original)
      : named_function (name, original, are_replaced)
  {
    m_file = octave::interpreter::the_interpreter ()
                 ->get_load_path ()
                 .find_fcn_file ("gpu_replace");
    if (original.is_user_function ())
      lock (); /* clear all would put the file back */
  }

protected:
  octave_value_list
  own_results (int n_out, const octave_value_list &args) const override
  {
    if (m_least < 0)
      m_least
          = octave::feval ("__gpueig__", ovl ("replace-from", name ()), 2) (1)
                .idx_type_value ();
    const octave_function *caller = octave::interpreter::the_interpreter ()
                                        ->get_evaluator ()
                                        .caller_function ();
    if (args.empty () || args (0).numel () < m_least
        || (caller && caller->name () == "builtin") || is_accurate_svd ())
      return octave_value_list ();
    need_finite (args (0));
    octave_value_list all = ovl ("replace", std::max (n_out, 1), name ());
    const octave_value_list r = octave::feval ("__gpueig__", all.append (args),
                                               std::max (n_out, 1) + 1);
    return r (0).isempty () ? r.slice (1, r.length () - 1)
                            : octave_value_list ();
  }

private:
  /* Matrices of fewer elements are always passed on; -1: not asked for yet.  */
  mutable octave_idx_type m_least = -1;

  bool
  is_accurate_svd () const
  {
    return name () == "svd"
           && octave::feval ("svd_driver", octave_value_list (), 1) (0)
                      .string_value ()
                  == "gejsv";
  }

  /* LAPACK's iterations for Schur forms, and Octave's for logarithms, may never end for NaN and
     Inf.  */
  void
  need_finite (const octave_value &x) const
  {
    const bool may_not_end
        = name () == "schur" || name () == "sqrtm" || name () == "logm";
    if (may_not_end && x.isfloat ()
        && ! octave::feval ("isfinite", ovl (x), 1) (0).is_true ())
      error_with_id ("gpueig:nonfinite",
                     "%s: matrix contains Inf or NaN values", name ().c_str ());
  }
};

} /* namespace */

octave_value_list
named_function::execute (octave::tree_evaluator &tw, int n_out,
                         const octave_value_list &args)
{
  const octave_value_list r
      = m_is_on ? own_results (n_out, args) : octave_value_list ();
  if (! r.empty ())
    return r;
  if (m_original.is_defined ())
    return octave_value (m_original).function_value ()->call (tw, n_out, args);
  /* Without arguments: what is found for the class of one is this.  */
  const octave_value f = octave::interpreter::the_interpreter ()
                             ->get_symbol_table ()
                             .find_function (name ());
  if (f.is_undefined () || dynamic_cast<const named_function *> (&f.get_rep ()))
    error_with_id ("Octave:undefined-function", "'%s' undefined",
                   name ().c_str ());
  return octave::feval (f, args, n_out);
}

/* Another spelling of isgpuarray, which cannot be a file of its own where the case of names does not
   count.  */
static octave_value_list
is_array (const octave_value_list &args, int n_out)
{
  return octave::feval ("isgpuarray", args, n_out);
}

/* Install FUNCTION; of m-files such that Octave finds it by the class of an argument before the
   file.  */
static void
install (octave::symbol_table &table, const std::string &name,
         named_function *function)
{
  table.install_built_in_function (name, octave_value (function));
  if (function->original ().is_undefined ())
    for (const char *type :
         { "double", "single", "logical", "char", "cell", "int8", "int16",
           "int32", "int64", "uint8", "uint16", "uint32", "uint64" })
      table.install_built_in_dispatch (name, type);
}

void
replace_functions (octave::symbol_table &table, bool on)
{
  are_replaced = on;
  for (const char *name :
       { "eig", "inv", "schur", "svd", "pinv", "sqrtm", "logm", "expm" })
    {
      octave_value now = table.find_built_in_function (name);
      const bool is_file = now.is_undefined ();
      if (is_file)
        now = table.find_user_function (name);
      const auto *ours = dynamic_cast<const named_function *> (&now.get_rep ());
      if (on == (ours != nullptr))
        continue;
      const octave_value next
          = on ? octave_value (new replaced_function (name, now))
               : ours->original ();
      if (is_file)
        table.install_user_function (name, next);
      else
        table.install_built_in_function (name, next);
    }
}

bool
functions_are_replaced ()
{
  return are_replaced;
}

void
install_names (octave::symbol_table &table, bool on)
{
  std::istringstream names (
      "zeros ones Inf inf NaN nan eye true false rand randn rande randi "
      "randperm cast eps realmin realmax flintmax intmax intmin "
      "cell2mat " GPU_SOLVERS);
  std::string name;
  are_installed = on;
  table.install_built_in_function (
      "isgpuArray", on ? octave_value (new octave_builtin (
                        is_array, "isgpuArray", "", "See isgpuarray."))
                       : octave_value ());
  while (names >> name)
    {
      const octave_value now = table.find_built_in_function (name);
      const auto *ours
          = now.is_defined ()
                ? dynamic_cast<const named_function *> (&now.get_rep ())
                : nullptr;
      if (on && ! ours)
        install (table, name,
                 name == "cell2mat" ? new cell_function (name, now)
                 : name.compare (0, 4, "gpu_") == 0
                     ? new solver_function (name, now)
                     : new named_function (name, now));
      else if (! on && ours)
        table.install_built_in_function (name,
                                         octave_value (ours->original ()));
    }
}

} /* namespace */
