%% matrix
A = gpuArray (reshape (sin ((1:40) .^ 2), 8, 5));
[m, n] = size (A);
%% classical
Q = zeros (m, n, "like", A);
R = zeros (n, n, "like", A);
for j = 1:n
  v = A(:, j);
  if (j > 1)
    R(1:j-1, j) = Q(:, 1:j-1)' * A(:, j);
    v = v - Q(:, 1:j-1) * R(1:j-1, j);
  end
  R(j, j) = norm (v);
  Q(:, j) = v / R(j, j);
end
%% modified
V = A;
for j = 1:n
  R(j, j) = norm (V(:, j));
  Q(:, j) = V(:, j) / R(j, j);
  for k = j+1:n
    R(j, k) = Q(:, j)' * V(:, k);
    V(:, k) = V(:, k) - R(j, k) * Q(:, j);
  end
end
%% qr
[Q1, R1] = qr (A, 0);
Q1 = Q1 .* sign (diag (R1))';
R1 = sign (diag (R1)) .* R1;
%% full qr
[Qf, Rf] = qr (A);
sz = size (Qf);
Qf = norm (Qf * Rf - A) < 1e-12;  Rf = [];
%% least squares
b = gpuArray ((1:m)');
x = R \ (Q' * b);
x2 = A \ b;
%% residual is orthogonal
r = b - A * x;
o = norm (A' * r) < 1e-10;
%% Householder
x = A(:, 1);
v = x;
v(1) += sign (x(1)) * norm (x);
v /= norm (v);
H = eye (m) - 2 * v * v';
y = H * x;
y(abs (y) < 1e-12) = 0;
%% Givens
t = atan2 (A(2, 1), A(1, 1));
G = [cos(t) sin(t); -sin(t) cos(t)];
B = A;
B(1:2, :) = G * B(1:2, :);
B(2, 1) = 0;
%% column norms
c = sqrt (sum (A .^ 2));
c2 = norm (A, "columns");
c3 = norm (A, "rows");
An = A ./ c;
%% pivots by norm
[~, p] = sort (c, "descend");
Ap = A(:, p);
%% lu
[L, U, P] = lu (A(1:5, :));
z = norm (L * U - P * A(1:5, :)) < 1e-12;
%% lu without pivots stored
[L2, U2] = lu (A(1:5, :));
z = norm (L2 * U2 - A(1:5, :)) < 1e-12;
%% determinant
d = det (A(1:5, :));
d2 = abs (prod (diag (U)));
%% Gram determinant
g = det (A' * A);
%% null and range
N = null (A(1:3, :));
nn = norm (A(1:3, :) * N) < 1e-10;
N = size (N);
O = orth (A);
O = size (O);
%% pinv
Pi = pinv (A);
%% rank
r = rank ([A, A(:, 1)]);
%% cross product
w = cross (A(1:3, 1), A(1:3, 2));
%% Hessenberg by eig
H = A(1:5, :);
l = sort (abs (eig (H)));
%% triangular tests
tu = istriu (R);
tl = istril (R');
td = isdiag (diag (diag (R)));
