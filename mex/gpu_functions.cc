/* The functions of gpu_array that have no m-file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_arguments.h"
#include "gpu_deferred.h"
#include "gpu_names.h"

#include <cmath>
#include <octave/cdef-manager.h>
#include <octave/interpreter.h>
#include <octave/oct-string.h>
#include <octave/ov-builtin.h>
#include <octave/parse.h>
#include <sstream>

namespace gpueig
{

namespace
{

enum kind
{
  DIRECT,  /* the gateway's operation of the same name */
  REDUCED, /* that, of the array and at most a dimension; or by Octave */
  TESTED,  /* the same, of truth values: any, all */
  EXTREME, /* max, min */
  AVERAGE,
  SPREAD, /* var, std */
  DIFF,
  NORM,
  SORT,
  FIND,
  TRACE,
  RESHAPE, /* and repmat */
  EQUAL,
  JOIN, /* horzcat, vertcat */
  GATHER,
  POWER,
  CLASS,
  LIKE,      /* zeros (..., "like", G) */
  PAIRED,    /* that, of one or two arguments; or by Octave */
  SOLVED,    /* the function gpu_NAME, see __solve_arrays__.m */
  HOSTED,    /* by Octave, see __on_host__.m */
  CONVERTED, /* to an integer class, or to truth values */
  M_CODE,    /* the method of __gpu_array__.m */
  ITERATED   /* that, of sparse arrays, too */
};

/* ARRAYS: how many of the results are arrays; QUIET: Octave prints no result.  Methods of
   __gpu_array__.m that are not here take arrays of all classes.  */
