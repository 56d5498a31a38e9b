%% draws
n = 500;
u = gpuArray (rand (n, 2));
%% histogram
[h, c] = hist (u(:, 1), 10);
%% histogram by edges
hc = histc (u(:, 1), 0:0.1:1);
%% paths of Brownian motion
dW = gpuArray (randn (50, 20)) * sqrt (0.02);
W = cumsum (dW);
WT = W(end, :);
%% stock paths
S = 100 * exp (cumsum ((0.05 - 0.02) * 0.02 + 0.2 * dW));
ST = S(end, :);
%% call option
pay = max (ST - 100, 0);
C = exp (-0.05) * mean (pay);
ci = 1.96 * std (pay) / sqrt (numel (pay));
fprintf ("%.4f +- %.4f\n", C, ci);
%% barrier
hit = any (S > 130);
alive = ! hit;
Cb = mean (pay .* alive);
%% Asian
A = mean (max (mean (S) - 100, 0));
%% lookback
L = mean (max (S) - ST);
%% antithetic
z = gpuArray (randn (1, 100));
a = 0.5 * (exp (z) + exp (-z));
v = var (a) < var (exp (z));
%% control variate
x = exp (z);
k = cov (x, z);
b = k(1, end) / var (z);
cv = mean (x - b * z);
%% quantiles
q = quantile (ST(:), [0.05 0.5 0.95]);
pr = prctile (ST(:), 50);
%% value at risk
s = sort (ST);
var5 = s(ceil (0.05 * numel (s)));
%% correlated normals
R = [1 0.5; 0.5 1];
L = chol (gpuArray (R), "lower");
Z = L * gpuArray (randn (2, 50));
%% rejection
y = gpuArray (rand (1, 200));
f = y .* (1 - y) * 4;
keep = rand (1, 200) < f;
acc = y(keep);
m = mean (acc);
%% importance weights
w = exp (-z .^ 2 / 2);
w = w / sum (w);
ess = 1 / sum (w .^ 2);
%% resample
cw = cumsum (w);
idx = zeros (1, 5);
for i = 1:5
  idx(i) = find (cw >= (i - 0.5) / 5, 1);
end
zr = z(idx);
%% random integers
d = gpuArray (randi (6, 100, 2));
s = sum (d, 2);
n7 = sum (s == 7);
%% table of counts
t = accumarray (s, 1);
%% mode and skewness
mo = mode (s);
sk = skewness (z);
ku = kurtosis (z);
%% bootstrap
B = zeros (1, 10);
for i = 1:10
  at = randi (100, 1, 100);
  B(i) = mean (z(at));
end
sb = std (B);
%% Metropolis
x = 0;
chain = zeros (1, 50, "like", z);
for i = 1:50
  y1 = x + z(i);
  if (log (rand ()) < (x ^ 2 - y1 ^ 2) / 2)
    x = y1;
  end
  chain(i) = x;
end
mc = mean (chain);
%% running mean
rm = cumsum (chain) ./ (1:50);
%% logarithms
l = log (u(:, 1));
e = -log1p (-u(:, 1));
%% standard normal by the inverse
g = sqrt (2) * erfinv (2 * u(1:5, 1) - 1);
%% Box and Muller
r = sqrt (-2 * log (u(:, 1)));
nrm = [r .* cos(2 * pi * u(:, 2)), r .* sin(2 * pi * u(:, 2))];
%% unbiased sums of integers
k = sum (floor (10 * u(:)));
