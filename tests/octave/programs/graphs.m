%% adjacency
n = 7;
A = gpuArray (double (mod ((1:n)' .* (1:n), 5) == 1));
A = max (A, A');
A(1:n+1:end) = 0;
%% degree
d = sum (A);
D = diag (d);
L = D - A;
%% edges
[i, j] = find (triu (A));
m = numel (i);
%% values of the edges
[i2, j2, v] = find (A);
%% number of edges
ne = nnz (A) / 2;
%% spectrum
e = eig (L);
comp = sum (abs (e) < 1e-9);
%% normalised Laplacian
dd = d;
dd(dd == 0) = 1;
Ln = eye (n) - A ./ sqrt (dd' * dd);
%% paths of length three
P3 = A ^ 3;
tri = trace (P3) / 6;
%% reachability
R = (eye (n) + A) ^ n > 0;
nr = nnz (R(1, :));
%% breadth first search
seen = false (1, n);
front = seen;
front(1) = true;
dist = Inf (1, n);
k = 0;
while (any (front))
  dist(front) = k;
  seen = seen | front;
  front = (front * A > 0) & ! seen;
  k = k + 1;
end
%% weights
W = A .* (1 + mod ((1:n)' + (1:n), 3));
W(W == 0) = Inf;
W(1:n+1:end) = 0;
%% Floyd and Warshall
S = W;
for k = 1:n
  S = min (S, S(:, k) + S(k, :));
end
%% diameter
f = S(isfinite (S));
dia = max (f);
%% closeness
S2 = S;
S2(isinf (S2)) = 0;
c = sum (S2, 2);
%% page rank
p = ones (n, 1) / n;
M = A ./ dd;
for k = 1:30
  p = 0.85 * M' * p + 0.15 / n;
end
[~, order] = sort (p, "descend");
%% triangles per vertex
t = diag (A ^ 3) / 2;
cl = t ./ max (d' .* (d' - 1) / 2, 1);
%% remove a vertex
B = A;
B(2, :) = [];
B(:, 2) = [];
%% remove several
B = A;
B([1 3], :) = [];
B(:, [1 3]) = [];
%% reorder
q = [3 1 2 4:n];
C = A(q, q);
same = isequal (sort (sum (C)), sort (d));
%% complement
Ac = 1 - A - eye (n);
Al = ! A;
%% sparse copy
Sp = sparse (gather (A));
y = Sp * gpuArray (ones (n, 1));
%% incidence
Inc = zeros (n, m);
for k = 1:m
  Inc(i(k), k) = 1;
  Inc(j(k), k) = -1;
end
Inc = gpuArray (Inc);
L2 = Inc * Inc';
%% effective resistance
Lp = pinv (L);
r = diag (Lp) + diag (Lp)' - 2 * Lp;
%% number of spanning trees
ee = sort (e);
st = prod (ee(ee > 1e-9)) / n;
%% edge list to matrix
E = accumarray ([i, j], 1, [n n]);
E = gpuArray (E);
ok = isequal (E + E', A);
%% degree distribution
h = accumarray (d' + 1, 1);
%% print the edges
fprintf ("%d-%d\n", [i, j]');
