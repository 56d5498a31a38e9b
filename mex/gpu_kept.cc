/* gpu_array with logical or integer elements, or a sparse one: see gpu_kept.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_kept.h"

#include <list>
#include <octave/ov-typeinfo.h>
#include <type_traits>

namespace gpueig
{

DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA (kept_value, "kept gpu_array",
                                     MEX_ARRAY_CLASS);

static const kept_value *
as_kept (const octave_base_value &x)
{
  return dynamic_cast<const kept_value *> (&x);
}

/* X, of a kept value that of Octave.  */
static octave_value
host_of (const octave_base_value &x)
{
  const kept_value *d = as_kept (x);
  return d ? d->host () : value_of (x);
}

const kept_value *
first_kept (const octave_value_list &args)
{
  for (octave_idx_type i = 0; i < args.length (); i++)
    if (const kept_value *d = as_kept (args (i).get_rep ()))
      return d;
  return nullptr;
}

octave_value_list
hosts_of (const octave_value_list &args)
{
  octave_value_list r (args);
  for (octave_idx_type i = 0; i < args.length (); i++)
    r (i) = host_of (args (i).get_rep ());
  return r;
}

shared_data
anchor_like (const gpu_data &like)
{
  static const int64_t none[2] = { 0, 0 };
  const int64_t *const dims = none;
  return made ("gpu_array", direct->array_like, like.number, GPUEIG_DOUBLE, 2,
               dims);
}

octave_value
placed (const octave_value &x, const shared_data &like, bool truth, bool keeps)
{
  if ((x.numel () == 1 && ! keeps) || x.isobject ())
    return x;
  if (x.isfloat () && ! x.issparse ())
    return array_value_of (uploaded ("gpu_array", x.get_rep (), *like));
  if (! x.isinteger () && ! x.isfloat () && ! (truth && x.islogical ()))
    return x;
  const bool is_anchor = like->info.shape.count == 0;
  return octave_value (
      new kept_value (x, is_anchor ? like : anchor_like (*like)));
}

/* --- parts --- */

octave_value
kept_value::do_index_op (const octave_value_list &index, bool resize_ok)
{
  return placed (host ().index_op (hosts_of (index), resize_ok), m_anchor, true,
                 false);
}

/* Octave has copied the value, not its elements, if another variable has it.  */
octave_value
kept_value::subsasgn (const std::string &kind,
                      const std::list<octave_value_list> &index,
                      const octave_value &x)
{
  need_parentheses (kind, true);
  octave_value y, value = host_value_of (x.get_rep ());
  const std::list<octave_value_list> of_hosts (1, hosts_of (index.front ()));
  host (); /* of a transpose, now */
  std::swap (y, m_host);
  try
    {
      y.assign (octave_value::op_asn_eq, kind, of_hosts, value);
    }
  catch (...)
    {
      std::swap (y, m_host);
      throw;
    }
  std::swap (y, m_host);
  forget_copies ();
  return value_of (*this);
}

/* Truth values are numbers where a number is wanted, as those of Octave.  */
octave_base_value::type_conv_info
kept_value::numeric_conversion_function () const
{
  return type_conv_info (
      [] (const octave_base_value &x) {
        const octave_value host = static_cast<const kept_value &> (x).host ();
        return (host.islogical () ? octave_value (host.array_value ()) : host)
            .get_rep ()
            .clone ();
      },
      islogical () ? octave_value (NDArray (dim_vector (1, 2))).type_id ()
                   : host ().type_id ());
}

/* --- copies of sparse matrices --- */

octave_value
kept_value::stored () const
{
  if (is_there_alone ())
    m_host = downloaded (*m_copies, m_anchor);
  return m_host.is_defined () ? m_host : octave_value (Matrix ());
}

octave_value
kept_value::kind () const
{
  if (! is_there_alone ())
    return stored ();
  const SparseComplexMatrix c (1, 1, Complex (0, 1));
  return is_complex (*m_copies) ? octave_value (c)
                                : octave_value (SparseMatrix (1, 1));
}

void
kept_value::forget_copies () const
{
  const bool has = m_anchor && m_anchor->info.on_gpu && issparse ()
                   && stored ().numel () != 1;
  m_copies = has ? std::make_shared<sparse_copies> () : nullptr;
}

const sparse_copies *
kept_value::copies (int which) const
{
  const bool has = m_copies && need_copy (*m_copies, which, m_host, m_anchor);
  return has ? m_copies.get () : nullptr;
}

octave_value
kept_value::turned (bool conjugates) const
{
  if (! m_copies)
    return octave_value ();
  kept_value *r = new kept_value (*this);
  r->m_is_turned = ! m_is_turned;
  r->m_is_conjugate = m_is_conjugate != (conjugates && iscomplex ());
  return octave_value (r);
}

/* Make M_HOST the value.  */
void
kept_value::turn () const
{
  const octave_value x
      = stored (),
      r = ! m_is_turned
              ? x.get_rep ().map (octave_base_value::umap_conj)
              : octave::unary_op (m_is_conjugate ? octave_value::op_hermitian
                                                 : octave_value::op_transpose,
                                  x);
  m_host = r;
  m_is_turned = m_is_conjugate = false;
  forget_copies ();
}

/* A product can have fewer elements, which underflow, and real ones.  */
template <typename F>
octave_value
kept_value::with_copies (const octave_value &r, F make) const
{
  const kept_value *k = as_kept (r.get_rep ());
  if (k && ! m_is_turned && m_copies && k->m_copies && k->nnz () == nnz ()
      && k->iscomplex () == iscomplex ())
    k->m_copies = make (*m_copies);
  return r;
}

