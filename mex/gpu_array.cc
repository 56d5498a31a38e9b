/* gpu_array as a type of Octave's values.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [OUT] = __array__ (CALLER, OPERATION, ARG1, ...)

   is an operation of gpu_operations.cc, [] where that is left to Octave's function; errors and
   warnings name CALLER.  Operators, indices and the functions of
   elements are served here; of other functions Octave finds the methods of the class of the
   type's name, which has no objects.  A value shares its array with its copies.

   __array__ ("load"), __array__ ("unload")

   put the functions of gpu_names.cc in place of Octave's, and Octave's back; those of gpu_replace by

   ON = __array__ ("replace"), __array__ ("restore"), __array__ ("replaced")

   which return whether they were there before.

   X = __array__ (DIMS, CLASS)

   is an array for a result of the gateway, which sets its elements by all threads.  */

#include "gpu_deferred.h"
#include "gpu_names.h"
#include "gpu_operations.h"

#include <cmath>
#include <list>
#include <memory>
#include <octave/interpreter.h>
#include <octave/ov-fcn.h>
#include <octave/parse.h>
#include <vector>

namespace gpueig
{

octave_value *gateway;
const mex_direct *direct;

/* The first name is in the messages of functions that take no array.  */
DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA (gpu_value, "gpu_array; use gather",
                                     MEX_ARRAY_CLASS);

/* --- calls of the library --- */

void
check (const char *caller, gpueig_status status, const char *id)
{
  if (status == GPUEIG_OK)
    return;
  const char *text = direct->message (*direct->context);
  error_with_id (id ? id : direct->status_id (status), "%s: %s", caller,
                 *text ? text : direct->status_text (status));
}

void
check_class (const char *caller, const octave_value &x)
{
  if (! x.isfloat ())
    error_with_id ("gpueig:wrong-type",
                   "%s: the argument must be of class double, single, logical "
                   "or an integer class, but is of class %s",
                   caller, x.class_name ().c_str ());
}

/* An array of TYPE and DIMS in the place of LIKE, its elements not set.  */
static shared_data
unset_array (const char *caller, gpueig_type type, const dim_vector &dims,
             const gpu_data &like)
{
  int64_t sizes[GPUEIG_ARRAY_DIMS];
  const int64_t *const first = sizes;
  if (dims.ndims () > GPUEIG_ARRAY_DIMS)
    error_with_id ("gpueig:wrong-type",
                   "%s: an array on the GPU has up to %d dimensions, but the "
                   "argument has %d",
                   caller, GPUEIG_ARRAY_DIMS, static_cast<int> (dims.ndims ()));
  for (int d = 0; d < dims.ndims (); d++)
    sizes[d] = dims (d);
  return made (caller, direct->array_like, like.number, type, dims.ndims (),
               first);
}

template <typename A>
static shared_data
uploaded_elements (const char *caller, gpueig_type type, const A &x,
                   const gpu_data &like)
{
  const auto r = unset_array (caller, type, x.dims (), like);
  check (caller, direct->array_upload (*direct->context, r->number, x.data ()));
  return r;
}

shared_data
uploaded (const char *caller, const octave_base_value &given,
          const gpu_data &like)
{
  const shared_data there = data_of (given);
  if (there)
    return there;
  octave_value x = host_value_of (given);
  if (x.issparse ())
    x = x.full_value ();
  if (x.islogical ())
    {
      const boolNDArray bytes = x.bool_array_value ();
      const auto r = unset_array (caller, GPUEIG_DOUBLE, bytes.dims (), like);
      check (caller,
             direct->array_upload_bytes (
                 *direct->context, r->number,
                 reinterpret_cast<const unsigned char *> (bytes.data ())));
      return r;
    }
  if (x.isinteger () || x.is_char_matrix ())
    x = x.as_double ();
  check_class (caller, x);
  return x.is_single_type ()
             ? x.iscomplex ()
                   ? uploaded_elements (caller, GPUEIG_COMPLEX_FLOAT,
                                        x.float_complex_array_value (), like)
                   : uploaded_elements (caller, GPUEIG_FLOAT,
                                        x.float_array_value (), like)
         : x.iscomplex () ? uploaded_elements (caller, GPUEIG_COMPLEX_DOUBLE,
                                               x.complex_array_value (), like)
                          : uploaded_elements (caller, GPUEIG_DOUBLE,
                                               x.array_value (), like);
}

octave_value
put (const octave_value &x, const shared_data &like)
{
  return x.isinteger () || x.islogical () || x.issparse ()
             ? placed (x, like, true, true)
             : array_value_of (uploaded ("gpu_array", x.get_rep (), *like));
}

const gpu_value *
as_array (const octave_base_value &x)
{
  return dynamic_cast<const gpu_value *> (&x);
}

shared_data
data_of (const octave_base_value &x)
{
  if (const gpu_value *a = as_array (x))
    return a->array ();
  const auto *d = dynamic_cast<const deferred_value *> (&x);
  return d ? d->array () : nullptr;
}

octave_value
value_of (const octave_base_value &x)
{
  return octave_value (const_cast<octave_base_value *> (&x), true);
}

octave_value
host_value_of (const octave_base_value &x)
{
  const gpu_value *a = as_array (x);
  const auto *d = dynamic_cast<const kept_value *> (&x);
  return a ? a->gathered () : d ? d->host () : value_of (x);
}

void
need_parentheses (const std::string &kind, bool alone)
{
  if (alone && kind != "(")
    error ("gpu_array: assignment needs indices in () alone");
  if (kind[0] != '(')
    error ("gpu_array: only indices in () are possible, not %s; use gather",
           kind[0] == '{' ? "{}" : ".");
}

std::string
described (const octave_base_value &x)
{
  return octave::feval ("__described__", ovl (value_of (x), 20), 1) (0)
      .string_value ();
}

/* --- values --- */

gpu_data::gpu_data (int64_t n) : number (n), info ()
{
  direct->array_peek (*direct->context, n, &info);
}

/* Not before it is asked for: that waits for the operation.  */
bool
gpu_value::iscomplex () const
{
  if (m_array && m_array->info.open)
    check ("gpu_array", direct->array_describe (*direct->context, number (),
                                                &m_array->info));
  return m_array && gpueig_is_complex (m_array->info.shape.type);
}

dim_vector
dims_of (const gpueig_shape &s)
{
  dim_vector d = dim_vector::alloc (s.n_dims);
  for (int i = 0; i < s.n_dims; i++)
    d (i) = static_cast<octave_idx_type> (s.dims[i]);
  return d;
}

dim_vector
gpu_value::dims () const
{
  return m_array ? dims_of (m_array->info.shape) : dim_vector (0, 0);
}

std::size_t
gpu_value::byte_size () const
{
  return dims ().numel () * (is_single () ? 4 : 8) * (iscomplex () ? 2 : 1);
}

/* The elements of ARRAY in a new T.  */
template <typename T>
static octave_value
downloaded (int64_t array, const dim_vector &dims)
{
  T x;
  make_unset (dims, &x);
  check ("gather",
         direct->array_download (*direct->context, array, x.fortran_vec ()));
  return octave_value (x);
}

octave_value
gpu_value::gathered () const
{
  if (! m_array)
    return Matrix ();
  const int64_t n = number ();
  octave_value x = is_single ()
                       ? iscomplex ()
                             ? downloaded<FloatComplexNDArray> (n, dims ())
                             : downloaded<FloatNDArray> (n, dims ())
                   : iscomplex () ? downloaded<ComplexNDArray> (n, dims ())
                                  : downloaded<NDArray> (n, dims ());
  x.maybe_mutate (); /* complex numbers without imaginary parts */
  return x;
}

/* X, computed by Octave, where this array is.  */
octave_value
gpu_value::place (const octave_value &x) const
{
  if (! x.isfloat () || x.numel () == 1 || x.issparse ())
    return x;
  return put (x, array ());
}

octave_value
gpu_value::reshape (const dim_vector &d) const
{
  std::vector<int64_t> sizes;
  for (int i = 0; i < d.ndims (); i++)
    sizes.push_back (d (i));
  const int64_t *const first = sizes.data ();
  return array_value_of (
      made ("reshape", direct->array_reshape, number (), d.ndims (), first));
}

/* cellfun makes the array of its results of the first one.  */
octave_value
gpu_value::resize (const dim_vector &dims, bool fill) const
{
  return put (gathered ().resize (dims, fill), array ());
}

/* Octave 11's cellfun puts the other results there by this function alone.  */
bool
gpu_value::fast_elem_insert (octave_idx_type n, const octave_value &x)
{
  if (x.numel () != 1)
    return false;
  const bool alone = array ().use_count () == 1;
  const octave_value r = assigned (self (), alone, ovl (n + 1), x.get_rep ());
  m_array = static_cast<const gpu_value &> (r.get_rep ()).array ();
  return true;
}

const gpu_value::element_function gpu_value::s_functions[]
    = { { umap_abs, GPUEIG_ABS },     { umap_acos, GPUEIG_ACOS },
        { umap_asin, GPUEIG_ASIN },   { umap_atan, GPUEIG_ATAN },
        { umap_ceil, GPUEIG_CEIL },   { umap_conj, GPUEIG_CONJ },
        { umap_cos, GPUEIG_COS },     { umap_cosh, GPUEIG_COSH },
        { umap_erf, GPUEIG_ERF },     { umap_exp, GPUEIG_EXP },
        { umap_expm1, GPUEIG_EXPM1 }, { umap_fix, GPUEIG_FIX },
        { umap_floor, GPUEIG_FLOOR }, { umap_gamma, GPUEIG_GAMMA },
        { umap_imag, GPUEIG_IMAG },   { umap_log, GPUEIG_LOG },
        { umap_log2, GPUEIG_LOG2 },   { umap_log10, GPUEIG_LOG10 },
        { umap_log1p, GPUEIG_LOG1P }, { umap_real, GPUEIG_REAL },
        { umap_round, GPUEIG_ROUND }, { umap_sin, GPUEIG_SIN },
        { umap_sinh, GPUEIG_SINH },   { umap_sqrt, GPUEIG_SQRT },
        { umap_tan, GPUEIG_TAN },     { umap_tanh, GPUEIG_TANH },
        { umap_arg, GPUEIG_ARG },     { umap_angle, GPUEIG_ARG },
        { umap_signum, GPUEIG_SIGN } };

/* Without this Octave would look for methods of these functions of its own in each call, and for
   other functions of their names; for a row of numbers in brackets that have an array, too, and
   fail.  */
void
gpu_value::install_functions (octave::symbol_table &table)
{
  for (const char *type :
       { "double", "single", "logical", "char", "int8", "int16", "int32",
         "int64", "uint8", "uint16", "uint32", "uint64" })
    table.install_built_in_dispatch ("horzcat", type);
  for (const char *name : { "isnan", "isinf", "isfinite", "sign" })
    table.install_built_in_dispatch (name, MEX_ARRAY_CLASS);
  for (const auto &f : s_functions)
    if (f.function != umap_signum && f.function != umap_angle) /* arg */
      table.install_built_in_dispatch (get_umap_name (f.function),
                                       MEX_ARRAY_CLASS);
}

octave_value
gpu_value::map (unary_mapper_t function) const
{
  switch (function)
    {
    case umap_isnan:
      return compared (GPUEIG_NE, "isnan", *this, *this);
    case umap_isinf:
    case umap_isfinite:
      if (iscomplex ()) /* of huge parts the modulus is Inf */
        break;
      return octave::binary_op (
          function == umap_isinf ? octave_value::op_eq : octave_value::op_lt,
          map (umap_abs), octave::numeric_limits<double>::Inf ());
    default:
      break;
    }
  for (const auto &f : s_functions)
    if (f.function == function)
      {
        const octave_value r = mapped (f.op, get_umap_name (function), *this);
        if (r.is_defined ())
          return r;
      }
  return place (gathered ().get_rep ().map (function));
}

/* --- parts --- */

octave_value
gpu_value::do_index_op (const octave_value_list &index, bool)
{
  return index.empty () ? self () : indexed (*this, index);
}

octave_value
gpu_value::subsasgn (const std::string &kind,
                     const std::list<octave_value_list> &index,
                     const octave_value &x)
{
  need_parentheses (kind, true);
  octave_value self = this->self ();
  if (! m_array) /* of x(1) = G with an x that is not defined */
    self = as_array (x.get_rep ())->is_single () ? octave_value (FloatMatrix ())
                                                 : octave_value (Matrix ());
  if (x.isnull ())
    {
      octave_value y = gathered ();
      y.assign (octave_value::op_asn_eq, kind, index, x);
      return put (y, place_like (self));
    }
  /* Octave has copied the value, not its array, if another variable has it.  */
  const bool alone = m_array && array ().use_count () == 1;
  return assigned (self, alone, index.front (), x.get_rep ());
}

/* ++ and --, which keep arrays of one element.  */
void
gpu_value::step (gpueig_binary op, const char *caller)
{
  gpueig_operand x, one = gpueig_operand ();
  get_operand (*this, &x);
  one.type = GPUEIG_DOUBLE;
  one.re = 1;
  m_array = made (caller, direct->array_binary, op, x, one);
}

} /* namespace */

