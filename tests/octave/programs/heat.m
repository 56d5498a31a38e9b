%% grid
n = 20;
[xx, yy] = meshgrid (linspace (0, 1, n));
u = gpuArray (sin (pi * xx) .* sin (pi * yy));
%% one explicit step
dt = 0.2;
v = u;
v(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + dt * (u(1:end-2, 2:end-1) + u(3:end, 2:end-1) ...
    + u(2:end-1, 1:end-2) + u(2:end-1, 3:end) - 4 * u(2:end-1, 2:end-1));
%% many steps
for k = 1:10
  i = 2:n-1;
  u(i, i) += dt * (u(i-1, i) + u(i+1, i) + u(i, i-1) + u(i, i+1) - 4 * u(i, i));
end
%% boundary
u([1 end], :) = 0;
u(:, [1 end]) = 0;
%% total heat
q = sum (u(:));
m = max (max (u));
[mm, at] = max (u(:));
[r, c] = ind2sub (size (u), at);
%% shifts
w = circshift (u, 1) + circshift (u, -1) + circshift (u, [0 1]) + circshift (u, [0 -1]) - 4 * u;
%% convolution with the stencil
L = [0 1 0; 1 -4 1; 0 1 0];
w2 = conv2 (u, L, "same");
%% del2
w3 = 4 * del2 (u);
%% gradient
[gx, gy] = gradient (u);
flux = sqrt (gx .^ 2 + gy .^ 2);
%% differences
dx = diff (u, 1, 2);
dy = diff (u);
%% implicit step by a Kronecker product
m = 6;
T = gpuArray (2 * eye (m) - diag (ones (m - 1, 1), 1) - diag (ones (m - 1, 1), -1));
I = eye (m);
A = kron (T, I) + kron (I, T);
%% solve
f = ones (m ^ 2, 1);
s = A \ f;
S = reshape (s, m, m);
%% symmetric
sym = issymmetric (A);
%% eigenvalues of the operator
e = eig (T);
e2 = sort (reshape (e + e', [], 1));
%% exponential
E = expm (-0.1 * T);
ue = E * S * E';
%% Crank-Nicolson
CN = (eye (m) + 0.5 * T) \ (eye (m) - 0.5 * T);
c10 = CN ^ 10 * S;
%% mean temperature in time
h = zeros (1, 5);
for k = 1:5
  S = CN * S;
  h(k) = mean (S(:));
end
%% mirrored
a = flipud (S);
b = fliplr (S);
c = rot90 (S);
sy = norm (a - S) + norm (b - S);
%% source in a mask
[x1, y1] = meshgrid (1:m);
hot = (x1 - 3) .^ 2 + (y1 - 3) .^ 2 < 4;
S(hot) += 1;
nh = sum (hot(:));
%% three dimensions
w = gpuArray (zeros (4, 4, 4));
w(2:3, 2:3, 2:3) = 1;
g = w(:, :, 2);
tot = sum (sum (sum (w)));
lay = squeeze (sum (sum (w, 1), 2));
%% integrate along lines
I1 = trapz (S);
I2 = cumsum (S, 2);
I3 = trapz (trapz (S));
%% snapshot on the host
U = gather (u);
ok = isequal (size (U), [n n]);
%% print a row
fprintf ("%.4f ", S(3, :));
fprintf ("\n");
%% steady state within a tolerance
k = 0;
d = 1;
while (d > 1e-2 && k < 100)
  new = CN * S;
  d = max (abs (new(:) - S(:)));
  S = new;
  k++;
end
%% periodic wave by the Fourier transform
z = gpuArray (sin (2 * pi * (0:15) / 16));
k = [0:8, -7:-1];
dz = real (ifft (1i * k .* fft (z)));
