%% matrix of low rank
m = 12;  n = 9;  k = 2;
U0 = gpuArray (rand (m, k));
V0 = gpuArray (rand (n, k));
X = U0 * V0';
%% observed entries
M = mod ((1:m)' + (1:n), 3) > 0;
Y = X .* M;
%% start
U = gpuArray (rand (m, k));
V = gpuArray (rand (n, k));
%% full data, alternating
for it = 1:20
  U = (X * V) / (V' * V);
  V = (X' * U) / (U' * U);
end
err = norm (X - U * V', "fro") / norm (X, "fro") < 1e-6;
U = U(:, 1) * 0 + 1;  V = V(:, 1) * 0 + 1;
%% with a mask, row by row
U = gpuArray (ones (m, k));
V = gpuArray (reshape (cos (1:n*k), n, k));
for it = 1:3
  for i = 1:m
    at = M(i, :);
    Vi = V(at, :);
    U(i, :) = (Vi' * Vi + 0.1 * eye (k)) \ (Vi' * Y(i, at)');
  end
  for j = 1:n
    at = M(:, j);
    Uj = U(at, :);
    V(j, :) = (Uj' * Uj + 0.1 * eye (k)) \ (Uj' * Y(at, j));
  end
end
%% error on what was not
T = X - U * V';
r2 = sqrt (mean (T(! M) .^ 2));
%% best rank two by svd
[P, S, Q] = svd (X);
Xk = P(:, 1:k) * S(1:k, 1:k) * Q(:, 1:k)';
d = norm (X - Xk) < 1e-10;
P = [];  S = [];  Q = [];
%% singular values
s = svd (X);
r = sum (s > 1e-9 * s(1));
s = s(1:k);
%% nuclear and spectral norms
nn = sum (svd (X));
ns = norm (X);
%% soft threshold
[P, S, Q] = svd (X, 0);
sd = max (diag (S) - 0.1, 0);
Z = P * diag (sd) * Q';
P = [];  S = [];  Q = [];
%% nonnegative factors
W = rand (m, k) + 0.1;
H = gpuArray (rand (k, n) + 0.1);
W = gpuArray (W);
for it = 1:10
  H = H .* (W' * X) ./ (W' * W * H + eps);
  W = W .* (X * H') ./ (W * (H * H') + eps);
end
pos = all (W(:) >= 0) && all (H(:) >= 0);
%% top entries
[v, at] = sort (X(:), "descend");
[i, j] = ind2sub (size (X), at(1:3));
%% recommend
B = X;
B(M) = -Inf;
[best, item] = max (B, [], 2);
%% Khatri-Rao
K = [];
for c = 1:k
  K(:, c) = kron (gather (U(:, c)), gather (V(:, c)));
end
Kg = gpuArray (K);
%% tensor unfold
G = reshape (gpuArray (1:24), 2, 3, 4);
G1 = reshape (G, 2, []);
G2 = reshape (permute (G, [2 1 3]), 3, []);
G3 = reshape (permute (G, [3 1 2]), 4, []);
%% pages
P = pagemtimes (G, ones (3, 2));
Pt = permute (G, [2 1 3]);
%% shape of singleton dimensions
q = squeeze (G(1, 2, :));
sz = size (G(:, :, end));
nd = ndims (G);
%% blocks of rows
b = mat2cell (gather (X), [4 4 4], n);
big = vertcat (b{:});
b = [];
%% repmat and kron
rp = repmat (X(1, :), 3, 1);
kr = kron (X(1:2, 1:2), ones (2));
%% weighted least squares
w = gpuArray (linspace (1, 2, m)');
x = lscov (gather (U), gather (X(:, 1)), gather (w));
x2 = (U' * (w .* U)) \ (U' * (w .* X(:, 1)));
%% sign fixed
s = sign (sum (U));
U = U .* s;
V = V .* s;
