## Write the tables of a GROUP into FOLDER, within SECONDS: solvers of the package beside
## those of other libraries, in one process.
##   bench (FOLDER, SECONDS, GROUP)
## Unless a table says otherwise, "[s]" are whole calls in Octave, medians; "@" in this file
## stands for the solver's own clock: CUDA events with resident data on a GPU, on the CPU the
## time within the call.  On a GPU also the tables of device_tables.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench (folder, seconds, group)
  rand ("twister", 1);
  randn ("twister", 1);
  [cuda, backend] = has_gpu ();
  groups = struct ("eig", @eig_tables, "pairs", @pairs_tables, "jacobi", @jacobi_tables, ...
                   "onesided", @onesided_tables, "svd", @svd_tables, "functions", @functions_tables, ...
                   "complex", @complex_tables, "mrrr", @mrrr_tables, "tdinv", @tdinv_tables);
  table = @(weight, varargin) {@(s) compare_table(folder, s, varargin{:}), weight};
  list = {};
  if (isfield (groups, group))
    list = groups.(group) (table, cuda, backend);
  endif
  if (cuda)
    list = [list; device_tables(folder, group); gpu_tables(group, table)];
  endif
  if (isempty (list))
    printf ("%s: needs a GPU, or is no group of tables\n", group);
    return;
  endif
  share_out (seconds, list);
endfunction

## --- gpu_eig ---

function list = eig_tables (table, cuda, backend)
  columns = {"gpu_eig [s]", "gpu_eig"; "eig [s]", "eig"; "eig/gpu_eig", "eig/gpu_eig"
             "backend", "gpu_eig.backend"; "method", "gpu_eig.method"};
  compare = {"gpu_eig [s] | eig [s]"};
  list = [table(3, "eig_symmetric", "gpu_eig and eig, symmetric, double, with vectors",
                [2 8 32 64 128 256 500 1000 2000 4000], @(n) hermitian (randn (n)),
                {"gpu_eig", @(A) gpu_eig(A, "vector"), 4, true
                 "eig", @(A) eig(A, "vector"), 2, 0.6},
                @symmetric_ratios, columns, "compare", compare, "note", {"end to end, Backend auto"})
          table(2, "eig_general", "gpu_eig and eig, general, complex double, with vectors",
                [2 8 32 64 128 256 512 1024], @(n) random (n, 1, true),
                {"gpu_eig", @(A) gpu_eig(A, "vector"), 2, true
                 "eig", @(A) eig(A, "vector"), 2, 0.6},
                @general_ratio, columns(1:3,:), "compare", compare, general_quality(){:},
                "note", {"end to end, Backend auto; right vectors"})];
endfunction

