%% random transition matrix
n = 8;
P = gpuArray (rand (n));
P = P ./ sum (P, 2);
%% distribution after steps
p = ones (1, n) / n;
for k = 1:20
  p = p * P;
end
%% by a power
p2 = ones (1, n) / n * P ^ 20;
d = norm (p - p2) < 1e-12;
%% powers that are not finite
n1 = P ^ NaN;  n2 = single (P) ^ NaN;  n3 = (P + 1i * P) ^ NaN;
i1 = P ^ Inf;  i2 = single (P) ^ -Inf;  i3 = (P + 1i * P) ^ Inf;  i4 = P ^ complex (1, NaN);
e1 = P([],[]) ^ NaN;  e2 = P(1) ^ NaN;
%% stationary by an eigenvector
[V, D] = eig (P');
[m, at] = max (real (diag (D)));
pi1 = real (V(:, at));
pi1 = pi1 / sum (pi1);
V = [];  D = [];
%% stationary by linear equations
A = [P' - eye(n); ones(1, n)];
b = [zeros(n, 1); 1];
pi2 = A \ b;
%% mixing
lam = sort (abs (eig (P)), "descend");
gap = 1 - lam(2);
%% entropy rate
H = -sum (pi2 .* sum (P .* log2 (P), 2));
%% simulate a path
C = cumsum (P, 2);
u = rand (1, 30);
s = 1;
path = zeros (1, 30);
for k = 1:30
  path(k) = s;
  s = find (C(s, :) >= u(k), 1);
end
%% count the visits
visits = accumarray (path', 1, [n 1])';
f = visits / numel (path);
%% count transitions
T = zeros (n);
for k = 1:29
  T(path(k), path(k+1)) += 1;
end
T = gpuArray (T);
%% google matrix
G = 0.85 * P + 0.15 / n;
x = ones (n, 1) / n;
for k = 1:30
  x = G' * x;
end
[rank1, order] = sort (x, "descend");
%% continuous time
R = P - eye (n);
E = expm (0.5 * R);
ok2 = all (all (E > 0));
%% log likelihood of the path
idx = sub2ind ([n n], path(1:end-1), path(2:end));
ll = sum (log (P(idx)));
%% product of probabilities
pp = prod (P(idx(1:5)));
%% most probable successor
[pm, nxt] = max (P, [], 2);
%% print
printf ("state %d: %.5f\n", [1:n; pi2']);
disp (sum (pi2) > 0.999);