const struct
{
  kind is;
  int arrays;
  bool quiet;
  const char *names;
} functions[] = {
  { DIRECT, 1, false,
    "double single pagetranspose pagectranspose dot kron permute tril "
    "triu cat" },
  { EXTREME, 1, false, "max min" },
  { SPREAD, 1, false, "var std" },
  { DIFF, 1, false, "diff" },
  { NORM, 1, false, "norm" },
  { SORT, 1, false, "sort" },
  { FIND, 0, false, "find" },
  { TRACE, 1, false, "trace" },
  { RESHAPE, 1, false, "reshape repmat" },
  { EQUAL, 0, false, "isequal" },
  { JOIN, 1, false, "horzcat vertcat" },
  { GATHER, 0, false, "gather" },
  { POWER, 1000, false, "mpower" },
  { CLASS, 0, false, "class" },
  { LIKE, 0, false,
    "zeros ones eye rand randn rande Inf inf NaN nan true false" },
  { LIKE, 1000, false,
    "cast eps flintmax intmax intmin randi randperm realmax realmin" },
  { REDUCED, 1, false, "sum sumsq prod median cumsum cumprod cummax cummin" },
  { AVERAGE, 1, false, "mean" },
  { TESTED, 0, false, "any all" },
  { PAIRED, 1, false, "atan2 hypot mod rem det" },
  { CONVERTED, 1, false,
    "logical int8 int16 int32 int64 uint8 uint16 uint32 uint64" },
  { M_CODE, 1000, false,
    "chol cond diag fft fft2 ifft ifft2 inv ipermute ishermitian issymmetric "
    "log2 lu nnz null orth pageinv pagemldivide pagemrdivide pagemtimes "
    "pagenorm pinv qr rank squeeze" },
  { ITERATED, 1000, false, "bicg bicgstab cgs gmres pcg pcr qmr tfqmr" },
  { SOLVED, 1000, false,
    "eig schur svd ordschur sqrtm logm expm gpu_eig gpu_jacobi_eig "
    "gpu_onesided_eig gpu_complex_eig gpu_mrrr gpu_tdinv gpu_schur "
    "gpu_ordschur gpu_sqrtm gpu_logm gpu_expm gpu_svd gpu_polar "
    "gpu_pinv gpu_mpower" },
  { HOSTED, 1000, false,
    "accumarray accumdim acosh acot acoth acsc acsch airy asec asech asinh "
    "atanh balance besselh besseli besselj besselk bessely beta betainc "
    "betaln bincoeff bitand bitcmp bitget bitor bitset bitshift "
    "bitxor blkdiag blkmm bounds cart2pol cbrt chol2inv choldelete "
    "cholinsert cholinv cholshift cholupdate cmunique colon compan complex "
    "condest conv conv2 convn corr corrcoef cosint cov cplxpair cross curl "
    "dawson deconv del2 delaunay delaunayn detrend divergence dsearchn ellipj "
    "ellipke erfc erfcinv erfcx erfi erfinv expint factorial fftconv fftfilt "
    "fftn filter filter2 fminbnd fminsearch fminunc fsolve full fzero "
    "gammainc gammaln gcd givens glpk gls gradient gray2ind griddata "
    "gsvd hankel hess hist histc hsv2rgb ichol idivide ifelse ifftn ilu "
    "im2double integral integral2 interp1 interp2 interp3 interpft interpn "
    "inverse iqr kendall krylov kurtosis lcm legendre lgamma linspace "
    "logspace lscov lsode lsqnonneg luupdate mad mape merge meshgrid mgorth "
    "moment movfun movmax movmean movmedian movmin movstd movsum movvar "
    "mpoles nchoosek ndgrid nextpow2 nonzeros normalize normest nthroot ode23 "
    "ode45 ols ordqz pchip periodogram perms planerot pol2cart poly "
    "polyaffine polyder polyeig polyfit polyint polyval polyvalm postpad pow2 "
    "ppval prctile prepad primes psi qp qrdelete qrinsert qrshift "
    "qrupdate quadgk quadv quantile qz randg randp rat rcond reallog realpow "
    "realsqrt repelems rescale residue resize rgb2gray rgb2hsv rgb2ind rmse "
    "roots roundb rref rsf2csf sinc sinint skewness sparse spdiags spearman "
    "spfun spline spones sqp statistics svd_driver svds swapbytes sylvester "
    "toeplitz typecast unwrap vander vec vech vecnorm zscore" },
  /* of the package image, where class (X) decides what is done */
  { HOSTED, 1000, false,
    "bwareaopen bwconncomp bwdist bwlabel bwmorph bwperim deconvwnr edge "
    "edgetaper entropyfilt grayslice graythresh histeq im2bw im2int16 "
    "im2single im2uint16 im2uint8 imabsdiff imadd imadjust imapplymatrix "
    "imbinarize imbothat imcast imclearborder imclose imcomplement imdilate "
    "imdivide imerode imextendedmax imextendedmin imfill imfilter imgaussfilt "
    "imgradient imgradientxy imhist imhmax imhmin imlincomb immse immultiply "
    "imopen impyramid imquantize imreconstruct imremap imresize imrotate "
    "imsharpen imsmooth imsubtract imtophat imtranslate integralImage iradon "
    "lab2rgb mat2gray medfilt2 nlfilter normxcorr2 ordfilt2 ordfiltn padarray "
    "psnr radon rangefilt regionprops rgb2lab rgb2ycbcr ssim stdfilt "
    "stretchlim watershed wiener2 ycbcr2rgb" },
  { HOSTED, 0, false, "getrangefromclass isbw isgray isind isrgb" },
  { HOSTED, 1, false,
    "intersect mode setdiff setxor sortrows union unique uniquetol" },
  { HOSTED, 0, false,
    "isequaln and base64_encode cellslices char datenum dec2base dec2bin "
    "dec2hex getfield hash ind2sub int2str isbanded isdefinite isdiag isindex "
    "ismember isna isprime issorted istril istriu isuniform jsonencode "
    "lookup mat2cell mat2str matrix_type not nth_element num2cell "
    "num2hex num2str nzmax or rats signbit sizeof sprintf sub2ind "
    "triplot validatestring xor" },
  /* printing, drawing, checks */
  { HOSTED, 0, true,
    "annotation area assert axis bar barh caxis colormap contour "
    "contour3 contourc contourf csvwrite dlmwrite error errorbar fdisp "
    "fill fill3 fplot fprintf fputs fwrite image imagesc imshow imwrite "
    "isosurface legend line loglog mesh meshc meshz pareto patch pcolor "
    "pie pie3 plot plot3 plotmatrix plotyy polar print_usage printf "
    "puts quiver quiver3 rectangle scatter scatter3 semilogx semilogy "
    "set slice spy stairs stem stem3 streamline surf surface surfc "
    "surfl text title trimesh trisurf validateattributes warning xlabel "
    "xlim xticks ylabel ylim yticks zlabel zlim" }
};

class method : public octave_builtin
{
public:
  method (const std::string &name, kind is, int arrays, bool quiet,
          const octave::cdef_method &m_code);

