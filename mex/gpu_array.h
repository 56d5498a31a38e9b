/* The type of gpu_array and its functions, for Octave's C++ interface.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   gpu_array.cc      values: elements, output; __array__
   gpu_index.cc      parts of values, assignment
   gpu_operators.cc  operators, comparisons, operations of elements
   gpu_operations.cc operations of the library that have a name: the table, shapes
   gpu_reductions.cc    sums, extremes, orders, positions
   gpu_linear.cc        products, norms, linear equations, factors
   gpu_solvers.cc    calls of the gateway's solvers, and of Octave's functions with values in host
                     memory
   gpu_functions.cc  the methods of the class of arrays
   gpu_arguments.cc  places and sizes in arguments; zeros (..., "like", G)
   gpu_names.cc      functions of Octave that are none of the methods: zeros (2, "gpuArray")
   gpu_kept.cc       values with logical or integer elements, sparse values
   gpu_sparse.cc     copies of sparse values on a GPU, their sums and products
   gpu_deferred.cc   positions and truth values that are values of Octave
   gpu_hosted.h      values whose elements are in a value of Octave  */

#ifndef GPU_ARRAY_H
#define GPU_ARRAY_H 1

#include "direct.h"

#include <memory>
#include <octave/oct.h>
#include <octave/ov-base.h>
#include <octave/ov-re-mat.h>
#include <octave/symtab.h>

/* A value's answer to a question of Octave's.  */
#define GPU_ANSWER(type, name, value)                                          \
  type name () const override { return value; }
#define GPU_IS(name, value) GPU_ANSWER (bool, name, value)

/* AS (TYPE, NAME) for the conversions of octave_value whose argument is FORCE.  */
#define GPU_CONVERSIONS(AS)                                                    \
  AS (double, double_value)                                                    \
  AS (float, float_value)                                                      \
  AS (Complex, complex_value)                                                  \
  AS (FloatComplex, float_complex_value)                                       \
  AS (bool, bool_value)                                                        \
  AS (Matrix, matrix_value)                                                    \
  AS (FloatMatrix, float_matrix_value)                                         \
  AS (ComplexMatrix, complex_matrix_value)                                     \
  AS (FloatComplexMatrix, float_complex_matrix_value)                          \
  AS (NDArray, array_value)                                                    \
  AS (FloatNDArray, float_array_value)                                         \
  AS (ComplexNDArray, complex_array_value)                                     \
  AS (FloatComplexNDArray, float_complex_array_value)                          \
  AS (boolMatrix, bool_matrix_value)                                           \
  AS (boolNDArray, bool_array_value)                                           \
  AS (SparseMatrix, sparse_matrix_value)                                       \
  AS (SparseComplexMatrix, sparse_complex_matrix_value)                        \
  AS (octave::idx_vector, index_vector)

namespace gpueig
{

/* The gateway, and its direct calls.  Never destroyed: values of this type may be the last
   that are.  */
extern octave_value *gateway;
extern const mex_direct *direct;

/* An array of the gateway.  */
struct gpu_data
{
  int64_t number;
  gpueig_array_info info;

