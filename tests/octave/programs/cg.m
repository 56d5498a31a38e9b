%% matrix of a Laplacian
n = 30;
A = gpuArray (full (gallery ("tridiag", n)));
b = gpuArray (ones (n, 1));
%% start
x = zeros (n, 1, "like", b);
r = b - A * x;
p = r;
rho = r' * r;
%% the loop
res = [];
for k = 1:2*n
  q = A * p;
  alpha = rho / (p' * q);
  x = x + alpha * p;
  r = r - alpha * q;
  new = r' * r;
  res(k) = sqrt (new);
  if (sqrt (new) < 1e-12)
    break;
  end
  p = r + (new / rho) * p;
  rho = new;
end
%% residual
nr = norm (b - A * x) / norm (b);
small = nr < 1e-10;
res = [];  r = [];  p = [];  q = [];  new = [];  rho = [];  alpha = [];
%% compound operators
r = b;
x = 0 * b;
r -= A * x;
x += r;
x *= 2;
x /= 2;
%% preconditioner
d = diag (A);
z = r ./ d;
M = diag (1 ./ d);
z2 = M * r;
%% preconditioned loop
x = zeros (size (b));  r = b;  z = r ./ d;  p = z;  rz = dot (r, z);
for k = 1:n
  q = A * p;
  alpha = rz / dot (p, q);
  x += alpha * p;
  r -= alpha * q;
  if (norm (r) <= 1e-10 * norm (b)), break; end
  z = r ./ d;
  rz1 = dot (r, z);
  p = z + rz1 / rz * p;
  rz = rz1;
end
x = round (x * 1e6) / 1e6;
r = [];  p = [];  z = [];  q = [];  rz = [];  rz1 = [];  alpha = [];
%% Octave's pcg with a function
[y, flag] = pcg (@(v) A * v, b, 1e-10, 100);
ok = flag == 0;
y = round (y * 1e6) / 1e6;
%% Octave's pcg with the matrix
[y, flag] = pcg (A, b, 1e-10, 100);
y = round (y * 1e6) / 1e6;
%% inverse iteration
v = b;
for k = 1:20
  v = A \ v;
  v = v / norm (v);
end
lmin = v' * A * v;
%% Lanczos
m = 8;
Q = zeros (n, m + 1, "like", A);
Q(:, 1) = b / norm (b);
T = zeros (m);
q0 = (1:n)';  Q(:, 1) = q0 / norm (q0);
beta = 0;
for j = 1:m
  w = A * Q(:, j);
  if (j > 1)
    w = w - beta * Q(:, j-1);
  end
  a = Q(:, j)' * w;
  w = w - a * Q(:, j);
  beta = norm (w);
  Q(:, j+1) = w / beta;
  T(j, j) = a;
  T(j, j+1) = beta;
  T(j+1, j) = beta;
end
%% sparse matrix of the plain program
S = sparse (gather (A));
w = S * b;
%% residual history in a vector of the card
h = zeros (1, 5, "like", b);
x = 0 * b;
for k = 1:5
  r = b - A * x;
  x = x + 0.2 * r;
  h(k) = norm (r);
end
rate = h(2:end) ./ h(1:end-1);
%% Gauss-Seidel splitting
L = tril (A);
U = A - L;
x = 0 * b;
for k = 1:10
  x = L \ (b - U * x);
end
%% positive definite
pd = all (eig (A) > 0);
[~, p] = chol (A);
%% vector norms of any p
v3 = norm (b, 3);
vinf = norm (b, -Inf);
v1 = norm (b, 1);
%% preallocated and grown
hist = gpuArray ([]);
for k = 1:4
  hist(end + 1) = k ^ 2;
end
%% scalar on the card as a bound
tol = gpuArray (1e-3);
below = sum (b > gather (tol));
