## Call the public functions with random arguments, good and bad.
##   failures = fuzz (SEED, COUNT)      COUNT cases, 1 to COUNT
##   failures = fuzz (SEED, [I, J])     cases I to J only
##   ... = fuzz (..., "show")           prints every call and how it ended
##   ... = fuzz (..., "short")          gpueig:out-of-memory is no failure
## Each case depends on SEED and its number only.  Claims: a call ends, with an
## answer or with an error of the documented list whose text begins with the function's
## name; answers are finite, of the class of the argument, real for symmetric matrices;
## NaN and Inf never give an answer, nor do classes that eig refuses; nothing is printed
## but documented warnings; the answer for arguments of any storage is, bit for bit, that for full
## matrices of the answer's class; vectors, of hard matrices (random_matrix.m) and of any scale
## too, and of well-conditioned pairs, meet the limits of their residuals and orthogonality.
## Prints what fails; returns how many, and a struct that counts the endings.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, endings] = fuzz (seed = 1, count = 1000, flag = "")
  if (isscalar (count))
    count = [1, count];
  endif
  failures = 0;
  endings = struct ();
  saved = {rand("twister"), warning()};
  ## Others have other options, and answers that are not eigenvalues.
  names = setdiff (public_functions (), [{"gpu_schur", "gpu_ordschur", "gpu_svd", "gpu_pinv", "gpu_polar"}, public_functions("matrix")])(:).';
  unwind_protect
    for id = {"gpueig:no-convergence", "gpueig:fallback", ...
              "Octave:singular-matrix", "Octave:nearly-singular-matrix"}
      warning ("on", id{1});
    endfor
    for k = count(1):count(2)
      rand ("twister", [seed, k]);
      call = fuzz_call (names);
      [text, ending] = attempt (call);
      if (strcmp (flag, "short") && strcmp (ending, "gpueig:out-of-memory"))
        text = "";
      endif
      if (strcmp (flag, "show"))
        printf ("%d: %s: %s\n", k, describe (call), ending);
      endif
      ending = strrep (strrep (ending, ":", "_"), "-", "_");
      if (! isfield (endings, ending))
        endings.(ending) = 0;
      endif
      endings.(ending) += 1;
      if (! isempty (text))
        failures += 1;
        printf ("FAIL: fuzz (%d, [%d %d]): %s: %s\n", seed, k, k,
                describe (call), text);
      endif
    endfor
  unwind_protect_cleanup
    rand ("twister", saved{1});
    warning (saved{2});
  end_unwind_protect
endfunction

## Make the call; "" or what is wrong, and how it ended.
function [text, ending] = attempt (call)
  text = "";
  out = cell (1, call.nout);
  err = [];
  lastwarn ("", "");
  printed = evalc ("try, [out{1:call.nout}] = feval (call.name, call.args{:}); catch err, end");
  [message, id] = lastwarn ();
  if (! isempty (err))
    ending = err.identifier;
    text = wrong_error (call, err);
  else
    ending = "answer";
    text = wrong_answer (call, out, id);
  endif
  if (isempty (text) && ! isempty (id))
    text = wrong_warning (call, id, message);
  endif
  if (isempty (text) && isempty (err) && ! call.iter && any (cellfun (@is_stored, call.args)))
    text = other_bits (call, out);
  endif
  if (isempty (text) && ! call.iter && ! isempty (strip_warnings (printed)))
    text = ["prints " printed];
  endif
endfunction

