## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Of arrays, __gpu_array__: what Octave computes.  The arguments are gathered, and
## floating-point results of more than one element become arrays again, in the place of the
## first array.

classdef __gpu_array_host__

  methods

    ## --- all results are arrays ---

    function varargout = accumarray (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("accumarray", Inf, varargin); endfunction
    function varargout = accumdim (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("accumdim", Inf, varargin); endfunction
    function varargout = acosh (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("acosh", Inf, varargin); endfunction
    function varargout = acot (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("acot", Inf, varargin); endfunction
    function varargout = acoth (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("acoth", Inf, varargin); endfunction
    function varargout = acsc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("acsc", Inf, varargin); endfunction
    function varargout = acsch (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("acsch", Inf, varargin); endfunction
    function varargout = airy (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("airy", Inf, varargin); endfunction
    function varargout = arrayfun (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("arrayfun", Inf, varargin); endfunction
    function varargout = asec (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("asec", Inf, varargin); endfunction
    function varargout = asech (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("asech", Inf, varargin); endfunction
    function varargout = asinh (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("asinh", Inf, varargin); endfunction
    function varargout = atanh (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("atanh", Inf, varargin); endfunction
    function varargout = balance (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("balance", Inf, varargin); endfunction
    function varargout = besselh (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("besselh", Inf, varargin); endfunction
    function varargout = besseli (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("besseli", Inf, varargin); endfunction
    function varargout = besselj (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("besselj", Inf, varargin); endfunction
    function varargout = besselk (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("besselk", Inf, varargin); endfunction
    function varargout = bessely (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bessely", Inf, varargin); endfunction
    function varargout = beta (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("beta", Inf, varargin); endfunction
    function varargout = betainc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("betainc", Inf, varargin); endfunction
    function varargout = betaln (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("betaln", Inf, varargin); endfunction
    function varargout = bicg (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bicg", Inf, varargin); endfunction
    function varargout = bicgstab (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bicgstab", Inf, varargin); endfunction
    function varargout = bincoeff (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bincoeff", Inf, varargin); endfunction
    function varargout = bitand (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitand", Inf, varargin); endfunction
    function varargout = bitor (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitor", Inf, varargin); endfunction
    function varargout = bitshift (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitshift", Inf, varargin); endfunction
    function varargout = bitxor (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitxor", Inf, varargin); endfunction
    function varargout = blkdiag (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("blkdiag", Inf, varargin); endfunction
    function varargout = blkmm (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("blkmm", Inf, varargin); endfunction
    function varargout = bounds (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bounds", Inf, varargin); endfunction
    function varargout = bsxfun (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bsxfun", Inf, varargin); endfunction
    function varargout = cart2pol (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cart2pol", Inf, varargin); endfunction
    function varargout = cast (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cast", Inf, varargin); endfunction
    function varargout = cbrt (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cbrt", Inf, varargin); endfunction
    function varargout = cgs (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cgs", Inf, varargin); endfunction
    function varargout = chol2inv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("chol2inv", Inf, varargin); endfunction
    function varargout = choldelete (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("choldelete", Inf, varargin); endfunction
    function varargout = cholinsert (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cholinsert", Inf, varargin); endfunction
    function varargout = cholinv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cholinv", Inf, varargin); endfunction
    function varargout = cholshift (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cholshift", Inf, varargin); endfunction
    function varargout = cholupdate (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cholupdate", Inf, varargin); endfunction
    function varargout = colon (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("colon", Inf, varargin); endfunction
    function varargout = compan (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("compan", Inf, varargin); endfunction
    function varargout = complex (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("complex", Inf, varargin); endfunction
    function varargout = condest (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("condest", Inf, varargin); endfunction
    function varargout = conv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("conv", Inf, varargin); endfunction
    function varargout = conv2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("conv2", Inf, varargin); endfunction
    function varargout = convn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("convn", Inf, varargin); endfunction
    function varargout = corr (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("corr", Inf, varargin); endfunction
    function varargout = corrcoef (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("corrcoef", Inf, varargin); endfunction
    function varargout = cosint (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cosint", Inf, varargin); endfunction
    function varargout = cov (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cov", Inf, varargin); endfunction
    function varargout = cplxpair (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cplxpair", Inf, varargin); endfunction
    function varargout = cross (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cross", Inf, varargin); endfunction
    function varargout = curl (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("curl", Inf, varargin); endfunction
    function varargout = dawson (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("dawson", Inf, varargin); endfunction
    function varargout = deconv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("deconv", Inf, varargin); endfunction
    function varargout = del2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("del2", Inf, varargin); endfunction
    function varargout = delaunay (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("delaunay", Inf, varargin); endfunction
    function varargout = delaunayn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("delaunayn", Inf, varargin); endfunction
    function varargout = detrend (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("detrend", Inf, varargin); endfunction
    function varargout = divergence (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("divergence", Inf, varargin); endfunction
    function varargout = dsearchn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("dsearchn", Inf, varargin); endfunction
    function varargout = ellipj (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ellipj", Inf, varargin); endfunction
    function varargout = ellipke (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ellipke", Inf, varargin); endfunction
    function varargout = eps (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("eps", Inf, varargin); endfunction
    function varargout = erfc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("erfc", Inf, varargin); endfunction
    function varargout = erfcinv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("erfcinv", Inf, varargin); endfunction
    function varargout = erfcx (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("erfcx", Inf, varargin); endfunction
    function varargout = erfi (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("erfi", Inf, varargin); endfunction
    function varargout = erfinv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("erfinv", Inf, varargin); endfunction
    function varargout = expint (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("expint", Inf, varargin); endfunction
    function varargout = factorial (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("factorial", Inf, varargin); endfunction
    function varargout = fftconv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fftconv", Inf, varargin); endfunction
    function varargout = fftfilt (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fftfilt", Inf, varargin); endfunction
    function varargout = fftn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fftn", Inf, varargin); endfunction
    function varargout = filter (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("filter", Inf, varargin); endfunction
    function varargout = filter2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("filter2", Inf, varargin); endfunction
    function varargout = fminbnd (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fminbnd", Inf, varargin); endfunction
    function varargout = fminsearch (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fminsearch", Inf, varargin); endfunction
    function varargout = fminunc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fminunc", Inf, varargin); endfunction
    function varargout = fsolve (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fsolve", Inf, varargin); endfunction
    function varargout = full (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("full", Inf, varargin); endfunction
    function varargout = fzero (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("fzero", Inf, varargin); endfunction
    function varargout = gammainc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gammainc", Inf, varargin); endfunction
    function varargout = gammaln (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gammaln", Inf, varargin); endfunction
    function varargout = gcd (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gcd", Inf, varargin); endfunction
    function varargout = givens (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("givens", Inf, varargin); endfunction
    function varargout = glpk (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("glpk", Inf, varargin); endfunction
    function varargout = gls (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gls", Inf, varargin); endfunction
    function varargout = gmres (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gmres", Inf, varargin); endfunction
    function varargout = gradient (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gradient", Inf, varargin); endfunction
    function varargout = griddata (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("griddata", Inf, varargin); endfunction
    function varargout = gsvd (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("gsvd", Inf, varargin); endfunction
    function varargout = hankel (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("hankel", Inf, varargin); endfunction
    function varargout = hess (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("hess", Inf, varargin); endfunction
    function varargout = hist (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("hist", Inf, varargin); endfunction
    function varargout = histc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("histc", Inf, varargin); endfunction
    function varargout = ifelse (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ifelse", Inf, varargin); endfunction
    function varargout = ifftn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ifftn", Inf, varargin); endfunction
    function varargout = integral (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("integral", Inf, varargin); endfunction
    function varargout = integral2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("integral2", Inf, varargin); endfunction
    function varargout = interp1 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("interp1", Inf, varargin); endfunction
    function varargout = interp2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("interp2", Inf, varargin); endfunction
    function varargout = interp3 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("interp3", Inf, varargin); endfunction
    function varargout = interpft (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("interpft", Inf, varargin); endfunction
    function varargout = interpn (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("interpn", Inf, varargin); endfunction
    function varargout = inverse (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("inverse", Inf, varargin); endfunction
    function varargout = iqr (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("iqr", Inf, varargin); endfunction
    function varargout = kendall (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("kendall", Inf, varargin); endfunction
    function varargout = krylov (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("krylov", Inf, varargin); endfunction
    function varargout = kurtosis (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("kurtosis", Inf, varargin); endfunction
    function varargout = lcm (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lcm", Inf, varargin); endfunction
    function varargout = legendre (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("legendre", Inf, varargin); endfunction
    function varargout = lgamma (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lgamma", Inf, varargin); endfunction
    function varargout = linspace (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("linspace", Inf, varargin); endfunction
    function varargout = logspace (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("logspace", Inf, varargin); endfunction
    function varargout = lscov (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lscov", Inf, varargin); endfunction
    function varargout = lsode (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lsode", Inf, varargin); endfunction
    function varargout = lsqnonneg (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lsqnonneg", Inf, varargin); endfunction
    function varargout = luupdate (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("luupdate", Inf, varargin); endfunction
    function varargout = mad (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("mad", Inf, varargin); endfunction
    function varargout = merge (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("merge", Inf, varargin); endfunction
    function varargout = meshgrid (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("meshgrid", Inf, varargin); endfunction
    function varargout = mgorth (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("mgorth", Inf, varargin); endfunction
    function varargout = moment (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("moment", Inf, varargin); endfunction
    function varargout = movfun (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movfun", Inf, varargin); endfunction
    function varargout = movmax (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movmax", Inf, varargin); endfunction
    function varargout = movmean (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movmean", Inf, varargin); endfunction
    function varargout = movmedian (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movmedian", Inf, varargin); endfunction
    function varargout = movmin (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movmin", Inf, varargin); endfunction
    function varargout = movstd (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movstd", Inf, varargin); endfunction
    function varargout = movsum (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movsum", Inf, varargin); endfunction
    function varargout = movvar (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("movvar", Inf, varargin); endfunction
    function varargout = nchoosek (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("nchoosek", Inf, varargin); endfunction
    function varargout = ndgrid (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ndgrid", Inf, varargin); endfunction
    function varargout = nextpow2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("nextpow2", Inf, varargin); endfunction
    function varargout = normest (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("normest", Inf, varargin); endfunction
    function varargout = nthroot (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("nthroot", Inf, varargin); endfunction
    function varargout = ode23 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ode23", Inf, varargin); endfunction
    function varargout = ode45 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ode45", Inf, varargin); endfunction
    function varargout = ols (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ols", Inf, varargin); endfunction
    function varargout = ordqz (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ordqz", Inf, varargin); endfunction
    function varargout = pcg (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("pcg", Inf, varargin); endfunction
    function varargout = pchip (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("pchip", Inf, varargin); endfunction
    function varargout = pcr (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("pcr", Inf, varargin); endfunction
    function varargout = periodogram (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("periodogram", Inf, varargin); endfunction
    function varargout = planerot (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("planerot", Inf, varargin); endfunction
    function varargout = pol2cart (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("pol2cart", Inf, varargin); endfunction
    function varargout = poly (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("poly", Inf, varargin); endfunction
    function varargout = polyaffine (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyaffine", Inf, varargin); endfunction
    function varargout = polyder (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyder", Inf, varargin); endfunction
    function varargout = polyeig (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyeig", Inf, varargin); endfunction
    function varargout = polyfit (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyfit", Inf, varargin); endfunction
    function varargout = polyint (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyint", Inf, varargin); endfunction
    function varargout = polyval (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyval", Inf, varargin); endfunction
    function varargout = polyvalm (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("polyvalm", Inf, varargin); endfunction
    function varargout = postpad (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("postpad", Inf, varargin); endfunction
    function varargout = pow2 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("pow2", Inf, varargin); endfunction
    function varargout = ppval (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ppval", Inf, varargin); endfunction
    function varargout = prctile (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("prctile", Inf, varargin); endfunction
    function varargout = prepad (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("prepad", Inf, varargin); endfunction
    function varargout = primes (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("primes", Inf, varargin); endfunction
    function varargout = psi (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("psi", Inf, varargin); endfunction
    function varargout = qmr (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qmr", Inf, varargin); endfunction
    function varargout = qp (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qp", Inf, varargin); endfunction
    function varargout = qrdelete (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qrdelete", Inf, varargin); endfunction
    function varargout = qrinsert (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qrinsert", Inf, varargin); endfunction
    function varargout = qrshift (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qrshift", Inf, varargin); endfunction
    function varargout = qrupdate (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qrupdate", Inf, varargin); endfunction
    function varargout = quadgk (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("quadgk", Inf, varargin); endfunction
    function varargout = quadv (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("quadv", Inf, varargin); endfunction
    function varargout = quantile (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("quantile", Inf, varargin); endfunction
    function varargout = qz (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("qz", Inf, varargin); endfunction
    function varargout = randg (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("randg", Inf, varargin); endfunction
    function varargout = randi (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("randi", Inf, varargin); endfunction
    function varargout = randp (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("randp", Inf, varargin); endfunction
    function varargout = randperm (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("randperm", Inf, varargin); endfunction
    function varargout = rat (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rat", Inf, varargin); endfunction
    function varargout = rcond (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rcond", Inf, varargin); endfunction
    function varargout = reallog (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("reallog", Inf, varargin); endfunction
    function varargout = realpow (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("realpow", Inf, varargin); endfunction
    function varargout = realsqrt (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("realsqrt", Inf, varargin); endfunction
    function varargout = repelems (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("repelems", Inf, varargin); endfunction
    function varargout = rescale (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rescale", Inf, varargin); endfunction
    function varargout = residue (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("residue", Inf, varargin); endfunction
    function varargout = resize (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("resize", Inf, varargin); endfunction
    function varargout = roots (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("roots", Inf, varargin); endfunction
    function varargout = roundb (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("roundb", Inf, varargin); endfunction
    function varargout = rref (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rref", Inf, varargin); endfunction
    function varargout = rsf2csf (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rsf2csf", Inf, varargin); endfunction
    function varargout = sinc (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sinc", Inf, varargin); endfunction
    function varargout = skewness (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("skewness", Inf, varargin); endfunction
    function varargout = spdiags (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("spdiags", Inf, varargin); endfunction
    function varargout = spearman (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("spearman", Inf, varargin); endfunction
    function varargout = spline (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("spline", Inf, varargin); endfunction
    function varargout = sqp (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sqp", Inf, varargin); endfunction
    function varargout = statistics (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("statistics", Inf, varargin); endfunction
    function varargout = svd_driver (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("svd_driver", Inf, varargin); endfunction
    function varargout = svds (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("svds", Inf, varargin); endfunction
    function varargout = sylvester (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sylvester", Inf, varargin); endfunction
    function varargout = tfqmr (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("tfqmr", Inf, varargin); endfunction
    function varargout = toeplitz (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("toeplitz", Inf, varargin); endfunction
    function varargout = typecast (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("typecast", Inf, varargin); endfunction
    function varargout = unwrap (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("unwrap", Inf, varargin); endfunction
    function varargout = vander (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("vander", Inf, varargin); endfunction
    function varargout = vec (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("vec", Inf, varargin); endfunction
    function varargout = vech (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("vech", Inf, varargin); endfunction
    function varargout = vecnorm (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("vecnorm", Inf, varargin); endfunction
    function varargout = zscore (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("zscore", Inf, varargin); endfunction

    ## --- the first result is an array; the others are indices and stay ---

    function varargout = intersect (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("intersect", 1, varargin); endfunction
    function varargout = mode (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("mode", 1, varargin); endfunction
    function varargout = setdiff (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("setdiff", 1, varargin); endfunction
    function varargout = setxor (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("setxor", 1, varargin); endfunction
    function varargout = sortrows (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sortrows", 1, varargin); endfunction
    function varargout = union (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("union", 1, varargin); endfunction
    function varargout = unique (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("unique", 1, varargin); endfunction
    function varargout = uniquetol (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("uniquetol", 1, varargin); endfunction

    ## --- results stay: truth values, indices, integers, text, cells ---

    function varargout = isequaln (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isequaln", 0, varargin); endfunction
    function varargout = and (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("and", 0, varargin); endfunction
    function varargout = base64_encode (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("base64_encode", 0, varargin); endfunction
    function varargout = bitcmp (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitcmp", 0, varargin); endfunction
    function varargout = bitget (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitget", 0, varargin); endfunction
    function varargout = bitset (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("bitset", 0, varargin); endfunction
    function varargout = cellslices (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("cellslices", 0, varargin); endfunction
    function varargout = char (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("char", 0, varargin); endfunction
    function varargout = dec2base (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("dec2base", 0, varargin); endfunction
    function varargout = dec2bin (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("dec2bin", 0, varargin); endfunction
    function varargout = dec2hex (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("dec2hex", 0, varargin); endfunction
    function varargout = getfield (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("getfield", 0, varargin); endfunction
    function varargout = hash (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("hash", 0, varargin); endfunction
    function varargout = idivide (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("idivide", 0, varargin); endfunction
    function varargout = ind2sub (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ind2sub", 0, varargin); endfunction
    function varargout = int16 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("int16", 0, varargin); endfunction
    function varargout = int2str (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("int2str", 0, varargin); endfunction
    function varargout = int32 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("int32", 0, varargin); endfunction
    function varargout = int64 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("int64", 0, varargin); endfunction
    function varargout = int8 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("int8", 0, varargin); endfunction
    function varargout = isbanded (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isbanded", 0, varargin); endfunction
    function varargout = isdefinite (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isdefinite", 0, varargin); endfunction
    function varargout = isdiag (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isdiag", 0, varargin); endfunction
    function varargout = isindex (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isindex", 0, varargin); endfunction
    function varargout = ismember (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("ismember", 0, varargin); endfunction
    function varargout = isna (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isna", 0, varargin); endfunction
    function varargout = isprime (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("isprime", 0, varargin); endfunction
    function varargout = issorted (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("issorted", 0, varargin); endfunction
    function varargout = istril (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("istril", 0, varargin); endfunction
    function varargout = istriu (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("istriu", 0, varargin); endfunction
    function varargout = jsonencode (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("jsonencode", 0, varargin); endfunction
    function varargout = logical (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("logical", 0, varargin); endfunction
    function varargout = lookup (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("lookup", 0, varargin); endfunction
    function varargout = mat2cell (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("mat2cell", 0, varargin); endfunction
    function varargout = mat2str (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("mat2str", 0, varargin); endfunction
    function varargout = matrix_type (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("matrix_type", 0, varargin); endfunction
    function varargout = not (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("not", 0, varargin); endfunction
    function varargout = nth_element (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("nth_element", 0, varargin); endfunction
    function varargout = num2cell (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("num2cell", 0, varargin); endfunction
    function varargout = num2str (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("num2str", 0, varargin); endfunction
    function varargout = nzmax (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("nzmax", 0, varargin); endfunction
    function varargout = or (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("or", 0, varargin); endfunction
    function varargout = rats (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("rats", 0, varargin); endfunction
    function varargout = signbit (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("signbit", 0, varargin); endfunction
    function varargout = sizeof (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sizeof", 0, varargin); endfunction
    function varargout = sparse (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sparse", 0, varargin); endfunction
    function varargout = sprintf (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sprintf", 0, varargin); endfunction
    function varargout = sub2ind (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("sub2ind", 0, varargin); endfunction
    function varargout = swapbytes (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("swapbytes", 0, varargin); endfunction
    function varargout = triplot (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("triplot", 0, varargin); endfunction
    function varargout = uint16 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("uint16", 0, varargin); endfunction
    function varargout = uint32 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("uint32", 0, varargin); endfunction
    function varargout = uint64 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("uint64", 0, varargin); endfunction
    function varargout = uint8 (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("uint8", 0, varargin); endfunction
    function varargout = validatestring (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("validatestring", 0, varargin); endfunction
    function varargout = xor (varargin) [varargout{1:max (nargout, 1)}] = __on_host__ ("xor", 0, varargin); endfunction

    ## --- called for what they do: printing, drawing, checks ---

    function varargout = annotation (varargin) [varargout{1:nargout}] = __on_host__ ("annotation", 0, varargin); endfunction
    function varargout = area (varargin) [varargout{1:nargout}] = __on_host__ ("area", 0, varargin); endfunction
    function varargout = assert (varargin) [varargout{1:nargout}] = __on_host__ ("assert", 0, varargin); endfunction
    function varargout = axis (varargin) [varargout{1:nargout}] = __on_host__ ("axis", 0, varargin); endfunction
    function varargout = bar (varargin) [varargout{1:nargout}] = __on_host__ ("bar", 0, varargin); endfunction
    function varargout = barh (varargin) [varargout{1:nargout}] = __on_host__ ("barh", 0, varargin); endfunction
    function varargout = caxis (varargin) [varargout{1:nargout}] = __on_host__ ("caxis", 0, varargin); endfunction
    function varargout = colormap (varargin) [varargout{1:nargout}] = __on_host__ ("colormap", 0, varargin); endfunction
    function varargout = contour (varargin) [varargout{1:nargout}] = __on_host__ ("contour", 0, varargin); endfunction
    function varargout = contour3 (varargin) [varargout{1:nargout}] = __on_host__ ("contour3", 0, varargin); endfunction
    function varargout = contourc (varargin) [varargout{1:nargout}] = __on_host__ ("contourc", 0, varargin); endfunction
    function varargout = contourf (varargin) [varargout{1:nargout}] = __on_host__ ("contourf", 0, varargin); endfunction
    function varargout = csvwrite (varargin) [varargout{1:nargout}] = __on_host__ ("csvwrite", 0, varargin); endfunction
    function varargout = dlmwrite (varargin) [varargout{1:nargout}] = __on_host__ ("dlmwrite", 0, varargin); endfunction
    function varargout = error (varargin) [varargout{1:nargout}] = __on_host__ ("error", 0, varargin); endfunction
    function varargout = errorbar (varargin) [varargout{1:nargout}] = __on_host__ ("errorbar", 0, varargin); endfunction
    function varargout = fdisp (varargin) [varargout{1:nargout}] = __on_host__ ("fdisp", 0, varargin); endfunction
    function varargout = fill (varargin) [varargout{1:nargout}] = __on_host__ ("fill", 0, varargin); endfunction
    function varargout = fill3 (varargin) [varargout{1:nargout}] = __on_host__ ("fill3", 0, varargin); endfunction
    function varargout = fplot (varargin) [varargout{1:nargout}] = __on_host__ ("fplot", 0, varargin); endfunction
    function varargout = fprintf (varargin) [varargout{1:nargout}] = __on_host__ ("fprintf", 0, varargin); endfunction
    function varargout = fputs (varargin) [varargout{1:nargout}] = __on_host__ ("fputs", 0, varargin); endfunction
    function varargout = fwrite (varargin) [varargout{1:nargout}] = __on_host__ ("fwrite", 0, varargin); endfunction
    function varargout = image (varargin) [varargout{1:nargout}] = __on_host__ ("image", 0, varargin); endfunction
    function varargout = imagesc (varargin) [varargout{1:nargout}] = __on_host__ ("imagesc", 0, varargin); endfunction
    function varargout = imshow (varargin) [varargout{1:nargout}] = __on_host__ ("imshow", 0, varargin); endfunction
    function varargout = imwrite (varargin) [varargout{1:nargout}] = __on_host__ ("imwrite", 0, varargin); endfunction
    function varargout = isosurface (varargin) [varargout{1:nargout}] = __on_host__ ("isosurface", 0, varargin); endfunction
    function varargout = legend (varargin) [varargout{1:nargout}] = __on_host__ ("legend", 0, varargin); endfunction
    function varargout = line (varargin) [varargout{1:nargout}] = __on_host__ ("line", 0, varargin); endfunction
    function varargout = loglog (varargin) [varargout{1:nargout}] = __on_host__ ("loglog", 0, varargin); endfunction
    function varargout = mesh (varargin) [varargout{1:nargout}] = __on_host__ ("mesh", 0, varargin); endfunction
    function varargout = meshc (varargin) [varargout{1:nargout}] = __on_host__ ("meshc", 0, varargin); endfunction
    function varargout = meshz (varargin) [varargout{1:nargout}] = __on_host__ ("meshz", 0, varargin); endfunction
    function varargout = pareto (varargin) [varargout{1:nargout}] = __on_host__ ("pareto", 0, varargin); endfunction
    function varargout = patch (varargin) [varargout{1:nargout}] = __on_host__ ("patch", 0, varargin); endfunction
    function varargout = pcolor (varargin) [varargout{1:nargout}] = __on_host__ ("pcolor", 0, varargin); endfunction
    function varargout = pie (varargin) [varargout{1:nargout}] = __on_host__ ("pie", 0, varargin); endfunction
    function varargout = pie3 (varargin) [varargout{1:nargout}] = __on_host__ ("pie3", 0, varargin); endfunction
    function varargout = plot (varargin) [varargout{1:nargout}] = __on_host__ ("plot", 0, varargin); endfunction
    function varargout = plot3 (varargin) [varargout{1:nargout}] = __on_host__ ("plot3", 0, varargin); endfunction
    function varargout = plotmatrix (varargin) [varargout{1:nargout}] = __on_host__ ("plotmatrix", 0, varargin); endfunction
    function varargout = plotyy (varargin) [varargout{1:nargout}] = __on_host__ ("plotyy", 0, varargin); endfunction
    function varargout = polar (varargin) [varargout{1:nargout}] = __on_host__ ("polar", 0, varargin); endfunction
    function varargout = print_usage (varargin) [varargout{1:nargout}] = __on_host__ ("print_usage", 0, varargin); endfunction
    function varargout = printf (varargin) [varargout{1:nargout}] = __on_host__ ("printf", 0, varargin); endfunction
    function varargout = puts (varargin) [varargout{1:nargout}] = __on_host__ ("puts", 0, varargin); endfunction
    function varargout = quiver (varargin) [varargout{1:nargout}] = __on_host__ ("quiver", 0, varargin); endfunction
    function varargout = quiver3 (varargin) [varargout{1:nargout}] = __on_host__ ("quiver3", 0, varargin); endfunction
    function varargout = rectangle (varargin) [varargout{1:nargout}] = __on_host__ ("rectangle", 0, varargin); endfunction
    function varargout = scatter (varargin) [varargout{1:nargout}] = __on_host__ ("scatter", 0, varargin); endfunction
    function varargout = scatter3 (varargin) [varargout{1:nargout}] = __on_host__ ("scatter3", 0, varargin); endfunction
    function varargout = semilogx (varargin) [varargout{1:nargout}] = __on_host__ ("semilogx", 0, varargin); endfunction
    function varargout = semilogy (varargin) [varargout{1:nargout}] = __on_host__ ("semilogy", 0, varargin); endfunction
    function varargout = set (varargin) [varargout{1:nargout}] = __on_host__ ("set", 0, varargin); endfunction
    function varargout = slice (varargin) [varargout{1:nargout}] = __on_host__ ("slice", 0, varargin); endfunction
    function varargout = spy (varargin) [varargout{1:nargout}] = __on_host__ ("spy", 0, varargin); endfunction
    function varargout = stairs (varargin) [varargout{1:nargout}] = __on_host__ ("stairs", 0, varargin); endfunction
    function varargout = stem (varargin) [varargout{1:nargout}] = __on_host__ ("stem", 0, varargin); endfunction
    function varargout = stem3 (varargin) [varargout{1:nargout}] = __on_host__ ("stem3", 0, varargin); endfunction
    function varargout = streamline (varargin) [varargout{1:nargout}] = __on_host__ ("streamline", 0, varargin); endfunction
    function varargout = surf (varargin) [varargout{1:nargout}] = __on_host__ ("surf", 0, varargin); endfunction
    function varargout = surface (varargin) [varargout{1:nargout}] = __on_host__ ("surface", 0, varargin); endfunction
    function varargout = surfc (varargin) [varargout{1:nargout}] = __on_host__ ("surfc", 0, varargin); endfunction
    function varargout = surfl (varargin) [varargout{1:nargout}] = __on_host__ ("surfl", 0, varargin); endfunction
    function varargout = text (varargin) [varargout{1:nargout}] = __on_host__ ("text", 0, varargin); endfunction
    function varargout = title (varargin) [varargout{1:nargout}] = __on_host__ ("title", 0, varargin); endfunction
    function varargout = trimesh (varargin) [varargout{1:nargout}] = __on_host__ ("trimesh", 0, varargin); endfunction
    function varargout = trisurf (varargin) [varargout{1:nargout}] = __on_host__ ("trisurf", 0, varargin); endfunction
    function varargout = validateattributes (varargin) [varargout{1:nargout}] = __on_host__ ("validateattributes", 0, varargin); endfunction
    function varargout = warning (varargin) [varargout{1:nargout}] = __on_host__ ("warning", 0, varargin); endfunction
    function varargout = xlabel (varargin) [varargout{1:nargout}] = __on_host__ ("xlabel", 0, varargin); endfunction
    function varargout = xlim (varargin) [varargout{1:nargout}] = __on_host__ ("xlim", 0, varargin); endfunction
    function varargout = xticks (varargin) [varargout{1:nargout}] = __on_host__ ("xticks", 0, varargin); endfunction
    function varargout = ylabel (varargin) [varargout{1:nargout}] = __on_host__ ("ylabel", 0, varargin); endfunction
    function varargout = ylim (varargin) [varargout{1:nargout}] = __on_host__ ("ylim", 0, varargin); endfunction
    function varargout = yticks (varargin) [varargout{1:nargout}] = __on_host__ ("yticks", 0, varargin); endfunction
    function varargout = zlabel (varargin) [varargout{1:nargout}] = __on_host__ ("zlabel", 0, varargin); endfunction
    function varargout = zlim (varargin) [varargout{1:nargout}] = __on_host__ ("zlim", 0, varargin); endfunction

  endmethods

endclassdef

## Every function is one of Octave, and a method of arrays.
%!test
%! text = fileread (which ("__gpu_array_host__"));
%! names = [regexp(text, "__on_host__ \\(\"(\\w+)\"", "tokens"){:}];
%! assert (numel (names) > 300);
%! assert (all (ismember (names, methods ("__gpu_array__"))));
%! known = cellfun (@(name) any (exist (name) == [2 3 5]), names);
%! assert (all (known), "%s", strjoin (names(! known), " "));
