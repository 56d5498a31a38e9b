%% a design matrix and observations
n = 60;  p = 4;
X = gpuArray ([ones(n, 1), randn(n, p - 1)]);
beta = gpuArray ([1; -2; 0.5; 3]);
y = X * beta + 0.1 * randn (n, 1);
%% least squares by QR
[Q, R] = qr (X, 0);
b1 = R \ (Q' * y);
%% a full Q
[Qf, Rf] = qr (X);
e = norm (Qf' * Qf - eye (n), "fro") < 1e-12;
r0 = norm (Qf * Rf - X, "fro") < 1e-12;
%% by the normal equations
C = chol (X' * X);
b2 = C \ (C' \ (X' * y));
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
%% determinant and its logarithm
d = det (X' * X);
ld = 2 * sum (log (diag (C)));
close_enough = abs (log (d) - ld) < 1e-8;
%% determinant of a singular matrix
z = det (X(1:4, [1 1 2 3]));
%% determinant of what is not square
det (X);
%% residuals and their variance
r = y - X * b1;
s2 = (r' * r) / (n - p);
%% covariance and standard errors
V = s2 * inv (X' * X);
se = sqrt (diag (V));
t = b1 ./ se;
fprintf ("%8.4f", t);
%% coefficient of determination
R2 = 1 - sumsq (r) / sumsq (y - mean (y));
%% leverage
h = sumsq (Q, 2);
[most, at] = max (h);
%% standardised residuals beyond two
out = find (abs (r ./ sqrt (s2 * (1 - h))) > 2);
%% ridge
for k = 1:5
  B(:, k) = (X' * X + 10 ^ (k - 3) * eye (p)) \ (X' * y);
end
%% folds by the remainder of the row
fold = mod ((0:n-1)', 5);
for k = 0:4
  test = fold == k;
  b = X(! test, :) \ y(! test);
  cv(k + 1) = mean ((y(test) - X(test, :) * b) .^ 2);
end
%% remainders of numbers that are not integers
m1 = mod (y, 0.3);  m2 = rem (-y, 1);  m3 = mod (y, -2);
%% angles and distances
a = atan2 (X(:, 2), X(:, 3));
q = hypot (X(:, 2), X(:, 3));
w = angle (complex (X(:, 2), X(:, 3)));
agree = max (abs (a - w)) < 1e-14;
%% circular mean
R1 = sum (exp (1i * a)) / n;
direction = arg (R1);
%% functions of complex numbers
c = complex (X(:, 2), X(:, 3));
f = {sin(c), cos(c), tan(c), sinh(c), tanh(c), log2(c), log10(c), log1p(c), expm1(c), atan(c), asin(c), acos(c), sign(c), round(c), fix(c)};
%% outside of the domain
g = {asin(X(:, 2) * 3), acos(X(:, 2) * 3), log2(X(:, 2)), log10(X(:, 2)), log1p(X(:, 2) * 3)};
%% gamma functions
G1 = gamma (abs (X(:, 2)) + 0.5);
G2 = gamma (gpuArray ([0 -1 5 1.5]));
%% density of Student's distribution
nu = n - p;
pdf = gamma ((nu + 1) / 2) / (sqrt (nu * pi) * gamma (nu / 2)) * (1 + t .^ 2 / nu) .^ (-(nu + 1) / 2);
%% Fourier coefficients of the residuals
F = fft (r);
S = abs (F(1:n/2+1)) .^ 2 / n;
back = norm (real (ifft (F)) - r) < 1e-12;
%% of rows, longer
F2 = fft (X, 8, 2);
F3 = fft2 (X);
%% groups on pages
A = reshape (X', p, 5, 12);
K = pagemtimes (A, permute (A, [2 1 3]));
k1 = norm (K(:, :, 3) - A(:, :, 3) * A(:, :, 3)', "fro") < 1e-12;
