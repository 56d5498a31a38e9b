%% data
x = gpuArray (linspace (0, 1, 40)');
y = sin (2 * pi * x) + 0.1 * cos (40 * x);
%% Gaussian kernel
h = 0.1;
K = exp (-(x - x') .^ 2 / (2 * h ^ 2));
%% weights of Nadaraya and Watson
W = K ./ sum (K, 2);
f = W * y;
%% residual
r = y - f;
mse = mean (r .^ 2);
rmse = sqrt (mse);
%% ridge regression
n = numel (y);
alpha = (K + 0.1 * eye (n)) \ y;
fr = K * alpha;
%% by Cholesky
R = chol (K + 0.1 * eye (n));
alpha2 = R \ (R' \ y);
same = norm (alpha2 - alpha) < 1e-8;
%% not positive definite
B = K - eye (n);
[R2, flag] = chol (B);
R2 = [];
%% not positive definite is an error
R3 = chol (K - 2 * eye (n));
%% new points
z = gpuArray ([0.05; 0.55; 0.95]);
Kz = exp (-(z - x') .^ 2 / (2 * h ^ 2));
fz = Kz * alpha;
%% posterior variance
V = R' \ Kz';
sd = sqrt (1 - sum (V .^ 2)');
%% choice of the width
hs = [0.05 0.1 0.2 0.4];
score = zeros (size (hs));
for i = 1:numel (hs)
  Ki = exp (-(x - x') .^ 2 / (2 * hs(i) ^ 2));
  Wi = Ki ./ sum (Ki, 2);
  score(i) = mean (((y - Wi * y) ./ (1 - diag (Wi))) .^ 2);
end
[best, at] = min (score);
%% centre the kernel
J = ones (n) / n;
Kc = K - J * K - K * J + J * K * J;
z0 = max (abs (sum (Kc)));
%% kernel PCA
[V, D] = eig ((Kc + Kc') / 2);
lam = sort (real (diag (D)), "descend");
lam = lam(1:5);  V = [];  D = [];
%% epanechnikov window with max
We = max (0, 1 - ((x - x') / 0.2) .^ 2);
We = We ./ sum (We, 2);
fe = We * y;
%% sparse weights
Ws = W;
Ws(Ws < 1e-3) = 0;
fill = nnz (Ws) / numel (Ws);
%% condition number
c = cond (K + 0.1 * eye (n));
%% best five neighbours
[ds, at] = sort (abs (x - 0.3));
near = x(at(1:5));
%% interpolate on the host
yi = interp1 (gather (x), gather (y), 0.33);