  explicit gpu_data (int64_t n);
  gpu_data (const gpu_data &) = delete;
  gpu_data &operator= (const gpu_data &) = delete;
  ~gpu_data ()
  {
    if (*direct->context)
      direct->array_free (*direct->context, number);
  }
};

typedef std::shared_ptr<gpu_data> shared_data;

/* Nonzero while arguments are passed: a MEX file gets the data of real values only.  */
extern int passing;

/* Make the class of arrays, with the methods of inst/__gpu_array__.m and the functions of
   gpu_functions.cc.  */
void load_class ();

/* An error for indices of a KIND that does not begin with or, ALONE, is not "(".  */
void need_parentheses (const std::string &kind, bool alone = false);

/* Print an array inside of other values.  */
std::string described (const octave_base_value &x);

/* Properties that all values of the class of arrays have for Octave.  */
template <typename T> class object_value : public T
{
public:
  GPU_IS (isobject, true)
  /* Octave asks before it looks for a method, which it does in loaded classes only.  */
  builtin_type_t
  builtin_type () const override
  {
    load_class ();
    return btyp_unknown;
  }
  octave_value_list
  subsref (const std::string &kind, const std::list<octave_value_list> &index,
           int n_out) override
  {
    need_parentheses (kind);
    octave_value r = this->do_index_op (index.front ());
    return index.size () == 1 ? ovl (r) : r.next_subsref (n_out, kind, index);
  }
  octave_value
  subsref (const std::string &kind,
           const std::list<octave_value_list> &index) override
  {
    return subsref (kind, index, 1) (0);
  }
  octave_value
  undef_subsasgn (const std::string &kind,
                  const std::list<octave_value_list> &index,
                  const octave_value &x) override
  {
    return this->subsasgn (kind, index, x);
  }
  void
  print_raw (std::ostream &os, bool = false) const override
  {
    os << described (*this);
  }
  void
  print (std::ostream &os, bool = false) override
  {
    print_raw (os);
    this->newline (os);
  }
};

template <typename E, typename A>
A
allocator_of (const Array<E, A> &)
{
  return A ();
}

class gpu_value : public object_value<octave_base_value>
{
public:
  gpu_value () = default;
  explicit gpu_value (int64_t number)
      : m_array (std::make_shared<gpu_data> (number))
  {
  }
  explicit gpu_value (const shared_data &array) : m_array (array) {}
  /* FACTOR * ARRAY, of real numbers of double precision, computed when it is asked for: a sum
     with it is one operation.  */
  gpu_value (const shared_data &array, double factor)
      : m_array (array), m_is_scaled (true), m_factor (factor)
  {
  }

  GPU_ANSWER (octave_base_value *, clone, new gpu_value (*this))
  GPU_ANSWER (octave_base_value *, empty_clone, new gpu_value)

  GPU_IS (is_defined, true)
  GPU_IS (isnumeric, true)
  GPU_IS (isfloat, true)
  GPU_IS (is_matrix_type, true)
  GPU_IS (isreal, passing || ! iscomplex ())
  bool iscomplex () const override;
  GPU_IS (is_real_matrix, ! iscomplex ())
  GPU_IS (is_complex_matrix, iscomplex ())
  GPU_IS (is_true, gathered ().is_true ())

  dim_vector dims () const override;
  std::size_t byte_size () const override;
  int64_t
  number () const
  {
    return array ()->number;
  }
  const shared_data &
  array () const
  {
    if (m_is_scaled)
      scale ();
    return m_array;
  }
  /* The array of which this value is a multiple, and the factor.  */
  bool
  is_scaled () const
  {
    return m_is_scaled;
  }
  const gpu_data &
  unscaled () const
  {
    return *m_array;
  }
  double
  factor () const
  {
    return m_factor;
  }
  /* Nonzero for more than one real number of double precision.  */
  bool
  is_real_double () const
  {
    return m_array && ! m_array->info.open
           && m_array->info.shape.type == GPUEIG_DOUBLE
           && m_array->info.shape.count > 1;
  }
  GPU_IS (is_single_type, is_single ())
  GPU_IS (is_double_type, ! is_single ())
  bool
  is_single () const
  {
    return m_array && ! gpueig_is_double (m_array->info.shape.type);
  }
  octave_value gathered () const;
  octave_value place (const octave_value &x) const;
  void step (gpueig_binary op, const char *caller);
  octave_value reshape (const dim_vector &dims) const override;
  octave_value resize (const dim_vector &dims, bool fill) const override;
  bool fast_elem_insert (octave_idx_type n, const octave_value &x) override;
  octave_value map (unary_mapper_t function) const override;
  octave_value
  convert_to_str_internal (bool pad, bool force, char type) const override
  {
    return gathered ().convert_to_str_internal (pad, force, type);
  }

  octave_value
  self () const
  {
    return octave_value (const_cast<gpu_value *> (this), true);
  }

  octave_value do_index_op (const octave_value_list &index,
                            bool resize_ok = false) override;
  octave_value subsasgn (const std::string &type,
                         const std::list<octave_value_list> &index,
                         const octave_value &x) override;

  GPU_ANSWER (const void *, mex_get_data, &array ()->number)

  type_conv_info
  numeric_conversion_function () const override
  {
    return type_conv_info (
        [] (const octave_base_value &x) {
          const octave_value v = static_cast<const gpu_value &> (x).gathered ();
          return v.get_rep ().clone ();
        },
        octave_matrix::static_type_id ());
  }