/* R = OP (A, B) with copies, if one is a sparse matrix and the other a real number.  */
static octave_value
scaled (octave_value::binary_op op, const octave_value &r,
        const octave_base_value &a, const octave_base_value &b)
{
  const kept_value *s = as_kept (a);
  const octave_base_value &x = s ? b : a;
  const bool divides
      = op == octave_value::op_div || op == octave_value::op_el_div;
  if ((! divides && op != octave_value::op_mul && op != octave_value::op_el_mul)
      || ! (s || (s = as_kept (b))) || (divides && s != &a)
      || ! x.is_real_scalar () || ! x.is_double_type ())
    return r;
  return s->with_copies (r, [&] (const sparse_copies &copies) {
    return copies_of_two (divides ? GPUEIG_DIVIDE : GPUEIG_TIMES, copies, x);
  });
}

/* --- operators --- */

/* The arrays of A, or of B if A has none.  */
static shared_data
place_of (const octave_base_value &a, const octave_base_value &b)
{
  for (const octave_base_value *x : { &a, &b })
    {
      const kept_value *d = as_kept (*x);
      const shared_data there = d ? d->anchor () : data_of (*x);
      if (there)
        return there;
    }
  return nullptr;
}

/* Integers and sparse matrices are of Octave's arithmetic alone; truth values and an array of
   floating-point numbers of that of arrays.  */
template <octave_value::binary_op op>
static octave_value
of_two (const octave_base_value &a, const octave_base_value &b)
{
  octave_value r = sparse_result (op, a, b);
  if (r.is_undefined () && op == octave_value::op_mul)
    r = sparse_product ('N', 'N', a, b);
  if (r.is_defined ())
    return r;
  octave_value x = host_of (a), y = host_of (b);
  if (x.isinteger () || y.isinteger () || x.issparse () || y.issparse ())
    {
      x = host_value_of (x.get_rep ());
      y = host_value_of (y.get_rep ());
    }
  r = placed (octave::binary_op (op, x, y), place_of (a, b), false, false);
  return scaled (op, r, a, b);
}

template <octave_value::unary_op op>
static octave_value
of_one (const octave_base_value &a)
{
  const auto &x = static_cast<const kept_value &> (a);
  const bool conjugates = op == octave_value::op_hermitian;
  octave_value r;
  if (op == octave_value::op_transpose || conjugates)
    r = x.turned (conjugates);
  if (r.is_defined ())
    return r;
  r = placed (octave::unary_op (op, x.host ()), x.anchor (),
              op != octave_value::op_not, false);
  if (op != octave_value::op_uminus)
    return r;
  return x.with_copies (r, [] (const sparse_copies &copies) {
    return copies_of_one (GPUEIG_NEGATE, copies);
  });
}

/* op (A) op (B), the letters as in pagemtimes.  */
template <char of_a, char of_b>
static octave_value
product_of (const octave_base_value &a, const octave_base_value &b)
{
  return product (of_a, of_b, a, b);
}

bool
has_kept_operators (const octave::type_info &info, int type)
{
  const std::string name = info.installed_type_names () (type);
  return type == kept_value::static_type_id () || name.find ("int") == 0
         || name.find ("uint") == 0 || name.find ("sparse") == 0;
}

void
install_kept_operators (octave::type_info &info)
{
  const int own = kept_value::static_type_id (),
            arrays = gpu_value::static_type_id (),
            types = static_cast<int> (info.installed_type_names ().numel ());
  /* Compound ones of arrays are those of gpu_operators.cc.  */
  const auto binary = [&] (auto op, octave::type_info::binary_op_fcn f) {
    const bool is_simple
        = std::is_same<decltype (op), octave_value::binary_op>::value;
    for (int t = 0; t < types; t++)
      {
        if (! is_simple && t == arrays)
          continue;
        info.install_binary_op (op, own, t, f);
        if (t != own)
          info.install_binary_op (op, t, own, f);
        if (is_simple && t != own && has_kept_operators (info, t))
          {
            info.install_binary_op (op, arrays, t, f);
            info.install_binary_op (op, t, arrays, f);
          }
      }
  };
#define BINARY(op) binary (octave_value::op, of_two<octave_value::op>)
#define UNARY(op)                                                              \
  info.install_unary_op (octave_value::op, own, of_one<octave_value::op>)
  BINARY (op_add);
  BINARY (op_sub);
  BINARY (op_mul);
  BINARY (op_div);
  BINARY (op_pow);
  BINARY (op_ldiv);
  BINARY (op_lt);
  BINARY (op_le);
  BINARY (op_eq);
  BINARY (op_ge);
  BINARY (op_gt);
  BINARY (op_ne);
  BINARY (op_el_mul);
  BINARY (op_el_div);
  BINARY (op_el_pow);
  BINARY (op_el_ldiv);
  BINARY (op_el_and);
  BINARY (op_el_or);
  binary (octave_value::op_trans_mul, product_of<'T', 'N'>);
  binary (octave_value::op_herm_mul, product_of<'C', 'N'>);
  binary (octave_value::op_mul_trans, product_of<'N', 'T'>);
  binary (octave_value::op_mul_herm, product_of<'N', 'C'>);
  UNARY (op_not);
  UNARY (op_uplus);
  UNARY (op_uminus);
  UNARY (op_transpose);
  UNARY (op_hermitian);
#undef BINARY
#undef UNARY
}

/* The number of no array: a MEX file gets Octave's values alone.  */
const void *
kept_value::mex_get_data () const
{
  static const int64_t none = 0;
  return &none;
}

} /* namespace */
