%% a design matrix and observations
n = 60;  p = 4;
X = gpuArray ([ones(n, 1), randn(n, p - 1)]);
beta = gpuArray ([1; -2; 0.5; 3]);
y = X * beta + 0.1 * randn (n, 1);
%% a full Q
[Qf, Rf] = qr (X);
e = norm (Qf' * Qf - eye (n), "fro") < 1e-12;
r0 = norm (Qf * Rf - X, "fro") < 1e-12;
%% by LU with row exchanges
[L, U, P] = lu (X' * X);
b3 = U \ (L \ (P * (X' * y)));
%% lower factor with rows exchanged
[L2, U2] = lu (X' * X);
same = norm (L2 * U2 - X' * X, "fro") < 1e-10;
Y = lu (X' * X);
%% of a matrix with more rows
[L4, U4, P4] = lu (X);
sizes = [size(L4); size(U4); size(P4)];
d4 = norm (L4 * U4 - P4 * X, "fro") < 1e-12;
%% determinant of a singular matrix
z = det (X(1:4, [1 1 2 3]));
%% determinant of what is not square
det (X);
%% remainders of numbers that are not integers
m1 = mod (y, 0.3);  m2 = rem (-y, 1);  m3 = mod (y, -2);
%% angles and distances
a = atan2 (X(:, 2), X(:, 3));
q = hypot (X(:, 2), X(:, 3));
w = angle (complex (X(:, 2), X(:, 3)));
agree = max (abs (a - w)) < 1e-14;
%% functions of complex numbers
c = complex (X(:, 2), X(:, 3));
f = {sin(c), cos(c), tan(c), sinh(c), tanh(c), log2(c), log10(c), log1p(c), expm1(c), atan(c), asin(c), acos(c), sign(c), round(c), fix(c)};
%% outside of the domain
g = {asin(X(:, 2) * 3), acos(X(:, 2) * 3), log2(X(:, 2)), log10(X(:, 2)), log1p(X(:, 2) * 3)};
%% gamma functions
G1 = gamma (abs (X(:, 2)) + 0.5);
G2 = gamma (gpuArray ([0 -1 5 1.5]));
%% of rows, longer
F2 = fft (X, 8, 2);
F3 = fft2 (X);
%% groups on pages
A = reshape (X', p, 5, 12);
K = pagemtimes (A, permute (A, [2 1 3]));
k1 = norm (K(:, :, 3) - A(:, :, 3) * A(:, :, 3)', "fro") < 1e-12;
%% under a constraint, by one system
C = [2 * (X' * X), ones(p, 1); ones(1, p), 0];
z = C \ [2 * (X' * y); 1];
s1 = abs (sum (z(1:p)) - 1) < 1e-10;
%% sizes that are arrays
k = gpuArray (3);
w = zeros (k, 1);
w(k) = X(k, 2);
%% orders of a row
P = perms (X(1, 2:4));
