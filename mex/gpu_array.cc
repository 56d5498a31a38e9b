/* gpu_array as a type of Octave's values.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [OUT] = __array__ (CALLER, OPERATION, ARG1, ...)

   runs an operation of the command "array" of the gateway; its new arrays become values of
   this type, its errors and warnings name CALLER.  Operators, indices and the functions of
   elements are served here; of other functions Octave finds the methods of the class of the
   type's name, which has no objects.  A value shares its array with its copies.

   __array__ ("load"), __array__ ("unload")

   put the functions of gpu_names.cc in place of Octave's, and Octave's back.

   X = __array__ (DIMS, CLASS)

   is an array for a result of the gateway, which sets its elements by all threads.  */

#include "gpu_arguments.h"
#include "gpu_deferred.h"
#include "gpu_kept.h"
#include "gpu_names.h"

#include <cmath>
#include <dlfcn.h>
#include <list>
#include <memory>
#include <octave/interpreter.h>
#include <octave/ov-fcn.h>
#include <octave/parse.h>
#include <sys/mman.h>

namespace gpueig
{

octave_value *gateway;
const mex_direct *direct;
int passing;

namespace
{
struct guard
{
  guard () { passing++; }
  ~guard () { passing--; }
};
}

/* The first name is in the messages of functions that take no array.  */
DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA (gpu_value, "gpu_array; use gather",
                                     MEX_ARRAY_CLASS);

/* --- calls of the gateway --- */

/* Raise the errors and warnings of the last call.  */
void
raise (const std::string &caller)
{
  const octave_map failures
      = octave::feval (*gateway, ovl ("failures"), 2) (1).map_value ();
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

octave_value_list
run (const std::string &caller, const octave_value &operation,
     const octave_value_list &args, int n_out)
{
  static const octave_value &command = *new octave_value ("array");
  octave_value_list all (args.length () + 3);
  all (0) = command;
  all (1) = n_out;
  all (2) = operation;
  const octave_value_list hosts = hosts_of (args);
  for (octave_idx_type i = 0; i < args.length (); i++)
    all (3 + i) = hosts (i).is_magic_colon () ? octave_value (":") : hosts (i);
  octave_value_list r;
  {
    const guard g;
    r = octave::feval (*gateway, all, n_out + 1);
  }
  const bool failed = ! r (0).isempty ();
  r = r.slice (1, r.length () - 1);
  /* The values own the arrays before warnings are raised, which can become errors.  */
  for (octave_idx_type i = 0; i < r.length (); i++)
    if (r (i).is_int64_type ())
      r (i) = octave_value (
          new gpu_value (static_cast<int64_t> (r (i).int64_scalar_value ())));
  if (failed)
    raise (caller);
  return r;
}

octave_value
run_one (const char *caller, const char *operation,
         const octave_value_list &args)
{
  return run (caller, operation, args, 1) (0);
}

const gpu_value *
as_array (const octave_base_value &x)
{
  return dynamic_cast<const gpu_value *> (&x);
}

std::shared_ptr<gpu_data>
data_of (const octave_base_value &x)
{
  const auto *d = dynamic_cast<const deferred_value *> (&x);
  const gpu_value *a = as_array (x);
  return d ? d->array () : a ? a->array () : nullptr;
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

/* Octave asks before it looks for a method, which it does in loaded classes only.  */
builtin_type_t
gpu_value::builtin_type () const
{
  load_class ();
  return btyp_unknown;
}

gpu_data::gpu_data (int64_t n) : number (n), info ()
{
  direct->peek (n, &info);
}

/* Not before it is asked for: that waits for the operation.  */
bool
gpu_value::iscomplex () const
{
  if (m_array && m_array->info.open
      && ! direct->describe (number (), &m_array->info))
    run_one ("gpu_array", "type", self ());
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

/* The elements of ARRAY in a new T; undefined if that fails.  */
template <typename T>
static octave_value
downloaded (int64_t array, const dim_vector &dims)
{
  T x;
  return make_unset (dims, &x) && direct->download (array, x.fortran_vec ())
             ? octave_value (x)
             : octave_value ();
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
  if (x.is_undefined ())
    raise ("gather");
  x.maybe_mutate (); /* complex numbers without imaginary parts */
  return x;
}

/* X, computed by Octave, where this array is.  */
octave_value
gpu_value::place (const octave_value &x) const
{
  if (! x.isfloat () || x.numel () == 1 || x.issparse ())
    return x;
  return run_one ("gpu_array", "put", ovl (x, self ()));
}

octave_value
gpu_value::reshape (const dim_vector &d) const
{
  Matrix n (1, d.ndims ());
  for (int i = 0; i < d.ndims (); i++)
    n (i) = static_cast<double> (d (i));
  return run_one ("reshape", "reshape", ovl (self (), n));
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

/* *I: ":", a position or a range, inside of SIZE elements.  */
static bool
get_index (const octave_value &x, int64_t size, gpueig_index *i)
{
  double first = 1, step = 1, n = static_cast<double> (size);
  if (x.is_range ())
    {
      const auto range = x.range_value ();
      first = range.base ();
      step = range.increment ();
      n = static_cast<double> (range.numel ());
    }
  else if (! x.is_magic_colon ())
    {
      if (! x.is_double_type () || ! x.is_real_scalar ())
        return false;
      first = x.double_value ();
      n = 1;
    }
  const double last = first + (n - 1) * step, most = static_cast<double> (size);
  if (! (n > 0 && first >= 1 && first <= most && last >= 1 && last <= most)
      || first != std::floor (first) || step != std::floor (step))
    return false;
  *i = gpueig_index ();
  i->start = static_cast<int64_t> (first) - 1;
  i->step = static_cast<int64_t> (step);
  i->count = static_cast<int64_t> (n);
  return true;
}

/* Such an index for each dimension of S.  */
static bool
get_indices (const octave_value_list &x, const gpueig_shape &s,
             gpueig_index index[GPUEIG_ARRAY_DIMS])
{
  bool is = x.length () == s.n_dims;
  for (int d = 0; is && d < s.n_dims; d++)
    is = get_index (x (d), s.dims[d], &index[d]);
  return is;
}

octave_value
gpu_value::do_index_op (const octave_value_list &index, bool)
{
  gpueig_index i[GPUEIG_ARRAY_DIMS];
  int64_t r;
  if (m_array && get_indices (index, m_array->info.shape, i)
      && direct->index (number (), static_cast<int> (index.length ()), i, &r))
    return result_of (r);
  octave_value_list args (self ());
  if (index.empty ())
    return args (0);
  args.append (index);
  const auto *at
      = index.length () == 1
            ? dynamic_cast<const deferred_value *> (&index (0).get_rep ())
            : nullptr;
  if (at && ! at->is_mask ())
    args (1) = octave_value (new gpu_value (at->array ()));
  return run_one ("index", "index", args);
}

octave_value_list
gpu_value::subsref (const std::string &kind,
                    const std::list<octave_value_list> &index, int n_out)
{
  need_parentheses (kind);
  octave_value r = do_index_op (index.front ());
  return index.size () == 1 ? ovl (r) : r.next_subsref (n_out, kind, index);
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
      return run_one ("=", "put", ovl (y, self));
    }
  /* Octave has copied the value, not its array, if another variable has it.  */
  const bool alone = m_array && array ().use_count () == 1;
  gpueig_index i[GPUEIG_ARRAY_DIMS];
  gpueig_operand value;
  int64_t number;
  if (m_array && get_indices (index.front (), m_array->info.shape, i)
      && get_operand (x.get_rep (), &value)
      && direct->assign (m_array->number, alone, m_array->info.shape.n_dims, i,
                         &value, &number))
    return number == m_array->number ? self
                                     : octave_value (new gpu_value (number));
  octave_value_list args = ovl (self, x);
  const octave_value r
      = run_one ("=", alone ? "set" : "assign", args.append (index.front ()));
  return as_array (r.get_rep ()) ? r : self;
}

/* ++ and --, which keep arrays of one element.  */
void
gpu_value::step (gpueig_binary op, const char *caller)
{
  gpueig_operand x, one = gpueig_operand ();
  int64_t r;
  get_operand (*this, &x);
  one.type = GPUEIG_DOUBLE;
  one.re = 1;
  if (! direct->binary (op, &x, &one, &r))
    raise (caller);
  m_array = std::make_shared<gpu_data> (r);
}

/* --- output --- */

void
gpu_value::print_raw (std::ostream &os, bool) const
{
  os << described (*this);
}

void
gpu_value::print (std::ostream &os, bool)
{
  print_raw (os);
  newline (os);
}

} /* namespace */

using namespace gpueig;

/* An array whose elements are not set, which Octave's own constructors do by one thread and
   by small pages of memory; a complex one is not narrowed, since its first number is the
   imaginary unit.  */
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
  const uintptr_t huge = 1 << 21,
                  from = (reinterpret_cast<uintptr_t> (x) + huge - 1) / huge,
                  to = reinterpret_cast<uintptr_t> (x + count) / huge;
  if (to > from)
    madvise (reinterpret_cast<void *> (from * huge), (to - from) * huge,
             MADV_HUGEPAGE);
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

/* new (X, options): what is on a GPU stays there; sparse matrices, and logical and integer ones, are
   kept as they are, a sparse one with its copy on the GPU.  */
static octave_value
new_array_of (const std::string &caller, octave_value_list args)
{
  const octave_base_value &given = args (0).get_rep ();
  const auto *positions = dynamic_cast<const deferred_value *> (&given);
  if (args.length () == 1 && positions && ! positions->is_mask ()
      && positions->array ()->info.on_gpu)
    return octave_value (new gpu_value (positions->array ()));
  const octave_value x = host_value_of (given);
  const bool is_kept = x.isinteger () || x.islogical () || x.issparse ();
  args (0) = is_kept ? octave_value (Matrix ()) : x;
  const octave_value r = run (caller, "new", args, 1) (0);
  if (! is_kept)
    return r;
  const octave_value kept = placed (x, data_of (r.get_rep ()), true, true);
  const auto &k = static_cast<const kept_value &> (kept.get_rep ());
  if (k.is_on_gpu ())
    k.copies (0);
  return kept;
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
      const bool on = args (0).string_value () == "load";
      install_names (interp.get_symbol_table (), on);
      if (gateway)
        switch_folder (interp, on);
      interp.mlock ();
      return octave_value_list ();
    }
  if (args.length () == 2)
    return new_result (args (0), args (1).string_value ());
  if (! gateway)
    {
      gateway = new octave_value (
          interp.get_symbol_table ().find_function ("__gpueig__"));
      octave::feval (*gateway, ovl ("failures"), 2);
      void *file
          = dlopen (gateway->function_value ()->fcn_file_name ().c_str (),
                    RTLD_NOLOAD | RTLD_LAZY);
      direct = static_cast<const mex_direct *> (
          file ? dlsym (file, "mex_direct_calls") : nullptr);
      if (! direct)
        error ("__array__: no gateway");
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
  const octave_value_list arguments = args.slice (2, args.length () - 2);
  const std::string caller = args (0).string_value (),
                    operation = args (1).string_value ();
  const octave_value x = arguments (0);
  const kept_value *d = first_kept (arguments.slice (0, 1));
  if (operation == "new")
    return ovl (new_array_of (caller, arguments));
  if (d && operation == "type")
    return ovl (d->host ().class_name (), d->iscomplex (),
                d->is_on_gpu () ? d->anchor ()->info.device : -1);
  if (d && operation == "wait")
    return run (caller, operation,
                ovl (octave_value (new gpu_value (d->anchor ()))), 1);
  /* A result of Octave's function may be an array, such as cast (1, class (G)).  */
  if (operation == "put" && as_array (x.get_rep ()))
    return ovl (x);
  if (operation == "put" && (x.isinteger () || x.islogical () || x.issparse ()))
    return ovl (placed (x, place_like (arguments (1)), true, true));
  if (operation == "put")
    return run (
        caller, operation,
        ovl (x, octave_value (new gpu_value (place_like (arguments (1))))), 1);
  return run (caller, operation, arguments, std::max (nargout, 1));
}
