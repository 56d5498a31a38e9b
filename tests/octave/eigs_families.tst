## Claims: gpu_eigs returns the eigenvalues of eig that SIGMA names, with all copies, and small residuals, on 88
## matrices and pairs of known families: Laplacians, graphs, disordered and graded matrices, stiffness and
## mass, Markov chains, convection, skew, defective and very large or small ones, of all four types.
## The usual run takes a fifth of them with one SIGMA each.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Rows of name, A, B, K; A is Hermitian.
%!function list = symmetric_families ()
%!  path = @(n) gallery ("tridiag", n);
%!  square = @(n) kron (path (n), speye (n)) + kron (speye (n), path (n));
%!  cube = @(n) kron (square (n), speye (n)) + kron (speye (n^2), path (n));
%!  shift = @(n) sparse (1:n, [2:n, 1], 1, n, n);
%!  laplacian = @(G) diag (sum (G)) - G;
%!  noise = @(n) spdiags (sin ((1:n)' .^ 2), 0, n, n);
%!  ring = shift (7) + shift (7)';
%!  torus = kron (kron (ring, speye (7)), speye (7)) + kron (kron (speye (7), ring), speye (7)) + kron (speye (49), ring);
%!  wilkinson = spdiags ([ones(401,1), abs((1:401)'-201), ones(401,1)], -1:1, 401, 401);
%!  glue = ones (420, 1);
%!  glue(21:21:end) = 1e-8;
%!  glued = spdiags ([glue, repmat(abs ((-10:10)'), 20, 1), [0; glue(1:end-1)]], -1:1, 420, 420);
%!  star = sparse (1, 2:400, 1, 400, 400);
%!  star += star';
%!  hypercube = sparse (0);
%!  for j = 1:9
%!    hypercube = kron (hypercube, speye (2)) + kron (speye (rows (hypercube)), shift (2));
%!  endfor
%!  [Q, ~] = qr (reshape (sin ((1:320^2) .^ 2), 320, 320));
%!  hermitian = @(X) (X + X') / 2;
%!  symmetric = @(d) hermitian (Q * diag (d) * Q');
%!  hop = shift (20);
%!  hop(20,1) = 0;
%!  flux = kron (hop, speye (20)) + kron (spdiags (exp (2i * pi * (1:20)' / 5), 0, 20, 20), hop);
%!  flux += flux';
%!  mass = gallery ("tridiag", 20, 1, 4, 1) / 6;
%!  mass2 = kron (mass, mass);
%!  plate = kron (path (20), mass) + kron (mass, path (20));
%!  ke = [12 6 -12 6; 6 4 -6 2; -12 -6 12 -6; 6 2 -6 4];
%!  me = [156 22 54 -13; 22 4 13 -3; 54 13 156 -22; -13 -3 -22 4] / 420;
%!  beam = beam_mass = sparse (322, 322);
%!  for e = 1:2:319
%!    beam(e:e+3,e:e+3) += ke;
%!    beam_mass(e:e+3,e:e+3) += me;
%!  endfor
%!  list = {"square", square(20), [], 8
%!          "cube", cube(7), [], 11
%!          "path", path(400), [], 6
%!          "ring", laplacian(shift (400) + shift (400)'), [], 7
%!          "disordered square", square(20) + 4 * noise(400), [], 6
%!          "disordered torus", torus + 8 * noise(343), [], 6
%!          "Wilkinson", wilkinson, [], 9
%!          "glued Wilkinson", glued, [], 25
%!          "cliques", laplacian(kron (speye (50), sparse (ones (8) - eye (8)))), [], 55
%!          "star, Laplacian", laplacian(star), [], 6
%!          "star, adjacency", star, [], 6
%!          "hypercube", hypercube, [], 12
%!          "hypercube, singular", hypercube + speye(512), [], 12
%!          "Lehmer", gallery("lehmer", 320), [], 6
%!          "min (i, j)", gallery("minij", 320), [], 6
%!          "Moler", gallery("moler", 310), [], 6
%!          "Kac, Murdock, Szego", gallery("kms", 310, 0.9), [], 6
%!          "Pei", gallery("pei", 310), [], 6
%!          "Fiedler", gallery("fiedler", 310), [], 6
%!          "Hilbert", hilb(310), [], 6
%!          "Ris", gallery("ris", 310), [], 6
%!          "sine transform", gallery("orthog", 320, 1), [], 6
%!          "ones", ones(400), [], 4
%!          "reflection", eye(320) - 2 / 320 * ones(320), [], 5
%!          "Clement", gallery("clement", 400, 1), [], 6
%!          "graded arrow", sparse(diag (logspace (0, -18, 400))) + 1e-3 * star, [], 6
%!          "two clusters", symmetric([1 + 1e-13 * (1:8), 0.5 + 1e-12 * (1:8), linspace(-.4, .4, 304)]), [], 10
%!          "rank 3", symmetric([3, 2, -1, zeros(1, 317)]), [], 6
%!          "zero", sparse(400, 400), [], 4
%!          "identity", 3 * speye(400), [], 9
%!          "large", square(19) * 2^300, [], 8
%!          "small", square(19) * 2^-300, [], 8
%!          "very large", square(19) * 2^1000, [], 8
%!          "very small", square(19) * 2^-1000, [], 8
%!          "single", single(full (square (18))), [], 6
%!          "large single", single(full (square (18))) * single(2)^100, [], 6
%!          "small single", single(full (square (18))) * single(2)^-100, [], 6
%!          "magnetic field", flux, [], 6
%!          "magnetic field, single", single(full (flux)), [], 6
%!          "bar", path(400), gallery("tridiag", 400, 1, 4, 1) / 6, 6
%!          "membrane", plate, mass2, 8
%!          "membrane, full mass", plate, full(mass2), 8
%!          "free membrane", laplacian(kron (hop + hop', speye (20)) + kron(speye (20), hop + hop')), mass2, 6
%!          "indefinite pair", square(20) - 4 * speye(400), mass2, 6
%!          "beam", beam(3:end,3:end), beam_mass(3:end,3:end), 6
%!          "free beam", beam, beam_mass, 6
%!          "graded mass", path(400), spdiags(logspace (0, -8, 400)', 0, 400, 400), 6
%!          "Hermitian pair", flux, speye(400) + 0.1 * flux, 6
%!          "pair of scales", square(19) * 2^-400, speye(361) * 2^401, 6};
%!  ## Not part of the project, see CONTRIBUTING.
%!  file = fullfile (fileparts (which ("gpu_info")), "..", "..", "..", "shared", "data", "494_bus.txt");
%!  if (exist (file, "file"))
%!    t = dlmread (file, "", 1, 0);
%!    A = sparse (t(:,1), t(:,2), t(:,3), 494, 494);
%!    list(end+1,:) = {"power network", tril(A) + tril(A, -1)', [], 6};
%!  endif
%!endfunction

## Rows of name, A, B, K; A is not Hermitian.
%!function list = general_families ()
%!  n = 20;
%!  convection = @(c) kron (gallery ("tridiag", n, -1-c, 2, -1+c), speye (n)) ...
%!                    + kron (speye (n), gallery ("tridiag", n, -1-c/2, 2, -1+c/2));
%!  S = spdiags (sin ((1:350)' * (1:9)), [-90, -31, -7, -1, 0, 1, 5, 60, 200], 350, 350);
%!  X = reshape (sin ((1:320^2) .^ 2), 320, 320);
%!  skew = gallery ("tridiag", 400, -1, 0, 1);
%!  m = 12;
%!  T = -kron (gallery ("tridiag", m), speye (m)) - kron (speye (m), gallery ("tridiag", m));
%!  diffusion = [0.008*(m+1)^2*T + 4.45*speye(m^2), 4*speye(m^2); -5.45*speye(m^2), 0.004*(m+1)^2*T - 4*speye(m^2)];
%!  chain = gallery ("tridiag", 400, 0.45, 0, 0.55);
%!  chain([1, end]) = [0.45, 0.55];
%!  jordan = kron (spdiags ((1:110)' / 110, 0, 110, 110), speye (3)) + kron (speye (110), 0.01 * sparse ([0 1 0; 0 0 1; 0 0 0]));
%!  list = {"Grcar", gallery("grcar", 400), [], 6
%!          "little convection", convection(0.05), [], 6
%!          "convection", convection(0.5), [], 6
%!          "more convection", convection(5), [], 6
%!          "sparse", S, [], 6
%!          "random walk", spdiags(1 ./ sum (abs (S), 2), 0, 350, 350) * abs(S), [], 6
%!          "walk on a triangle", walk_on_triangle(25), [], 8
%!          "birth and death", chain, [], 6
%!          "skew", skew, [], 6
%!          "skew, square", kron(skew(1:20,1:20), speye (20)) + kron(speye (20), skew(1:20,1:20)), [], 8
%!          "full", X, [], 6
%!          "full skew", X - X', [], 6
%!          "complex", X + 1i * X', [], 6
%!          "single", single(X), [], 6
%!          "complex single", single(X + 1i * X'), [], 6
%!          "defective", jordan, [], 6
%!          "nilpotent", triu(S, 1), [], 4
%!          "reaction and diffusion", diffusion, [], 6
%!          "Toeplitz", gallery("toeppen", 400), [], 6
%!          "Lesp", gallery("lesp", 400), [], 6
%!          "Riemann", gallery("riemann", 310), [], 6
%!          "Redheffer", gallery("redheff", 310), [], 6
%!          "smoke", gallery("smoke", 310), [], 6
%!          "Forsythe", gallery("forsythe", 310), [], 6
%!          "Parter", gallery("parter", 310), [], 6
%!          "Neumann", gallery("neumann", 400), [], 6
%!          "Clement", gallery("clement", 400), [], 6
%!          "circulant", gallery("circul", sin ((1:320) .^ 2)), [], 6
%!          "Hanowa", gallery("hanowa", 320), [], 6
%!          "Fourier transform", fft(eye (320)) / sqrt(320), [], 6
%!          "rank 2", [sin((1:320)'), cos((1:320)')] * [cos(2 * (1:320)); (1:320) / 320], [], 6
%!          "absorbing square", kron(gallery ("tridiag", n), speye (n)) + 1i * spdiags(sin ((1:400)' .^ 2), 0, 400, 400), [], 6
%!          "large", S * 2^300, [], 6
%!          "very small", S * 2^-1000, [], 6
%!          "complex, very large", (S + 1i * S') * 2^1000, [], 6
%!          "twins", blkdiag(S(1:175,1:175), S(1:175,1:175)), [], 6
%!          "pair", S, gallery("tridiag", 350, 1, 4, 1), 6
%!          "complex pair", S + 1i * S.', gallery("tridiag", 350, 1i, 4, -1i), 6};
%!endfunction

## Steps towards the corner have probability (i + j) / m, others lead away from it.
%!function P = walk_on_triangle (m)
%!  [i, j] = meshgrid (0:m);
%!  inside = i + j <= m;
%!  number = zeros (m + 1);
%!  number(inside) = 1:nnz (inside);
%!  P = sparse (nnz (inside), nnz (inside));
%!  for at = find (inside)'
%!    [a, b] = deal (j(at), i(at));
%!    down = (a + b) / m;
%!    if (a > 0), P(number(at),number(a,b+1)) += down * a / (a + b); endif
%!    if (b > 0), P(number(at),number(a+1,b)) += down * b / (a + b); endif
%!    if (down < 1), P(number(at),[number(a+2,b+1), number(a+1,b+2)]) += (1 - down) / 2; endif
%!  endfor
%!endfunction

## The rows of LIST and the words and numbers of SIGMAS for a row of this run.
%!function rows_ = of_this_run (list)
%!  step = merge (isempty (getenv ("GPUEIG_TEST_LONG")), 5, 1);
%!  rows_ = 1:step:rows (list);
%!endfunction
%!function sigmas = for_row (sigmas, row)
%!  if (isempty (getenv ("GPUEIG_TEST_LONG")))
%!    sigmas = sigmas(1 + mod (row, numel (sigmas)));
%!  endif
%!endfunction

%!test
%! worst = 0;
%! list = symmetric_families ();
%! for row = of_this_run (list)
%!   [name, A, B, k] = list{row,:};
%!   pair = cellfun (@full, {A, B}(1:1+! isempty (B)), "UniformOutput", false);
%!   all = eig (pair{:});
%!   condition = ones (size (all));
%!   if (! isempty (B)), condition *= cond (full (B)); endif
%!   for sigma = for_row ({"lm", "sm", "be", double(full (A(2,2))) / (1 + ! isempty (B)), "la", "sa", double(all(100)) * 1.0001}, row)
%!     worst = max (worst, eigs_ratio (name, A, B, k, sigma{1}, all, condition));
%!   endfor
%! endfor
%! printf ("largest ratio of symmetric families: %.3f\n", worst);

%!test
%! worst = 0;
%! list = general_families ();
%! for row = of_this_run (list)
%!   [name, A, B, k] = list{row,:};
%!   if (isempty (B))
%!     [V, D, W] = eig (full (double (A)));
%!     condition = 1 ./ abs (sum (conj (W) .* V, 1))' .* sqrt (sumsq (abs (W), 1) .* sumsq (abs (V), 1))';
%!     condition(! (condition < 1e10)) = Inf;  # those of eig are no better
%!     all = diag (D);
%!   else
%!     [V, all] = eig (full (A), full (B), "vector");
%!     condition = ones (size (all)) * cond (V);
%!   endif
%!   for sigma = for_row ({"lm", "lr", double(full (A(2,2))), "sm", "sr", double(all(100)) * 1.0001, "li", "si"}, row)
%!     worst = max (worst, eigs_ratio (name, A, B, k, sigma{1}, all, condition));
%!   endfor
%! endfor
%! printf ("largest ratio of general families: %.3f\n", worst);
