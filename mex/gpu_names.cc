/* Functions of Octave that know gpu_array where no argument is one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_array.h"

#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/ov-cell.h>
#include <octave/parse.h>

namespace gpueig
{

namespace
{

/* The m-file NAME, which is called unless the first argument is a cell of matrices, one of them an
   array.  */
class cell_function : public octave_builtin
{
public:
  explicit cell_function (const std::string &name)
      : octave_builtin (fcn (nullptr), name, "")
  {
  }

  octave_value_list
  execute (octave::tree_evaluator &, int n_out,
           const octave_value_list &args) override
  {
    const Cell c = args (0).iscell () ? args (0).cell_value () : Cell ();
    octave_idx_type matrices = 0, array = -1;
    for (; matrices < c.numel (); matrices++)
      {
        const octave_value &x = c (matrices);
        if (! x.isnumeric () && ! x.islogical ())
          break;
        if (x.isobject () && x.class_name () == MEX_ARRAY_CLASS)
          array = matrices;
      }
    if (matrices == c.numel () && array >= 0)
      return octave::feval ("__" + name () + "__", ovl (c (array), args (0)),
                            n_out);
    return octave::feval (octave::interpreter::the_interpreter ()
                              ->get_symbol_table ()
                              .find_user_function (name ()),
                          args, n_out);
  }
};

} /* namespace */

void
install_names (octave::symbol_table &table)
{
  table.install_built_in_function (
      "cell2mat", octave_value (new cell_function ("cell2mat")));
  table.install_built_in_dispatch ("cell2mat", "cell");
}

} /* namespace */