  octave_value_list execute (octave::tree_evaluator &, int n_out,
                             const octave_value_list &args) override;

private:
  octave_value_list kept_results (int n_out,
                                  const octave_value_list &args) const;
  octave_value_list joined (int n_out, const octave_value_list &args) const;
  bool is_kept (const octave_value_list &args) const;
  octave_value_list reduced (int n_out, const octave_value_list &args) const;
  octave_value spread (const octave_value_list &args) const;
  octave_value truth_of (const octave_value &r) const;
  octave_value_list card_arguments (int n_out, const octave_value_list &args,
                                    std::string &operation) const;

  kind m_is;
  int m_arrays;
  bool m_quiet;
  int m_op; /* gpueig_reduction, or -1 */
  octave::cdef_method m_m_code;
};

method::method (const std::string &name, kind is, int arrays, bool quiet,
                const octave::cdef_method &m_code)
    : octave_builtin (fcn (nullptr), name, ""), m_is (is), m_arrays (arrays),
      m_quiet (quiet), m_op (-1), m_m_code (m_code)
{
  static const std::pair<const char *, gpueig_reduction> reductions[]
      = { { "sum", GPUEIG_SUM },      { "sumsq", GPUEIG_SUM_SQUARES },
          { "max", GPUEIG_LARGEST },  { "min", GPUEIG_SMALLEST },
          { "prod", GPUEIG_PRODUCT }, { "any", GPUEIG_ANY },
          { "all", GPUEIG_ALL },      { "mean", GPUEIG_MEAN } };
  for (const auto &r : reductions)
    if (name == r.first)
      m_op = r.second;
}

/* The arguments of the gateway's OPERATION for a call with ARGS and N_OUT results; none if
   it is Octave's.  */
octave_value_list
method::card_arguments (int n_out, const octave_value_list &args,
                        std::string &operation) const
{
  const octave_value_list none;
  const int n = static_cast<int> (args.length ());
  const bool empty_2 = n > 1 && args (1).isnumeric () && args (1).isempty ();
  switch (m_is)
    {
    case DIRECT:
      return name () == "permute" && n == 2
                 ? ovl (args (0), host_value_of (args (1).get_rep ()))
                 : args;
    case SORT:
      return sort_arguments (n_out, args);
    case TRACE:
      return n == 1 && args (0).ndims () == 2
                     && args (0).rows () == args (0).columns ()
                 ? args
                 : none;
    case RESHAPE:
      {
        /* Of repmat numbers or one vector; Octave knows what other forms mean.  */
        for (int i = 1; i < n && name () == "repmat"; i++)
          if (args (i).numel () != 1
              && (n > 2 || args (i).isempty ()
                  || ! args (i).dims ().isvector ()))
            return none;
        RowVector sizes = sizes_of (args, name () == "reshape");
        if (name () == "repmat" && sizes.numel () == 1)
          sizes = sizes.append (sizes);
        return ovl (args (0), sizes);
      }
    case REDUCED:
    case TESTED:
      return n_out < 2 && (n == 1 || (n == 2 && is_scalar (args (1)))) ? args
                                                                       : none;
    case PAIRED:
      return n_out < 2 && n < 3 ? args : none;
    case EXTREME:
      if (n == 2 && n_out < 2)
        {
          operation = name () == "max" ? "larger" : "smaller";
          return args;
        }
      if (n == 0 || (n_out > 1 && args (0).isempty ()))
        return none;
      if (n == 3 && empty_2 && is_scalar (args (2)))
        return ovl (args (0), args (2));
      return n == 1 ? args : none;
    case DIFF:
      {
        octave_idx_type size = 0;
        const bool once
            = n < 2 || empty_2
              || (is_scalar (args (1)) && args (1).double_value () == 1);
        const int dim = n > 0 && as_array (args (0).get_rep ())
                            ? along (args (0), args, 2, &size)
                            : 0;
        return once && size > 1 ? ovl (args (0), dim) : none;
      }
    case NORM:
      {
        double which = n == 1 ? 1 : -1;
        if (n == 2 && is_scalar (args (1)))
          {
            const double p = args (1).double_value ();
            which = p == 1 ? 0 : p == 2 ? 1 : p > 1e308 * 10 ? 2 : -1;
          }
        else if (n == 2 && args (1).is_string ())
          which = args (1).string_value () == "fro" ? 3
                  : octave::string::strcmpi (args (1).string_value (), "inf")
                      ? 2
                      : -1;
        return which < 0 || ! as_array (args (0).get_rep ())
                   ? none
                   : ovl (args (0), which);
      }
    default:
      return none;
    }
}