function text = wrong_answer (call, out, id)
  text = "";
  last = find ([cellfun(@ischar, call.args), true], 1) - 1;
  data = call.args(1:last);
  discrete = cellfun (@(x) islogical (x) || isinteger (x), data);
  data(discrete) = cellfun (@double, data(discrete), "UniformOutput", false);
  out = out(1:min (3, end));
  if (strcmp (call.name, "gpu_eig") && any (cellfun (@is_empty, data(1:min (2, end)))) && all (cellfun (@isfloat, data)))
    if (! all (cellfun (@(x) isequal (x, []), out)))
      text = "outputs for an empty matrix that are not empty";
    endif
  elseif (call.refused)
    text = "an answer for an argument that must be refused";
  elseif (! (call.loose || strcmp (call.name, "gpu_tdinv")) && isempty (id) && numel (out) > 0)
    one = isscalar (data);
    if (one && (! isfloat (data{1}) || rows (data{1}) != columns (data{1})))
      text = "an answer for no square matrix";
    elseif (one && ! all (cellfun (@(x) all (isfinite (x(:))), out)))
      text = "NaN or Inf in the answer";
    elseif (one && ! strcmp (class (out{1}), class (data{1})))
      text = ["the answer is of class " class(out{1})];
    elseif (one && isempty (data{1}) != isempty (out{1}))
      text = "an answer of another size for an empty matrix";
    elseif (one && ! isreal (out{min (2, end)}) && is_symmetric (call, data{1}))
      text = "complex eigenvalues of a symmetric matrix";
    endif
    if (isempty (text) && numel (out) > 1 && any (strcmp (call.name, public_functions ("eigenvalues"))))
      text = wrong_vectors (call, data, out{:});
    endif
  endif
endfunction