using namespace gpueig;

/* An array whose elements are not set, which Octave's own constructors do by one thread; a
   complex one is not narrowed, since its first number is the imaginary unit.  */
template <typename A, typename T>
static octave_value
new_array (const Array<octave_idx_type> &sizes, T first)
{
  dim_vector dims;
  dims.resize (static_cast<int> (sizes.numel ()));
  for (octave_idx_type i = 0; i < sizes.numel (); i++)
    dims (static_cast<int> (i)) = sizes (i);
#ifdef OCTAVE_HAVE_STD_PMR_POLYMORPHIC_ALLOCATOR
  return octave_value (A (dims, first));
#else
  const size_t count = static_cast<size_t> (dims.safe_numel ());
  T *const x = std::allocator<T> ().allocate (count);
  if (count > 0)
    x[0] = first;
  return octave_value (A (Array<T> (x, dims)));
#endif
}

/* X = __array__ (DIMS, CLASS): for a result of the gateway.  */
static octave_value
new_result (const octave_value &sizes, const std::string &type)
{
  const Array<octave_idx_type> dims = sizes.octave_idx_type_vector_value ();
  return type == "double"   ? new_array<NDArray> (dims, 0.0)
         : type == "single" ? new_array<FloatNDArray> (dims, 0.0F)
         : type == "complex double"
             ? new_array<ComplexNDArray> (dims, Complex (0, 1))
             : new_array<FloatComplexNDArray> (dims, FloatComplex (0, 1));
}