## Parts of a spectrum against eigs.
function list = pairs_tables (table, cuda, backend)
  smallest = @(p) [1, p{3}];
  list = [table(3, "eig_parts", "the k smallest eigenpairs of full matrices, double",
                kron ([100 200 500 1000 2000 4000]', [1, 0.01; 1, 0.1]),
                @(n, k) {hermitian(randn (n)), definite(randn (n)), k},
                {"gpu_eig_pair", @(p) gpu_eig(p{1:2}, "Index", smallest (p), "vector"), 2, true
                 "gpu_eig", @(p) gpu_eig(p{1}, "Index", smallest (p), "vector"), 2, true
                 "eigs", @(p) eigs(p{1}, p{3}, "sa"), 2, 0.2
                 "eigs_pair", @(p) eigs(p{1:2}, p{3}, "sa"), 2, 0.2},
                @pair_ratio,
                {"gpu_eig (A) [s]", "gpu_eig"; "eigs (A) [s]", "eigs"; "eigs/gpu_eig (A)", "eigs/gpu_eig"
                 "gpu_eig (A B) [s]", "gpu_eig_pair"; "eigs (A B) [s]", "eigs_pair"
                 "eigs/gpu_eig (A B)", "eigs_pair/gpu_eig_pair"},
                "first", {"n", "k"}, "cost", @(n, k) n, "quality", {"residual", "others' worst", "wrong"},
                "compare", {"gpu_eig (A) [s] | eigs (A) [s]", "gpu_eig (A B) [s] | eigs (A B) [s]"},
                "note", {"end to end, Backend auto; eigs with \"sa\" and its own tolerance"})];
endfunction

## --- gpu_jacobi_eig ---

function list = jacobi_tables (table, cuda, backend)
  jacobi = @(varargin) @(A) gpu_jacobi_eig (A, "vector", "Backend", backend, varargin{:});
  peer = @(b) @(A) gpu_eig (A, "vector", "Method", "syevd", "Backend", b);
  calls = {"auto", jacobi(), 4, true
           "preconditioned", jacobi("Method", "preconditioned"), 4, false
           "syevd", peer("cuda"), 4, false
           "dsyevd", peer("cpu"), 2, false
           "eig", @(A) eig(A, "vector"), 2, false};
  calls(3:2+! cuda,:) = [];
  list = [table(2, "jacobi_guess", ["gpu_jacobi_eig with \"Guess\": the eigenvectors of a ", ...
                                    "matrix 1e-3 (2-norm relative) away"],
                2 .^ (7:13), @(n) with_guess (n, backend),
                {"guess", @(p) gpu_jacobi_eig(p{1}, "vector", "Backend", backend, "Guess", p{2}), 4, true
                 "scratch", @(p) jacobi()(p{1}), 4, false
                 "syevd", @(p) peer(backend)(p{1}), 4, false},
                @(p, out, label) ratios (p{1}, out{1:2}),
                {"guess [s]", "guess@"; "scratch [s]", "scratch@"; "syevd [s]", "syevd@"
                 "scratch/guess", "scratch@/guess@"; "syevd/guess", "syevd@/guess@"},
                "compare", {"guess [s] | syevd [s]"},
                "note", {"the solver's own clock (without a GPU syevd is LAPACK's)"})
          table(3, "jacobi_classical_orders",
                "classical Jacobi, 10000 rotations with vectors (Wang 2012, figures 7 and 8)",
                [1024 2048 4096 6144 8192 10240], @(n) hermitian (randn (n)),
                {"c", @(A) classical(A, "cpu", 1000), 4, true
                 "cuda", @(A) classical(A, "cuda", 10000), 4, true}(1:1 + cuda,:), [],
                {"CUDA [s]", "cuda@"; "sequential C [s]", @(seen, n) 10 * seen.c.device
                 "ratio", @(seen, n) 10 * value(seen, "c") / value(seen, "cuda")
                 "paper's ratio", @(seen, n) paper_figure("wang2012", n, "ratio")},
                "quality", {}, "power", 1, "compare", {"CUDA [s] | sequential C [s]"},
                "note", {["The paper (T. Wang and others 2012) ran on a GTX 460 against one ", ...
                          "core of a Core i5-760 and does not state the precision; here it ", ...
                          "is double, one GPU against one core of its host, of which 1000 ", ...
                          "rotations are measured."], ...
                         ["10000 rotations leave a matrix of such orders far from diagonal ", ...
                          "(one sweep has n^2/2 of them), so this times rotations, not an ", ...
                          "eigenvalue problem: for that take Method auto."]})
          table(5, "jacobi_methods", "gpu_jacobi_eig, one symmetric matrix, double, with vectors",
                2 .^ (6:13), @(n) hermitian (randn (n)), calls, @symmetric_ratios,
                {"auto [s]", "auto@"; "precond. [s]", "preconditioned@"; "syevd [s]", "syevd@"
                 "auto end to end [s]", "auto"; "dsyevd end to end [s]", "dsyevd"
                 "eig end to end [s]", "eig"; "method", "auto.method"},
                "compare", {"auto [s] | syevd [s]", ...
                            "auto end to end [s] | dsyevd end to end [s] | eig end to end [s]"},
                "note", {"the first columns: the solver's own clock"})];
endfunction

function problem = with_guess (n, backend)
  A = hermitian (randn (n));
  [V, ~] = gpu_eig (A, "Backend", backend);
  problem = {A + 1e-3 * hermitian(randn (n)), V};
endfunction

function [V, lambda, W, info] = classical (A, backend, rotations)
  [V, lambda, W, info] = gpu_jacobi_eig (A, "vector", "Method", "classical", "Backend", backend, ...
                                         "MaxRotations", rotations);
endfunction

function x = value (seen, label)
  x = NaN;
  if (isfield (seen, label))
    x = seen.(label).device;
  endif
endfunction

## --- gpu_onesided_eig ---

function list = onesided_tables (table, cuda, backend)
  own = @(varargin) @(A) gpu_onesided_eig (A, "vector", "Backend", backend, varargin{:});
  peer = @(b) @(A) gpu_eig (A, "vector", "Method", "syevd", "Backend", b);
  some = @(A, k) A(:,:,1:min (end, k));
  list = [table(3, "onesided_paper", "one-sided Jacobi, the orders of Sun and Hu (2016), one matrix",
                [10 20 40 80 160], @(n) hermitian (randn (n, n, 1000)),
                {"hestenes", @(A) own("Method", "hestenes")(A(:,:,1)), 4, true
                 "auto", @(A) own()(A(:,:,1)), 4, true
                 "pages", own(), 4, false
                 "cyclic", @(A) cyclic_jacobi(A(:,:,1)), 2, 0.7}, @symmetric_ratios,
                {"hestenes [s]", "hestenes@"; "auto [s]", "auto@"; "cyclic Jacobi [s]", "cyclic"
                 "cyclic/hestenes", "cyclic/hestenes@"
                 "paper's cyclic/one-sided", @(seen, n) paper_figure("sun2016", n, "cyclic CPU / GPU")
                 "1000 pages [s] a page", "pages@"; "cyclic/page", "cyclic/pages@"},
                "power", 2.2, "quality", {"residual", "orthogonality", "wrong"},
                "compare", {"hestenes [s] | cyclic Jacobi [s]"},
                "note", {["The paper ran on a GTX 770, in MATLAB on a Core i3, and states powers ", ...
                          "of ten only: against the cyclic Jacobi on the CPU 10^2 at n = 160."], ...
                         ["hestenes is the paper's method, cyclic its baseline, interpreted as ", ...
                          "there; the interpreter's share of that ratio is large. A single small ", ...
                          "matrix cannot fill a GPU: pages can."]})];
  few = [4 8 10 16 20 32 64 100 128 256];
  kinds = {"double", false, [4 8 10 16 20 32 40 64 80 100 128 160 200 256], 5
           "double", true, few, 1.5; "single", false, few, 1.5};
  for kind = kinds.'
    [class, is_complex, orders, weight] = kind{:};
    name = [merge(is_complex, "complex ", ""), class];
    if (cuda)
      sizes = stacks (orders, 100000, @(n) 1e8 / (sizeof (cast (0, class)) * (1 + is_complex) * n ^ 2));
    else
      sizes = stacks (orders, 20000, @(n) 2e6 / n ^ 2.5);
    endif
    list = [list; table(weight, strrep (["onesided_pages_" name], " ", "_"),
                        ["gpu_onesided_eig, pages, " name ", with vectors, a page"],
                        sizes, @(n, pages) hermitian (random (n, pages, is_complex, class)),
                        {"onesided", own(), 4, true
                         "LAPACK", @(A) peer("cpu")(some (A, 2000)), 2, false
                         "loop", @(A) eig_loop(A, 500), 2, false},
                        @symmetric_ratios,
                        {"solve [s]", "onesided@"; "whole call [s]", "onesided"
                         "loop over eig [s]", "loop"; "LAPACK syevd [s]", "LAPACK"
                         "eig/whole", "loop/onesided"; "sweeps", "onesided.sweeps"},
                        "first", {"n", "pages"},
                        "compare", {"whole call [s] | loop over eig [s] | LAPACK syevd [s]"},
                        "note", {"seconds a page; solve by the solver's own clock"})];
  endfor
endfunction

## The paper's baseline, the cyclic Jacobi method of its figure 1.
function [V, lambda] = cyclic_jacobi (A)
  n = rows (A);
  V = eye (n);
  limit = eps () * norm (A, "fro");
  while (norm (A - diag (diag (A)), "fro") > n * limit)
    for i = 1:n-1
      for j = i+1:n
        if (abs (A(i,j)) <= limit / n)
          continue;
        endif
        tau = (A(j,j) - A(i,i)) / (2 * A(i,j));
        if (tau >= 0)
          t = 1 / (tau + sqrt (1 + tau^2));
        else
          t = -1 / (-tau + sqrt (1 + tau^2));
        endif
        c = 1 / sqrt (1 + t^2);
        J = [c, t*c; -t*c, c];
        A(:,[i j]) = A(:,[i j]) * J;
        A([i j],:) = J' * A([i j],:);
        V(:,[i j]) = V(:,[i j]) * J;
      endfor
    endfor
  endwhile
  lambda = diag (A);
endfunction

## --- gpu_svd, functions of matrices ---

function list = svd_tables (table, cuda, backend)
  small = [3 3; 8 8; 16 16; 32 32; 64 16; 64 64; 100 100];
  large = [100 100; 256 256; 500 500; 1000 100; 1000 1000; 10000 100; 2000 2000; 4000 4000];
  small(:,3) = max (1, floor (min (1e6 ./ prod (small, 2), 10000)));
  large(:,3) = 1;
  list = {};
  for kind = {"pages", "dense", "pages"; small, large, small; "double", "double", "single"; 4, 4, 2}
    [name, sizes, class, weight] = kind{:};
    list = [list; table(weight, ["svd_" name "_" class],
                        ["gpu_svd, " strrep(name, "dense", "one matrix") ", " class ", with vectors, a page"],
                        sizes, @(varargin) randn (varargin{:}, class),
                        {"gpu_svd", @(A) gpu_svd(A, "econ", "vector"), 4, true
                         "gesvd", @(A) loop_svd("gesvd", A), 3, 0.25
                         "gesdd", @(A) loop_svd("gesdd", A), 3, 0.25},
                        @svd_ratios,
                        {"method", "gpu_svd.method"; "whole call [s]", "gpu_svd"; "loop over svd [s]", "gesvd"
                         "LAPACK gesdd [s]", "gesdd"; "svd/whole", "gesvd/gpu_svd"},
                        "first", {"m", "n", "pages"}, "cost", @(m, n, pages) cbrt (m * n * min (m, n) * pages),
                        "compare", {"whole call [s] | loop over svd [s] | LAPACK gesdd [s]"},
                        "note", {"seconds a page; loops over 200 pages at most"})];
  endfor
endfunction

function [U, S, V] = loop_svd (driver, A)
  saved = svd_driver (driver);
  [U, S, V] = loop (@(p) svd (A(:,:,p), "econ"), min (size (A, 3), 200));
  svd_driver (saved);
endfunction

## Of the first and the last page, in units of max (m, n) eps.
function r = svd_ratios (A, out, label)
  [U, s, V] = out{1:3};
  unit = max (size (A)(1:2)) * eps (class (U));
  r = [0, 0];
  for p = [1, size(U, 3)]
    [u, v, a, d] = deal (U(:,:,p), V(:,:,p), A(:,:,p), s(:,:,p));
    if (iscolumn (d))
      d = diag (d);
    endif
    r = max (r, [norm(a - u * d * v', 1) / norm(a, 1), ...
                 max(norm (u' * u - eye (columns (u)), 1), norm (v' * v - eye (columns (v)), 1))] / unit);
  endfor
endfunction

function list = functions_tables (table, cuda, backend)
  dense = [64 128 256 500 1000 2000; ones(1, 6)]';
  pages = [3 10000; 8 10000; 16 4000; 32 1000; 64 200; 100 100];
  list = {};
  unit = @(X) eye (rows (X));
  for f = {"sqrtm", @gpu_sqrtm, @sqrtm, @(A, X) norm(X * X - A, 1) / norm(X, 1) ^ 2
           "logm", @gpu_logm, @logm, @(A, X) norm(expm (X) - A, 1) / (norm (A, 1) * norm (X, 1) * cond (A, 1))
           "expm", @gpu_expm, @expm, @(A, X) norm(X * expm (-A) - unit (A), 1) / (norm (X, 1) * norm (expm (-A), 1))
           "mpower", @(A) gpu_mpower(A, 7), @(A) A ^ 7, @(A, X) norm(X - A ^ 7, 1) / norm(A, 1) ^ 7
           "polar", @gpu_polar, @polar_of, @(A, X) norm(X' * X - unit (A), 1)}.'
    for kind = {"dense", "pages"; "one matrix", "pages"; dense, pages; 3, 2}
      list = [list; table(kind{4}, ["functions_" f{1} "_" kind{1}], ["gpu_" f{1} ", " kind{2} ", double, a page"],
                          kind{3}, @(n, count) randn (n, n, count) / sqrt (n) + 3 * full (eye (n)),
                          {"gpu", f{2}, 1, true
                           "Octave", @(A) loop(@(p) f{3}(A(:,:,p)), min (size (A, 3), 200)), 1, 0.5},
                          @(A, out, label) f{4}(A(:,:,1), out{1}(:,:,1)) / (rows (A) * eps),
                          {"whole call [s]", "gpu"; "Octave [s]", "Octave"; "Octave/whole", "Octave/gpu"},
                          "first", {"n", "pages"}, "power", 2, "quality", {"residual"},
                          "compare", {"whole call [s] | Octave [s]"},
                          "note", {"seconds a page; loops over 200 pages at most"})];
    endfor
  endfor
endfunction

function U = polar_of (A)
  [W, ~, V] = svd (A);
  U = W * V';
endfunction

## --- gpu_complex_eig ---

function list = complex_tables (table, cuda, backend)
  some = @(A) A(:,:,1:min (end, ceil (2e6 / rows (A) ^ 3)));
  sizes = stacks ([2 3 4 6 8 12 16 24 32 48 64], 20000, @(n) 2e7 / (n ^ 3 + 20));
  calls = {"device", @(A) right_vectors("complex_eig", A, "auto", "cuda"), 3, true
           "cpu", @(A) right_vectors("complex_eig", some (A), "auto", "cpu"), 3, true
           "zgeevx", @(A) right_vectors("complex_eig", some (A), "geev", "cpu"), 3, false
           "eig", @(A) eig_loop(A, 100), 2, false};
  calls(! cuda,:) = [];
  list = [table(3, "complex_pages", "gpu_complex_eig, pages, complex double, right vectors, a page",
                sizes, @(n, pages) random (n, pages, true), calls, @general_ratio,
                {"device [s]", "device@"; "end to end [s]", "device"; "cpu [s]", "cpu"; "cpu method", "cpu.method"
                 "zgeevx cores [s]", "zgeevx"; "eig loop [s]", "eig"; "eig/device", "eig/device@"
                 "zgeevx/device", "zgeevx/device@"; "eig/cpu", "eig/cpu"; "sweeps", [calls{1,1} ".sweeps"]},
                "first", {"n", "pages"}, general_quality(){:},
                "compare", {"device [s] | zgeevx cores [s]", "end to end [s] | zgeevx cores [s] | eig loop [s]", ...
                            "cpu [s] | zgeevx cores [s] | eig loop [s]"},
                "note", {"seconds a page; device: auto on the GPU; cpu: auto on the CPU, end to end"})
          table(2, "complex_poster", ["the poster on complex Jacobi (n up to 1024): the same ", ...
                                      "algorithm on one core and here"],
                [32 64 128 256 512 1024], @(n) random (n, 1, true),
                {"here", @(A) right_vectors("complex_eig", A, merge (cuda, "shroff", "auto"), backend), 3, true
                 "core", @(A) one_core(A), 3, false},
                @(A, out, label) merge (strcmp (label, "core"), 0, general_ratio (A, out, label)),
                {"here [s]", "here@"; "one core [s]", @poster_core
                 "ratio", @(seen, n) poster_core(seen, n) / seen.here.device
                 "paper's ratio", @(seen, n) paper_figure("shroff-poster", n, "ratio")
                 "backend", "here.backend"; "sweeps", "here.sweeps"},
                "bar", 20, "quality", {"residual", "wrong"}, "compare", {"here [s] | one core [s]"},
                "note", {["The poster: a Tesla K20c against one core of a Xeon E5-2620, double ", ...
                          "precision, \"up to 94 times faster\" at n = 1024."], ...
                         ["One core is this library's sequential code on this host; from n = 256 ", ...
                          "on one sweep is measured and taken as often as needed."]})
          table(3, "complex_single", "gpu_complex_eig, one matrix, complex double, right vectors",
                [32 64 96 128 192 256 384 512 768 1024 2048], @(n) random (n, 1, true),
                {"auto", @(A) right_vectors("complex_eig", A, "auto", "auto"), 3, true
                 "shroff", @(A) right_vectors("complex_eig", A, "shroff", backend), 3, false
                 "qr", @(A) right_vectors("complex_eig", A, "qr", backend), 3, false
                 "zgeevx", @(A) right_vectors("eig", A, "geev", "cpu"), 3, false
                 "eig", @(A) eig(A, "vector"), 2, false}, @general_ratio,
                {"shroff device [s]", "shroff@"; "qr device [s]", "qr@"; "auto end to end [s]", "auto"
                 "auto takes", "auto.method"; "on", "auto.backend"; "zgeevx [s]", "zgeevx"; "eig [s]", "eig"
                 "qr/shroff", "qr@/shroff@"; "zgeevx/auto", "zgeevx/auto"; "sweeps", "shroff.sweeps"},
                general_quality(){:},
                "compare", {"shroff device [s] | qr device [s]", "auto end to end [s] | zgeevx [s] | eig [s]"},
                "note", {"shroff and qr by the solver's own clock; auto is what a user gets"})];
endfunction

## The gateway called directly, for V without W, and the info struct.
function [V, lambda, info] = right_vectors (command, A, method, backend, varargin)
  [rest, V, lambda] = __gpueig__ (command, 2, A, "vector", "Method", method, "Backend", backend, varargin{:});
  [~, failures] = __gpueig__ ("failures");
  for f = failures
    if (! any (strcmp (f.identifier, {"gpueig:no-convergence", "gpueig:fallback"})))
      error (f.identifier, "bench: %s", f.message);
    endif
  endfor
  [~, info] = __gpueig__ ("testing", "info");
endfunction

## One sweep, of two without the refinement that follows a first one, or all of a small order.
function [V, lambda, info] = one_core (A)
  if (rows (A) < 256)
    [V, lambda, info] = right_vectors ("complex_eig", A, "shroff", "cpu");
    return;
  endif
  [~, ~, first] = right_vectors ("complex_eig", A, "shroff", "cpu", "maxsweeps", 1);
  [V, lambda, info] = right_vectors ("complex_eig", A, "shroff", "cpu", "maxsweeps", 2);
  info.time.solve -= first.time.solve;
endfunction

function s = poster_core (seen, n)
  s = seen.core.device;
  if (n >= 256)
    s *= max (seen.here.info.sweeps, 2 * log2 (n));
  endif
endfunction

## --- gpu_mrrr ---

function list = mrrr_tables (table, cuda, backend)
  peer = @(m) @(T) gpu_mrrr (T{1:2}, "vector", "Method", m, "Backend", "cpu");
  list = {};
  for kind = {"141", "wilkinson", "random"
              [1024 2048 4096 8192 10240 12800], [512 1024 2048 4096 7168 12800], [1024 2048 4096 8192 12800]}
    for class = {"double", "single"}
      [name, class] = deal (kind{1}, class{1});
      notes = {"solve by the solver's own clock; stemr and stevd are LAPACK's on this host"};
      extra = cell (0, 2);
      if (strcmp (class, "single") && ! strcmp (name, "random"))
        figure_of = @(q) @(seen, n) paper_figure (["wang2011-" name], n, q);
        extra = {"paper's sstemr [s]", figure_of("sstemr"); "paper's GPU [s]", figure_of("cuda")
                 "paper's ratio", figure_of("ratio")};
        notes{end+1} = ["The paper (Wang and Zhao 2011): Tesla C1060 against one core of a Xeon ", ...
                        "5410, single precision, results within 1e-4 of sstemr's. Its GPU of 2008 ", ...
                        "and today's differ more than the algorithms; compare ratios on one machine."];
      endif
      list = [list; table(2 - strcmp (class, "single"), ["mrrr_" name "_" class],
                          ["gpu_mrrr and LAPACK, " name ", " class ", all vectors"],
                          kind{2}, @(n) tridiagonal (name, n, class),
                          {"mrrr", @(T) gpu_mrrr(T{1:2}, "vector", "Backend", backend), 4, true
                           "stevd", peer("stevd"), 4, false; "stemr", peer("stemr"), 4, false},
                          @(T, out, label) ratios (T{3}, out{1:2}),
                          [{"solve [s]", "mrrr@"; "whole call [s]", "mrrr"; "stemr [s]", "stemr@"
                            "stevd [s]", "stevd@"; "stemr/solve", "stemr@/mrrr@"; "stevd/solve", "stevd@/mrrr@"}
                           extra; {"clusters", "mrrr.clusters"; "fallbacks", "mrrr.fallbacks"}],
                          "power", 2.3, "note", notes, "compare", {"solve [s] | stemr [s] | stevd [s]"})];
    endfor
  endfor
endfunction

## {d, e, T}.
function problem = tridiagonal (kind, n, class)
  e = ones (n - 1, 1);
  switch (kind)
    case "141"
      d = 4 * ones (n, 1);
    case "wilkinson"
      d = abs ((0:n-1)' - (n - 1) / 2);
    otherwise
      rand ("twister", 1);
      d = 2 * rand (n, 1) - 1;
      e = 2 * rand (n - 1, 1) - 1;
  endswitch
  [d, e] = deal (cast (d, class), cast (e, class));
  [x, y] = deal (double (d), double (e));
  problem = {d, e, spdiags([[y; 0], x, [0; y]], -1:1, n, n)};
endfunction

## --- gpu_tdinv ---

function list = tdinv_tables (table, cuda, backend)
  own = @(p) gpu_tdinv (p{1:3});
  sherman = @(b, m) @(n) gpu_tdinv (ones (n-1, 1), 4 * ones (n, 1), ones (n-1, 1), "Method", m, "Backend", b);
  calls = {"all", sherman("cpu", "sherman-morrison"), 3, true
           "one", @one_core_inverse, 3, true
           "generators", sherman("cpu", "generators"), 3, true
           "gpu", sherman("cuda", "sherman-morrison"), 3, true}(1:3+cuda,:);
  list = [table(4, "tdinv_poster", ["the poster on tridiagonal inverses (n up to 2^14): ", ...
                                    "recursive Sherman-Morrison, double"],
                2 .^ (10:14), @(n) n, calls, [],
                {"GPU [s]", "gpu@"; "one core [s]", "one@"; "all cores [s]", "all@"
                 "one core/all cores", "one@/all@"; "one core/GPU", "one@/gpu@"
                 "paper's one core/GPU", @(seen, n) paper_figure("tdinv-poster", n, "ratio one core")
                 "all cores/GPU", "all@/gpu@"
                 "paper's all cores/GPU", @(seen, n) paper_figure("tdinv-poster", n, "ratio all cores")
                 "generators [s]", "generators@"},
                "power", 2, "quality", {}, "compare", {"GPU [s] | one core [s] | all cores [s]", ...
                                                       "all cores [s] | one core [s]"},
                "note", {["The poster: a Tesla K20c (single precision, cuBLAS sgemm) at least 24 times as ", ...
                          "fast as its sequential code and 5 times as its 16 cores for large n."], ...
                         ["Here double; the solver's clock, data resident, where the poster copies. The ", ...
                          "sequential code is this library's own. generators: the method that auto ", ...
                          "takes, all cores."]})
          table(5, "tdinv", "gpu_tdinv, end to end, double", [100 500 1000 2000 4096 8192 16384], @dominant,
                {"ours", own, 3, true
                 "zeros", @(p) zeros(rows (p{4})), 1, true
                 "full T", @(p) gpu_tdinv(p{5}), 1, true
                 "T\\eye", @(p) p{4} \ eye(rows (p{4})), 1, false
                 "inv", @(p) inv(p{5}), 1, false},
                @(p, out, label) merge (strcmp (label, "zeros"), 0, deviation (p{4}, out{1})),
                {"vectors [s]", "ours"; "full T [s]", "full T"; "zeros [s]", "zeros"; "over zeros", "ours/zeros"
                 "T\\eye [s]", "T\\eye"; "inv [s]", "inv"; "T\\eye/ours", "T\\eye/ours"; "inv/ours", "inv/full T"
                 "backend", "ours.backend"},
                "power", 2, "quality", {"residual", "others' worst", "wrong"},
                "compare", {"vectors [s] | T\\eye [s]", "full T [s] | inv [s]"},
                "note", {["residual: |T X - I| / (|T| |X|) of three columns in units of eps; zeros is ", ...
                          "what such a result costs in Octave at least"]})];
endfunction

## {c, a, b, T, T full}.
function problem = dominant (n)
  c = 2 * rand (n - 1, 1) - 1;
  b = 2 * rand (n - 1, 1) - 1;
  a = (2 + rand (n, 1)) .* sign (randn (n, 1));
  S = gallery ("tridiag", c, a, b);
  problem = {c, a, b, S, full(S)};
endfunction

## Residual of three columns, |T X - I| / (|T| |X|) in units of eps.
function r = deviation (S, X)
  n = rows (S);
  J = unique ([1, ceil(n/2), n]);
  R = S * X(:,J) - sparse (J, 1:numel (J), 1, n, numel (J));
  r = full (max (max (abs (R), [], 1) ./ (norm (S, 1) * max (abs (X(:,J)), [], 1)))) / eps ();
endfunction

## In a process of its own, because OpenMP reads its number of threads when a process starts.
function [X, rcond, info] = one_core_inverse (n)
  octave = getenv ("OCTAVE");
  if (isempty (octave))
    octave = "octave-cli";
  endif
  [~, text] = system (sprintf (["OMP_NUM_THREADS=1 \"%s\" --norc --no-history --path \"%s\" --eval ", ...
                                "\"e = ones (%d, 1); for k = 1:2, [~, ~, s] = gpu_tdinv (e(2:end), 4 * e, e(2:end), ", ...
                                "'Method', 'sherman-morrison', 'Backend', 'cpu'); end, printf ('%%g', s.time.solve)\""], ...
                               octave, fileparts (which ("gpu_tdinv")), n));
  X = rcond = 0;
  info.time.solve = str2double (text);
endfunction

## --- problems and ratios ---

## Rows n, pages: at most MOST, about count (n).
function sizes = stacks (orders, most, count)
  sizes = [orders(:), min(most, ceil (arrayfun (count, orders(:))))];
endfunction

function A = random (n, pages, is_complex, class = "double")
  A = randn (n, n, pages, class);
  if (is_complex)
    A = complex (A, randn (n, n, pages, class));
  endif
endfunction

function B = definite (B)
  B = B * B' / rows (B) + eye (rows (B));
endfunction

function [V, lambda] = eig_loop (A, most)
  [V, lambda] = loop (@(p) eig (A(:,:,p), "vector"), min (size (A, 3), most));
endfunction

function r = symmetric_ratios (A, out, label)
  r = ratios (A, out{1:2});
endfunction

## The largest of 20 pages.
function r = general_ratio (A, out, label)
  [V, lambda] = out{1:2};
  for p = min (size (V, 3), 20):-1:1
    r(p) = eigen_errors (A(:,:,p), [], V(:,:,p), lambda(:,:,p)) / norm (V(:,:,p), 1);
  endfor
  r = worst_of (r);
endfunction

function keys = general_quality ()
  keys = {"bar", 20, "quality", {"residual", "others' worst", "wrong"}};
endfunction

## The largest columnwise backward error of the pair p{1:2}, of its last page, in n eps; calls
## without B have none.
function r = pair_ratio (p, out, label)
  r = 0;
  if (any (strcmp (label, {"gpu_eig", "eigs"})) && numel (p) > 2)
    return;
  endif
  k = size (out{1}, 3);
  [A, B, V, lambda] = deal (p{1}(:,:,k), p{2}(:,:,k), out{1}(:,:,k), out{2}(:,:,k));
  if (! isvector (lambda))
    lambda = diag (lambda);
  endif
  r = eigen_errors (A, B, V, lambda);
endfunction