## "" or errors, of vectors V and W and eigenvalues D of one matrix or a pair of DATA, that exceed
## the limits; matrices of subnormal numbers have absolute errors.
function text = wrong_vectors (call, data, V, D, W = [])
  text = "";
  data = cellfun (@full, data, "UniformOutput", false);
  [A, B] = {data{:}, []}{1:2};
  type = class (V);
  if (isempty (A) || ! all (cellfun (@isfloat, data)) || (! isempty (B) && ! size_equal (A, B)))
    return;
  endif
  definite = isempty (B) && is_symmetric (call, A);
  limits = [20, Inf];
  if (definite)
    limits = [10, {10, 60}{1 + any(strcmp (call.args, "stemr"))}];
  elseif (! isempty (B))
    limits = [40, Inf];
  endif
  for p = 1:prod (size (A)(3:end))
    [a, v, d] = deal (A(:,:,p), V(:,:,p), D(:,:,p));
    b = B(:,:,p * ones (1, ! isempty (B)));
    if (! isvector (d))
      d = diag (d);
    endif
    if (max (abs (a(:))) < realmin (type) / eps (type) ^ 2 || (! isempty (b) && ! (cond (b) < 1e3)))
      continue;
    endif
    ## Eigenvalues of a pair may be beyond the range of the numbers.
    far = isinf (d) & (! isempty (b) && 1e3 * rows (a) * norm (a, 1) / norm (b, 1) > realmax (type));
    [v, d] = deal (v(:,! far), d(! far));
    errors = zeros (1, 2);
    [errors(1), errors(2)] = eigen_errors (a, b, v, d);
    errors(1) /= merge (definite, 1, max (1, norm (v, 1)));
    left = 0;
    if (! isempty (W) && isempty (b))
      w = W(:,:,p);
      left = eigen_errors (a', [], w, conj (d)) / max (1, norm (w, 1)) * (norm (a, 1) / (norm (a, Inf) + ! any (a(:))));
    endif
    if (! (all (errors < limits) && left < limits(1)))
      text = sprintf ("page %d: residual %g, orthogonality %g, left residual %g", p, errors, left);
      return;
    endif
  endfor
endfunction

## Sparse, or of a type that Octave stores lazily.
function tf = is_stored (x)
  tf = isnumeric (x) && (issparse (x) || ! strcmp (typeinfo (x), typeinfo (full (x)(:,:))) || isinteger (x));
endfunction

## "" or how the outputs OUT differ from those of full matrices.
function text = other_bits (call, out)
  text = "";
  args = call.args;
  ## Matrices come before the first name of an option, but for a guess, which becomes of their
  ## class.
  first = find ([cellfun(@ischar, args), true], 1);
  last = find ([cellfun(@ischar, args) & ! strcmpi(args, "Guess"), true], 1) - 1;
  wide = "double";
  if (any (cellfun (@(x) isa (x, "single"), args(1:first-1))))
    wide = "single";
  endif
  for k = find (cellfun (@isnumeric, args))
    args{k} = as_full (args{k}, {"double", wide}{1 + (k <= last)});
  endfor
  want = cell (size (out));
  try
    evalc ("[want{:}] = feval (call.name, args{:});");
  catch err
    text = ["full matrices: " err.message];
    return;
  end_try_catch
  for i = find (! cellfun (@isstruct, out))
    x = full (out{i});
    wide = {class(want{i}), wide}{1 + (i == 1 && ! issparse (out{1}))};
    if (! (strcmp (class (x), wide) && isequaln (x, full (want{i}))))
      text = sprintf ("output %d is not that of full matrices of class %s", i, wide);
    elseif (iscomplex (x) && ! any (imag (x(:))))
      text = "complex without imaginary parts";
    endif
  endfor
endfunction

## X as a full matrix of a class; complex if it was, also without imaginary parts.
function y = as_full (x, class)
  y = cast (full (x), class);
  if (iscomplex (x))
    y = complex (real (y), imag (y));
  endif
endfunction

function tf = is_empty (x)
  tf = isempty (x) && ndims (x) == 2;
endfunction

## Is each page, and the function does not treat it as if it were general?
function tf = is_symmetric (call, A)
  tf = ! any (ismember (call.args(cellfun (@ischar, call.args)), {"geev", "qr"}));
  A = full (A);
  for p = 1:prod (size (A)(3:end))
    tf &= isequal (A(:,:,p), A(:,:,p)');
  endfor
endfunction

function text = wrong_error (call, err)
  persistent ids = {"Octave:invalid-fun-call", "gpueig:not-square", ...
                    "gpueig:not-symmetric", "gpueig:not-definite", ...
                    "gpueig:not-tridiagonal", ...
                    "gpueig:bad-length", "gpueig:nonfinite", ...
                    "gpueig:wrong-type", "gpueig:bad-option", ...
                    "gpueig:no-device"};
  text = "";
  if (! any (strcmp (err.identifier, ids)))
    text = sprintf ("undocumented error \"%s\": %s (%s)", err.identifier,
                    err.message, err.stack(1).name);
  elseif (! strncmp (err.message, [call.name ": "], numel (call.name) + 2)
          && ! strncmp (err.message, ["Invalid call to " call.name], 16))
    text = ["the error does not name the function: " err.message];
  elseif (call.valid && ! (strcmp (getenv ("GPUEIG_BACKEND"), "cuda")
                           && strcmp (err.identifier, "gpueig:no-device")))
    text = ["a valid call fails: " err.message];
  endif
endfunction

function text = wrong_warning (call, id, message)
  persistent ids = {"gpueig:no-convergence", "gpueig:fallback", ...
                    "Octave:singular-matrix", "Octave:nearly-singular-matrix", ...
                    ... # of Octave's own files
                    "Octave:language-extension", "Octave:mixed-string-concat"};
  text = "";
  if (! any (strcmp (id, ids)))
    text = sprintf ("undocumented warning \"%s\": %s", id, message);
  elseif (isempty (strfind (message, call.name))
          && strncmp (id, "gpueig:", 7))
    text = ["the warning does not name the function: " message];
  endif
endfunction

function text = strip_warnings (text)
  text = regexprep (text, "^warning: [^\n]*\n(warning: called from\n(    [^\n]*\n)*)?\n?", "",
                    "lineanchors");
  text = strtrim (text);
endfunction

function text = describe (call)
  parts = cellfun (@describe_value, call.args, "UniformOutput", false);
  text = sprintf ("[%d] = %s (%s)", call.nout, call.name, strjoin (parts, ", "));
endfunction

function text = describe_value (x)
  if (ischar (x) && isrow (x))
    text = ["\"" x "\""];
  elseif ((isnumeric (x) || islogical (x)) && numel (x) <= 16 && ndims (x) == 2
          && ! issparse (x))
    text = mat2str (full (x), 4, "class");
  else
    text = sprintf ("<%s %s %s>", typeinfo (x), class (x),
                    strjoin (cellfun (@num2str, num2cell (size (x)),
                                      "UniformOutput", false), "x"));
  endif
endfunction