  /* For functions that have no method.  */
#define AS(type, name)                                                         \
  type name (bool force = false) const override                                \
  {                                                                            \
    return gathered ().name (force);                                           \
  }
  GPU_CONVERSIONS (AS)
#undef AS

  static void install_functions (octave::symbol_table &table);

private:
  struct element_function
  {
    unary_mapper_t function;
    gpueig_unary op;
  };
  static const element_function s_functions[];

  void scale () const;

  mutable shared_data m_array; /* none: what assignment creates */
  mutable bool m_is_scaled = false;
  double m_factor = 1;

  DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
};

/* --- calls of the library; their errors name CALLER --- */

/* Raise an error unless STATUS is GPUEIG_OK; ID: its identifier, if it is not that of STATUS.  */
void check (const char *caller, gpueig_status status, const char *id = nullptr);

/* The array that F (context, ARGS..., &R) makes; NULL if it makes none.  */
template <typename... P, typename... T>
shared_data
made (const char *caller, gpueig_status (*f) (gpueig_context *, P...),
      T... args)
{
  int64_t r = 0;
  check (caller, f (*direct->context, args..., &r));
  return r ? std::make_shared<gpu_data> (r) : nullptr;
}

/* R, or its only element; undefined for NULL.  */
octave_value result_of (const shared_data &r);

inline octave_value
array_value_of (const shared_data &r)
{
  return octave_value (new gpu_value (r));
}

/* Raise an error unless X is of numbers.  */
void check_class (const char *caller, const octave_value &x);

/* X, of Octave, in a new array in the place of LIKE; X itself if it is in one.  */
shared_data uploaded (const char *caller, const octave_base_value &x,
                      const gpu_data &like);

/* X in the place of LIKE; sparse matrices, and logical and integer ones, as they are.  */
octave_value put (const octave_value &x, const shared_data &like);

/* X as an array; NULL for other values.  */
const gpu_value *as_array (const octave_base_value &x);

/* The array of X, a gpu_array or a value whose elements are in one; none for others.  */
shared_data data_of (const octave_base_value &x);

/* X as a value; in host memory.  */
octave_value value_of (const octave_base_value &x);
octave_value host_value_of (const octave_base_value &x);

dim_vector dims_of (const gpueig_shape &s);

/* op (A) * op (B), the letters as in pagemtimes, without a transpose of its own; one of the two is
   in an array.  */
octave_value product (char of_a, char of_b, const octave_base_value &a,
                      const octave_base_value &b);

/* *O: X if it is in an array, or a number.  */
bool get_operand (const octave_base_value &x, gpueig_operand *o);

/* *O: X, in the array KEPT in the place of LIKE where it is neither.  */
void make_operand (const char *caller, const octave_base_value &x,
                   const octave_base_value &like, gpueig_operand *o,
                   shared_data *kept);

/* OP of elements; undefined if there is none of their types.  */
octave_value elementwise (gpueig_binary op, const char *caller,
                          const octave_base_value &a,
                          const octave_base_value &b);

/* A \ B, A / B and A^N, of arrays or for N > 0.  */
octave_value left_quotient (const octave_base_value &a,
                            const octave_base_value &b);
octave_value right_quotient (const octave_base_value &a,
                             const octave_base_value &b);
octave_value whole_power (const gpu_value &a, double n);

/* X (INDEX), and X after X (INDEX) = VALUE, which changes the array of X itself if nobody else has
   it, ALONE.  */
octave_value indexed (const gpu_value &x, const octave_value_list &index);
octave_value assigned (const octave_value &x, bool alone,
                       const octave_value_list &index,
                       const octave_base_value &value);

/* OP of elements; undefined if there is none of their type.  */
octave_value mapped (gpueig_unary op, const char *caller, const gpu_value &a);

/* Comparison OP; A or B is in an array.  */
octave_value compared (gpueig_comparison op, const char *caller,
                       const octave_base_value &a, const octave_base_value &b);

/* *X: of DIMS, its elements not set: Octave itself would clear them, which touches every page
   of new memory.  */
template <typename T>
void
make_unset (const dim_vector &dims, T *x)
{
  typedef typename T::element_type element;
  const std::size_t n = dims.numel ();
  check ("gather", direct->need_room (n, sizeof (element)));
  auto memory = allocator_of (*x);
  *x = T (Array<element> (memory.allocate (n), dims, memory));
}

void install_operators (octave::type_info &info);

} /* namespace */

#endif
