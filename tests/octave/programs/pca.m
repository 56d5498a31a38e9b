%% data on the card
X = gpuArray (randn (60, 5) * diag ([5 3 2 1 0.5]) + 7);
%% size of the problem
[n, p] = size (X);
fprintf ("%d observations of %d variables\n", n, p);
%% centre
mu = mean (X);
Xc = X - mu;
%% centred means are zero
worst = max (abs (mean (Xc)));
%% standard deviations
s = std (X);
v = var (X, 1);
%% standard scores
Z = (X - mean (X)) ./ std (X);
%% covariance by a product
C = Xc' * Xc / (n - 1);
%% covariance and correlation functions
C1 = cov (X);
R = corr (X);
R1 = corrcoef (X(:,1), X(:,2));
%% eigenvectors, largest first
[V, D] = eig (C);
[lambda, order] = sort (diag (D), "descend");
V = V(:, order);
V = V .* sign (V(1,:));
%% explained variance
share = lambda / sum (lambda);
total = cumsum (share);
%% scores
T = Xc * V(:, 1:2);
%% singular value decomposition
[U, S, W] = svd (Xc, "econ");
sv = diag (S);
U = abs (U);  W = abs (W);
%% singular values against eigenvalues
gap = max (abs (svd (Xc) .^ 2 / (n - 1) - lambda));
%% whitening
Y = Xc * V * diag (1 ./ sqrt (lambda));
I = Y' * Y / (n - 1);
%% remove rows that are far away
d2 = sum (Y .^ 2, 2);
far = d2 > 9;
X2 = X;
X2(far, :) = [];
count = nnz (far);
%% median and range per variable
m = median (X);
r = range (X);
lo = min (X);  hi = max (X);
%% Mahalanobis distances
M = sqrt (sum ((Xc / C) .* Xc, 2));
[far5, which5] = sort (M, "descend");
far5 = far5(1:5);  which5 = which5(1:5);
%% missing values replaced by the mean
Q = X;
Q(3, 2) = NaN;
bad = isnan (Q);
Q(bad) = 0;
filled = sum (Q) ./ sum (! bad);
%% a loop over components
total_var = 0;
for j = 1:p
  total_var += lambda(j);
end
%% report
for j = 1:2
  fprintf ("component %d: %.4f\n", j, share(j));
end
text = sprintf ("%6.3f", total);
%% summary as text
t = num2str (round (lambda' * 100) / 100);
u = mat2str (round (C * 100) / 100);
%% rank and trace
rk = rank (Xc);
tr = trace (C);
%% single precision
Xs = single (X);
ms = mean (Xs);
cs = class (gather (ms));
%% result to the host
[Th, lh] = gather (T, lambda);