/* A reduction without a call of the MEX file, of max and min with the positions; none where its
   arguments are not an array and a dimension of it.  */
octave_value_list
method::reduced (int n_out, const octave_value_list &args) const
{
  const octave_idx_type n = args.length ();
  const gpu_value *a = n > 0 ? as_array (args (0).get_rep ()) : nullptr;
  octave_idx_type size = 0;
  int64_t r, at;
  if (! a || n_out > (m_is == EXTREME ? 2 : 1) || (m_is == EXTREME && n == 2)
      || (m_is == EXTREME && n == 3
          && ! (args (1).isnumeric () && args (1).isempty ())))
    return octave_value_list ();
  const int dim = along (args (0), args, m_is == EXTREME ? 2 : 1, &size);
  if (size == 0)
    return octave_value_list ();
  if (! direct->reduce (m_op, a->number (),
                        std::min<int> (dim, GPUEIG_ARRAY_DIMS + 1) - 1, &r,
                        n_out == 2 ? &at : nullptr))
    raise (name ());
  if (n_out < 2)
    return ovl (m_is == TESTED ? truth_of (octave_value (new gpu_value (r)))
                               : result_of (r));
  const octave_value positions (new gpu_value (at));
  return ovl (result_of (r), deferred (positions, false));
}

/* var and std of an array, over N or N - 1, along one dimension; otherwise undefined.  */
octave_value
method::spread (const octave_value_list &args) const
{
  const octave_idx_type n = args.length ();
  const gpu_value *a = n > 0 ? as_array (args (0).get_rep ()) : nullptr;
  const double over = n < 2 || (args (1).isnumeric () && args (1).isempty ())
                          ? 0
                      : is_scalar (args (1)) ? args (1).double_value ()
                                             : 2;
  octave_idx_type size = 0;
  const int dim = a ? along (args (0), args, 2, &size) : 0;
  int64_t r;
  if (size < 2 || (over != 0 && over != 1))
    return octave_value ();
  if (! direct->variance (a->number (),
                          std::min<int> (dim, GPUEIG_ARRAY_DIMS + 1) - 1,
                          static_cast<double> (over == 1 ? size : size - 1),
                          name () == "std", &r))
    raise (name ());
  return result_of (r);
}

/* The norm of the first argument, of kind WHICH; of an empty array of any class, Octave's is double
   but for "fro".  */
static octave_value
norm_of (const octave_value &x, int which)
{
  const gpu_value *a = as_array (x.get_rep ());
  double norm;
  if (! direct->norm (which, a->number (), &norm))
    raise ("norm");
  return a->is_single () && (a->numel () > 0 || which == GPUEIG_NORM_FRO)
             ? octave_value (static_cast<float> (norm))
             : octave_value (norm);
}

/* The numbers R, 0 and 1, as truth values; those of single arrays count as doubles, too.  */
octave_value
method::truth_of (const octave_value &r) const
{
  return as_array (r.get_rep ())->is_single ()
             ? compared (GPUEIG_NE, name ().c_str (), r.get_rep (),
                         octave_value (0.0).get_rep ())
             : deferred (r, true);
}

/* Nonzero if an argument is a kept value, or the result is one, or text.  */
bool
method::is_kept (const octave_value_list &args) const
{
  const bool joins = m_is == JOIN || name () == "cat";
  const bool mixes = joins || m_is == PAIRED || name () == "dot"
                     || name () == "kron"
                     || (m_is == EXTREME && args.length () == 2);
  bool is = m_is == CONVERTED || first_kept (args);
  for (octave_idx_type i = name () == "cat"; mixes && i < args.length (); i++)
    is = is || args (i).isinteger () || args (i).issparse ()
         || (joins && args (i).is_string ());
  return is;
}

/* The results then: of the function with values of Octave in place of the kept ones, or of all
   arrays, as arrays.  */
octave_value_list
method::kept_results (int n_out, const octave_value_list &args) const
{
  static const std::string keepers
      = " double single reshape permute ipermute squeeze ";
  const bool keeps = m_is == CONVERTED || m_is == SOLVED || name () == "cast"
                     || keepers.find (" " + name () + " ") != std::string::npos;
  const kept_value *first = first_kept (args);
  octave_value_list r = octave::feval (
      name (), first ? hosts_of (args) : host_values_of (args), n_out);
  for (octave_idx_type i = 0; i < r.length () && i < m_arrays; i++)
    r (i) = placed (r (i), first ? first->anchor () : place_of (args), true,
                    keeps);
  return r;
}

