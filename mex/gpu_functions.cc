/* The functions of gpu_array that have no m-file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_deferred.h"
#include "gpu_names.h"
#include "gpu_operations.h"

#include <cmath>
#include <octave/cdef-manager.h>
#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/parse.h>
#include <sstream>

namespace gpueig
{

namespace
{

enum kind
{
  OPERATION, /* that of the same name, or by Octave */
  JOIN,      /* horzcat, vertcat */
  GATHER,
  CLASS,
  LIKE,      /* zeros (..., "like", G) */
  SOLVED,    /* the function gpu_NAME, see gpu_solvers.cc */
  HOSTED,    /* by Octave, with values in host memory */
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
  { OPERATION, 1, false,
    "double single pagetranspose pagectranspose dot kron permute tril triu cat "
    "max min var std diff norm sort trace reshape repmat sum sumsq prod median "
    "cumsum cumprod cummax cummin mean atan2 hypot mod rem det fft fft2 ifft "
    "ifft2" },
  { OPERATION, 0, false, "find isequal any all issymmetric ishermitian" },
  { OPERATION, 1000, false, "mpower chol diag inv log2 qr" },
  { JOIN, 1, false, "horzcat vertcat" },
  { GATHER, 0, false, "gather" },
  { CLASS, 0, false, "class" },
  { LIKE, 0, false,
    "zeros ones eye rand randn rande Inf inf NaN nan true false" },
  { LIKE, 1000, false,
    "cast eps flintmax intmax intmin randi randperm realmax realmin" },
  { CONVERTED, 1, false,
    "logical int8 int16 int32 int64 uint8 uint16 uint32 uint64" },
  { M_CODE, 1000, false,
    "cond ipermute lu nnz null orth pageinv pagemldivide pagemrdivide "
    "pagemtimes pagenorm pinv rank squeeze" },
  { ITERATED, 1000, false,
    "bicg bicgstab cgs eigs gmres pcg pcr qmr svds tfqmr" },
  { SOLVED, 1000, false,
    "eig schur svd ordschur sqrtm logm expm " GPU_SOLVERS },
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
    "spfun spline spones sqp statistics svd_driver swapbytes sylvester "
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
    "surfl text title trimesh trisurf warning xlabel "
    "xlim xticks ylabel ylim yticks zlabel zlim" }
};

/* Nonzero if cellfun or arrayfun keeps the result of the running function, or of an anonymous one around
   it, without a question.  */
bool
is_unasked (const octave::tree_evaluator &tw)
{
  auto frame = tw.get_current_stack_frame ()->parent_link ();
  while (frame && frame->function ()
         && frame->function ()->is_anonymous_function ())
    frame = frame->parent_link ();
  const octave_function *f = frame ? frame->function () : nullptr;
  return f && (f->name () == "cellfun" || f->name () == "arrayfun");
}

/* A cell with X, of an empty array without it.  */
Cell
cell_of (const octave_value &x)
{
  return x.iscell () ? x.cell_value () : x.isempty () ? Cell () : Cell (x);
}

/* The result of a concatenation that failed.  Octave replaces an error that is raised while it joins
   objects in brackets by another one, but asks first of all of the result whether it is defined: that
   raises the error.  */
class failed_value : public octave_base_value
{
public:
  explicit failed_value (const octave::execution_exception &error)
      : m_error (error)
  {
  }
#define FAIL(type, name, parameters)                                           \
  type name parameters const override { throw m_error; }
  FAIL (bool, is_defined, ())
  FAIL (bool, is_cs_list, ())
  FAIL (bool, isnull, ())
  FAIL (bool, isobject, ())
  FAIL (bool, is_true, ())
  FAIL (dim_vector, dims, ())
  FAIL (std::string, class_name, ())
#undef FAIL

private:
  octave::execution_exception m_error;
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
  octave_value_list joined (int n_out, const octave_value_list &args,
                            bool is_unasked) const;
  bool is_kept (const octave_value_list &args) const;
  octave_value_list own_results (int n_out,
                                 const octave_value_list &args) const;

  kind m_is;
  int m_arrays;
  bool m_quiet, m_is_cat;
  bool m_joins, m_mixes;        /* arrays with integers, and joins text */
  const operation *m_operation; /* or NULL */
  octave::cdef_method m_m_code;
};

