%% points of three groups
X = gpuArray ([randn(20, 2); randn(20, 2) + 6; randn(20, 2) - 6]);
C = X([1 21 41], :);
n = rows (X);  k = 3;
%% squared distances by broadcasting
D = zeros (n, k, "like", X);
for j = 1:k
  D(:, j) = sum ((X - C(j, :)) .^ 2, 2);
end
%% nearest centre
[d, label] = min (D, [], 2);
%% group sizes
count = accumarray (label, 1);
%% new centres by masks
for j = 1:k
  C(j, :) = mean (X(label == j, :), 1);
end
%% whole iteration
for it = 1:5
  D = sum (X .^ 2, 2) + sum (C .^ 2, 2)' - 2 * (X * C');
  [d, label] = min (D, [], 2);
  old = C;
  for j = 1:k
    C(j, :) = mean (X(label == j, :), 1);
  end
  if (norm (C - old, "fro") < 1e-10)
    break;
  end
end
%% sum of distances
inertia = sum (d);
fprintf ("%d iterations, %.6f\n", it, inertia);
%% sort points by label
[label2, order] = sort (label);
Xs = X(order, :);
%% squared distances of three dimensions
P = permute (X, [1 3 2]) - permute (C, [3 1 2]);
D3 = squeeze (sum (P .^ 2, 3));
%% per group standard deviation
s = zeros (k, 2);
for j = 1:k
  s(j, :) = gather (std (X(label == j, :)));
end
%% bsxfun of older programs
Y = bsxfun (@minus, X, mean (X));
nn = sqrt (sum (bsxfun (@times, Y, Y), 2));
%% largest distance to the own centre
[far, at] = max (d);
x = X(at, :);
%% silhouette of one point
a = sqrt (sum ((X - X(1, :)) .^ 2, 2));
own = mean (a(label == label(1)));
other = min ([mean(a(label == 2)), mean(a(label == 3))]);
sil = (other - own) / max (own, other);
%% unique labels
u = unique (label);
%% centres by sums with accumarray
sx = accumarray (label, X(:, 1));
cx = sx ./ accumarray (label, 1);
%% any NaN
ok = ! any (isnan (C(:))) && all (isfinite (X(:)));
%% k-means++ weights
w = min (D, [], 2);
w = w / sum (w);
cw = cumsum (w);
pick = find (cw >= 0.3, 1);
%% median centres
for j = 1:k
  Cm(j, :) = median (X(label == j, :));
end
%% cell of groups
groups = cell (1, k);
for j = 1:k
  groups{j} = X(label == j, :);
end
sizes = cellfun (@rows, groups);