/* [A, B] and [A; B].  */
octave_value_list
method::joined (int n_out, const octave_value_list &args) const
{
  const bool rows = name () == "vertcat";
  try
    {
      if (is_kept (args))
        return kept_results (n_out, args);
      octave_value_list r = ovl (rows ? 1 : 2);
      return run (rows ? "vertical concatenation" : "horizontal concatenation",
                  "join", r.append (args), 1);
    }
  catch (const octave::execution_exception &e)
    {
      /* Octave replaces the error of a concatenation in brackets.  */
      warning_with_id ("gpueig:concatenation", "%s", e.message ().c_str ());
      throw;
    }
}

octave_value_list
method::execute (octave::tree_evaluator &, int n_out,
                 const octave_value_list &args)
{
  octave_value_list r;
  if (m_is == GATHER)
    return host_values_of (args);
  if (m_is == JOIN)
    return joined (n_out, args);
  if (name () == "cat" && args.length () > 0 && args (0).isobject ())
    {
      /* Octave replaces the error.  */
      warning ("cat: DIM must be a number; Octave omits it in cellfun");
      error ("cat: no DIM");
    }
  if (m_is == LIKE && is_like (args))
    return ovl (made_like (name (), args.slice (0, args.length () - 2),
                           args (args.length () - 1)));
  if (m_is == CLASS && args.length () == 1)
    return ovl (class_name_of (args (0)));
  if (m_is != ITERATED && is_kept (args))
    return kept_results (n_out, args);
  if (m_is == M_CODE || m_is == ITERATED)
    return m_m_code.execute (args, n_out, false, name ());
  if (m_is == EQUAL)
    {
      for (octave_idx_type i = 0; i < args.length (); i++)
        if (! args (i).isnumeric () && ! args (i).islogical ())
          return ovl (false);
      return run (name (), name (), args, 1);
    }
  if (m_op >= 0 && ! (r = reduced (n_out, args)).empty ())
    return r;
  if (m_is == SPREAD && n_out < 2)
    {
      const octave_value x = spread (args);
      if (x.is_defined ())
        return ovl (x);
    }
  if (m_is == POWER && args.length () == 2)
    return octave::binary_op (octave_value::op_pow, args (0), args (1));
  if (m_is == FIND && ! (r = find_in (n_out, args)).empty ())
    return r;
  if (m_is == SOLVED)
    {
      r = ovl ((name ().compare (0, 4, "gpu_") ? "gpu_" : "") + name ());
      return octave::feval ("__solved__", r.append (args), n_out);
    }
  std::string operation = name ();
  const octave_value_list own = card_arguments (n_out, args, operation);
  try
    {
      if (! own.empty () && m_is == NORM)
        return ovl (norm_of (own (0), own (1).int_value ()));
      if (! own.empty ())
        r = run (name (), operation, own, std::max (n_out, 1));
    }
  catch (const octave::execution_exception &e)
    {
      /* Octave has messages of its own for each function.  */
      if (e.identifier () != "Octave:nonconformant-args"
          && e.identifier () != "gpueig:bad-argument")
        throw;
      octave::interpreter::the_interpreter ()->recover_from_exception ();
    }
  /* [] is an operation that the gateway leaves to Octave.  */
  if (! r.empty () && (as_array (r (0).get_rep ()) || ! r (0).isempty ()))
    {
      if (m_is == TESTED)
        r (0) = truth_of (r (0));
      if (r.length () > 1 && m_is == SORT)
        r (1) = deferred (r (1), false);
      return r;
    }
  r = ovl (name (), m_arrays);
  return octave::feval ("__hosted__", r.append (args),
                        m_quiet ? n_out : std::max (n_out, 1));
}

} /* namespace */

void
load_class ()
{
  octave::cdef_manager &manager
      = octave::interpreter::the_interpreter ()->get_cdef_manager ();
  if (manager.find_class (MEX_ARRAY_CLASS, false, false).ok ())
    return;
  const octave::cdef_class base
      = manager.find_class ("__gpu_array__", true, true);
  octave::cdef_class c = manager.make_class (MEX_ARRAY_CLASS, base);
  for (const auto &f : functions)
    {
      std::istringstream names (f.names);
      std::string name;
      while (names >> name)
        c.install_method (manager.make_method (
            c, name,
            octave_value (new method (name, f.is, f.arrays, f.quiet,
                                      c.find_method (name)))));
    }
}

} /* namespace */