method::method (const std::string &name, kind is, int arrays, bool quiet,
                const octave::cdef_method &m_code)
    : octave_builtin (fcn (nullptr), name, ""), m_is (is), m_arrays (arrays),
      m_quiet (quiet), m_is_cat (name == "cat"),
      m_joins (m_is_cat || is == JOIN),
      m_mixes (m_joins
               || std::string (" atan2 dot hypot kron max min mod rem ")
                          .find (" " + name + " ")
                      != std::string::npos),
      m_operation (find_operation (name)), m_m_code (m_code)
{
}

/* Nonzero if an argument is a kept value, or the result is one, or text.  */
bool
method::is_kept (const octave_value_list &args) const
{
  bool is = m_is == CONVERTED || first_kept (args);
  for (octave_idx_type i = m_is_cat; m_mixes && i < args.length (); i++)
    is = is || args (i).isinteger () || args (i).issparse ()
         || (m_joins && args (i).is_string ());
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

/* Raise Octave's error for dimensions of ARGS that do not fit.  */
static void
check_joint_dims (const octave_value_list &args, bool rows)
{
  dim_vector joint;
  for (octave_idx_type i = 0; i < args.length (); i++)
    {
      const dim_vector dims = args (i).dims ();
      if (joint.zero_by_zero ())
        joint = dims;
      else if (! dims.zero_by_zero () && ! joint.hvcat (dims, ! rows))
        error ("%s dimensions mismatch (%s vs %s)",
               rows ? "vertical" : "horizontal", joint.str ().c_str (),
               dims.str ().c_str ());
    }
}

/* [A, B] and [A; B].  */
octave_value_list
method::joined (int n_out, const octave_value_list &args, bool is_unasked) const
{
  const bool rows = name () == "vertcat";
  octave_value_list cells;
  bool is_cell = false;
  for (octave_idx_type i = 0; i < args.length (); i++)
    is_cell = is_cell || args (i).iscell ();
  for (octave_idx_type i = 0; is_cell && i < args.length (); i++)
    cells.append (octave_value (cell_of (args (i))));
  try
    {
      if (is_cell)
        return octave::feval (name (), cells, n_out);
      check_joint_dims (args, rows);
      if (is_kept (args))
        return kept_results (n_out, args);
      return ovl (joined_arrays (name ().c_str (), ! rows, args));
    }
  catch (const octave::execution_exception &e)
    {
      if (is_unasked)
        {
          warning_with_id ("gpueig:concatenation", "%s", e.message ().c_str ());
          throw;
        }
      octave::interpreter::the_interpreter ()->recover_from_exception ();
      return ovl (octave_value (new failed_value (e)));
    }
}

/* The results of the operation of the library; none if it is Octave's.  */
octave_value_list
method::own_results (int n_out, const octave_value_list &args) const
{
  try
    {
      if (m_is == OPERATION)
        return run (*m_operation, name ().c_str (), args, n_out);
    }
  catch (const octave::execution_exception &e)
    {
      /* Octave has messages of its own for each function.  */
      if (e.identifier () != "Octave:nonconformant-args"
          && e.identifier () != "gpueig:bad-argument")
        throw;
      octave::interpreter::the_interpreter ()->recover_from_exception ();
    }
  return octave_value_list ();
}

octave_value_list
method::execute (octave::tree_evaluator &tw, int n_out,
                 const octave_value_list &args)
{
  if (m_is == GATHER)
    return host_values_of (args);
  if (m_is == JOIN)
    return joined (n_out, args, is_unasked (tw));
  if (m_is_cat && args.length () > 0 && args (0).isobject ())
    {
      if (args.length () > 1 && args (0).numel () == 1)
        return octave::feval (name (),
                              host_values_of (args.slice (0, 1))
                                  .append (args.slice (1, args.length () - 1)),
                              n_out);
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
  if (m_is == SOLVED)
    return solved ((name ().compare (0, 4, "gpu_") ? "gpu_" : "") + name (),
                   args, n_out);
  octave_value_list r = own_results (n_out, args);
  if (r.empty ())
    r = hosted (name (), m_arrays, args, m_quiet ? n_out : std::max (n_out, 1));
  return r;
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
