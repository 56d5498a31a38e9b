## One or more valid calls of every public function: small, of all kinds of
## input, with all outputs, of which info is the last.  A struct array: name, args, nout,
## text.  Calls that the backend under test does not have are left out.  BY_METHOD: the first call
## of each function and that of pages, by every method that no other follows, instead.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function calls = sample_calls (n = 7, by_method = false)
  calls = struct ("name", {}, "args", {}, "nout", {}, "text", {});
  names = public_functions ();
  for i = 1:numel (names)
    switch (names{i})
      case "gpu_tdinv"
        list = tridiagonal_inputs (n);
        nout = 3;
      case "gpu_mrrr"
        list = [{"diagonals", {(1:n)', ones(n-1, 1)}
                 "pages of diagonals", {cos(reshape (1:3*n, n, 1, 3)), ones(n-1, 1, 3)}
                 "sparse", {spdiags([ones(n, 1), (1:n)', ones(n, 1)], -1:1, n, n)}}
                symmetric_inputs(n)];
        nout = 4;
      case "gpu_schur"
        list = [general_inputs(n); {"pages", {cos(reshape ((1:3*n*n) .^ 2, n, n, 3))}}];
        nout = 3;
      case "gpu_ordschur"
        list = {"form", {eye(n), triu(sin ((1:n)' * (1:n))), mod((1:n)', 3)}
                "complex", {eye(n), triu(exp (1i * (1:n)' * (1:n))), n:-1:1}
                "pages", {repmat(eye (n), 1, 1, 3), triu(ones (n)) .* sin(reshape (1:3*n, 1, n, 3)), repmat((n:-1:1)', 1, 1, 3)}};
        nout = 3;
      case public_functions ("matrix")
        list = [symmetric_inputs(n); general_inputs(n)];
        list(:,2) = cellfun (@(args) {args{1} / 2 + n * full(eye (n))}, list(:,2), "UniformOutput", false);
        if (strcmp (names{i}, "gpu_mpower"))
          list(:,2) = cellfun (@(args) [args, {1.5}], list(:,2), "UniformOutput", false);
        endif
        nout = 2 + any (strcmp (names{i}, {"gpu_sqrtm", "gpu_logm"}));
      case "gpu_polar"
        list = [general_inputs(n); {"tall pages", {cos(reshape ((1:6*n) .^ 2, n, 2, 3))}}];
        nout = 3;
      case "gpu_svd"
        list = [general_inputs(n)
                {"tall", {sin((1:2*n)' * (1:n)), "econ"}
                 "pages", {cos(reshape ((1:6*n) .^ 2, 2, n, 3)), "econ"}}];
        nout = 4;
      case "gpu_pinv"
        list = [general_inputs(n)
                {"tall, rank 2", {1 + sin((1:2*n)' * (1:n)) .* [1, zeros(1, n-1)]}
                 "pages", {cos(reshape ((1:6*n) .^ 2, 2, n, 3))}}];
        nout = 2;
      case public_functions ("general")
        list = [symmetric_inputs(n); general_inputs(n)];
        nout = 4;
      otherwise
        list = symmetric_inputs (n);
        nout = 4;
    endswitch
    if (any (strcmp (names{i}, public_functions ("pair"))))
      list = [list; pair_inputs(n)];
    endif
    if (strcmp (names{i}, "gpu_eig"))
      list = [list; part_inputs(n)];
    endif
    if (by_method)
      ## Symmetric matrices of gpu_complex_eig are another function's.
      list = list(merge (strcmp (names{i}, "gpu_complex_eig"), 4, [1, find(strcmp (list(:,1), "pages"))']),:);
      methods = setdiff (words_of (names{i}, list{1,2}), {"auto"}, "stable");
      methods = cellfun (@(m) [strcat(list(:,1), {", "}, m), cellfun(@(args) {[args, {"Method", m}]}, list(:,2))], ...
                         methods, "UniformOutput", false);
      list = vertcat (cell (0, 2), methods{:});
    endif
    for j = 1:rows (list)
      call = struct ("name", names{i}, "args", {list{j,2}}, "nout", nout,
                     "text", [names{i} ", " list{j,1}]);
      if (available (call, by_method))
        calls(end+1) = call;
      endif
    endfor
  endfor
endfunction

function list = symmetric_inputs (n)
  list = {"symmetric", {symmetric(n, false)}
          "complex single", {single(symmetric (n, true))}
          "pages", {cat(3, symmetric (n, false), eye (n), diag (n:-1:1))}};
endfunction

function list = pair_inputs (n)
  A = symmetric (n, true);
  B = 4*n * eye (n) + symmetric (n, false);
  list = {"pair", {real(A), B}
          "complex single pair", {single(A), single(4*n * eye (n) + A)}
          "pair, high accuracy", {A, B, "Accuracy", "high"}
          "pairs", {cat(3, real (A), eye (n)), cat(3, B, 2*B)}};
endfunction

function list = part_inputs (n)
  A = symmetric (n, false);
  B = 4*n * eye (n) + A;
  list = {"part", {A, "Index", [2, n]}
          "part of a pair", {A, B, "Index", [1, 2]}
          "interval of a pair", {A, B, "Range", [-1, 1]}
          "parts of pairs", {cat(3, A, B), cat(3, B, B), "Index", [2, 3]}};
endfunction

function list = general_inputs (n)
  x = (1:n)' * (1:n);
  list = {"general", {sin(x + (1:n)')}
          "complex general", {sin(x + (1:n)') + 1i * cos(2 * x)}};
endfunction

function list = tridiagonal_inputs (n)
  a = 4 + (1:n)';
  b = ones (n-1, 1);
  list = {"diagonals", {b, a, -b}
          "complex single", {single(1i * b), single(a), single(b)}
          "sparse", {spdiags([[b; 0], a, [0; b]], -1:1, n, n)}};
endfunction

function A = symmetric (n, complex)
  x = (1:n)' * (1:n);
  A = cos (x / 3);
  if (complex)
    A += 1i * (sin ((1:n)' * (1:n).^2) - sin ((1:n).^2' * (1:n)));
  endif
  A = (A + A') / 2;
endfunction

function tf = available (call, by_method)
  tf = true;
  last = lasterr ();
  warning ("off", "gpueig:fallback", "local");
  try
    out = sample_run (call);
    tf = ! by_method || isempty (out{end}.fallback);
  catch err
    tf = ! strcmp (err.identifier, "gpueig:no-device") && ! (by_method && strcmp (err.identifier, "gpueig:bad-option"));
  end_try_catch
  lasterr (last);
endfunction
