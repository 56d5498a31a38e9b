%% linear system
A = gpuArray ([-1 2; -3 -0.5]);
y = gpuArray ([1; 0]);
f = @(t, y) A * y;
%% Euler
h = 0.01;
for k = 1:100
  y = y + h * f (0, y);
end
%% fourth order
y = gpuArray ([1; 0]);
for k = 1:20
  k1 = f (0, y);
  k2 = f (0, y + h / 2 * k1);
  k3 = f (0, y + h / 2 * k2);
  k4 = f (0, y + h * k3);
  y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
end
%% trajectory as columns
Y = zeros (2, 11, "like", y);
Y(:, 1) = y;
for k = 1:10
  Y(:, k+1) = Y(:, k) + h * (A * Y(:, k));
end
%% trajectory by concatenation
Z = y;
for k = 1:5
  Z = [Z, Z(:, end) + h * A * Z(:, end)];
end
%% plain storage of single values
x = zeros (1, 5);
for k = 1:5
  y = y + h * (A * y);
  x(k) = y(1);
end
%% against the exponential
e = norm (expm (A * 0.2) * [1; 0] - y) < 1;
%% pendulum, many starts at once
th = gpuArray (linspace (0.1, 2, 7));
om = zeros (size (th));
for k = 1:50
  om = om - h * sin (th);
  th = th + h * om;
end
%% energy
E = 0.5 * om .^ 2 + 1 - cos (th);
drift = max (E) - min (E);
%% N bodies
m = 4;
pos = gpuArray (reshape (cos (1:2*m), m, 2));
dx = pos(:, 1)' - pos(:, 1);
dy = pos(:, 2)' - pos(:, 2);
r3 = (dx .^ 2 + dy .^ 2 + 0.01) .^ -1.5;
acc = [sum(dx .* r3, 2), sum(dy .* r3, 2)];
%% distance matrix without its diagonal
d = sqrt (dx .^ 2 + dy .^ 2);
d(1:m+1:end) = Inf;
[near, which] = min (d);
%% Lorenz
s = gpuArray ([1; 1; 1]);
for k = 1:30
  s = s + 0.005 * [10 * (s(2) - s(1)); s(1) * (28 - s(3)) - s(2); s(1) * s(2) - 8/3 * s(3)];
end
%% implicit midpoint
I = eye (2);
B = (I - h / 2 * A) \ (I + h / 2 * A);
y = B * y;
%% Newton step
g = @(v) [v(1) ^ 2 + v(2) - 3; v(1) - v(2)];
J = @(v) [2 * v(1), 1; 1, -1];
v = gpuArray ([1; 2]);
for k = 1:6
  v = v - J (v) \ g (v);
end
%% logistic map of many parameters
r = gpuArray (2.5:0.25:4);
p = 0.5 * ones (size (r));
for k = 1:20
  p = r .* p .* (1 - p);
end
%% stage table
c = [0 0.5 0.5 1];
w = [1 2 2 1] / 6;
K = zeros (2, 4, "like", A);
for i = 1:4
  K(:, i) = A * (y + c(i) * h);
end
inc = K * w';
%% lsode needs host values
Ah = gather (A);
yo = lsode (@(y, t) Ah * y, [1; 0], [0 1]);
%% times from a range
t = gpuArray (0:0.1:1);
u = exp (-t) .* cos (3 * t);
%% first time below a level
k = find (abs (u) < 0.1, 1, "first");
tk = t(k);
%% integral
q = trapz (t, u);
c = cumtrapz (t, u);
%% value by interpolation
ui = interp1 (t, u, 0.25);
%% polynomial fit
pf = polyfit (t, u, 3);
uf = polyval (pf, t);
e = max (abs (u - uf));
%% stop on NaN
bad = isnan (sum (u)) || any (isinf (u));