/* Put the functions of Octave that only arrays need, such as save, at the end of the path, or take
   them off.  */
static void
switch_folder (octave::interpreter &interp, bool on)
{
  static std::string folder;
  static bool is_in_path;
  const std::string file = interp.get_load_path ().find_fcn_file ("gpu_array");
  if (on && ! file.empty ())
    folder = file.substr (0, file.rfind ('/') + 1) + "private/arrays";
  octave::feval ("warning", ovl ("off", "Octave:shadowed-function", "local"));
  if (on)
    octave::feval ("addpath", ovl (folder, "-end"));
  else if (is_in_path)
    octave::feval ("rmpath", ovl (folder));
  is_in_path = on;
}

DEFMETHOD_DLD (__array__, interp, args, nargout,
               "[OUT] = __array__ (CALLER, OPERATION, ARG1, ...)")
{
  if (args.length () == 1)
    {
      const std::string word = args (0).string_value ();
      const bool on = word == "load", were_replaced = functions_are_replaced ();
      octave::symbol_table &table = interp.get_symbol_table ();
      interp.mlock ();
      if (word != "replaced" && ! on)
        replace_functions (table, word == "replace");
      if (! on && word != "unload")
        return ovl (were_replaced);
      install_names (table, on);
      if (gateway)
        switch_folder (interp, on);
      return octave_value_list ();
    }
  if (args.length () == 2)
    return new_result (args (0), args (1).string_value ());
  if (! gateway)
    {
      gateway = new octave_value (
          interp.get_symbol_table ().find_function ("__gpueig__"));
      const uint64_t address = octave::feval (*gateway, ovl ("direct"), 2) (1)
                                   .uint64_scalar_value ()
                                   .value ();
      direct = reinterpret_cast<const mex_direct *> (
          static_cast<uintptr_t> (address));
      gpu_value::register_type (interp.get_type_info ());
      deferred_value::register_types (interp.get_type_info ());
      kept_value::register_type (interp.get_type_info ());
      class_text::register_type (interp.get_type_info ());
      install_operators (interp.get_type_info ());
      install_kept_operators (interp.get_type_info ());
      gpu_value::install_functions (interp.get_symbol_table ());
      install_names (interp.get_symbol_table (), true);
      switch_folder (interp, true);
      interp.mlock ();
    }
  if (args.length () < 3)
    print_usage ();
  const std::string caller = args (0).string_value ();
  const operation *o = find_operation (args (1).string_value ());
  if (! o)
    print_usage ();
  const octave_value_list r
      = run (*o, caller.c_str (), args.slice (2, args.length () - 2), nargout);
  return r.empty () && nargout > 0 ? ovl (Matrix ()) : r;
}
