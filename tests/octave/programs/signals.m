%% complex tone
t = (0:31) / 32;
z = gpuArray (exp (2i * pi * 4 * t));
%% parts
re = real (z);
im = imag (z);
%% modulus and phase
a = abs (z);
p = angle (z);
q = arg (z);
%% conjugate products
c = z .* conj (z);
e = z * z';
e2 = z * z.';
%% complex from parts
w = complex (re, im);
same = isequal (w, z);
%% is complex
ic = iscomplex (z);
ir = isreal (abs (z));
ir2 = isreal (real (z));
%% rotation
r = z * exp (1i * pi / 3);
d = mean (angle (r ./ z));
%% demodulation
b = z .* exp (-2i * pi * 4 * t);
dc = sum (b) / numel (b);
%% spectrum of a complex signal
Z = fft (z);
[m, k] = max (abs (Z));
%% power
P = sumsq (z) / numel (z);
P2 = mean (abs (z) .^ 2);
%% roots of unity
n = 6;
u = exp (2i * pi * (0:n-1)' / n);
U = gpuArray (u * u.');
%% matrix of Fourier
F = exp (-2i * pi * (0:n-1)' * (0:n-1) / n) / sqrt (n);
F = gpuArray (F);
I = F' * F;
%% Hermitian
H = F + F';
ih = ishermitian (H);
l = eig (H);
%% pages have no transpose
cat (3, F, F)';
%% nor without conjugation
cat (3, F, F).';
%% solve a complex system
b = gpuArray ((1:n)' + 1i);
s = (F + 2 * eye (n)) \ b;
%% complex square root
q = sqrt (gpuArray ([-1 4 -9]));
%% logarithm of negative numbers
q = log (gpuArray ([-1 1 -exp(1)]));
%% powers
q = gpuArray ([-8 8 27]) .^ (1 / 3);
q2 = gpuArray ([-2 2 3]) .^ 2;
%% huge numbers
h1 = exp (gpuArray ([709.9 + 0.5i, 709.9 - 0.6i, -710 + 1i])) / 1e300;
h2 = gpuArray (complex ([1.7e308, -1.7e308], 1.7e308)) .^ 0.5;
h3 = gpuArray (complex ([1.7e308, -1.7e308], 1.7e308)) .^ (0.5 + 0.1i);
%% powers of pages
p3 = gpuArray (reshape (-(1:24), 2, 3, 4)) .^ reshape ([0.5 1.5 2.5 3.5], 1, 1, 4);
%% powers of a number
q = 2 .^ gpuArray ([1 2 3]);
q2 = (-2) .^ gpuArray ([1 2.5 3]);
%% complex filter
h = [1 0.5i -0.25];
y = filter (h, 1, z);
%% steering vectors
th = (-60:20:60) * pi / 180;
A = gpuArray (exp (1i * pi * (0:3)' * sin (th)));
R = A * A' / columns (A);
%% beam pattern
g = abs (A' * ones (4, 1)) .^ 2;
[gm, at] = max (g);
%% noise subspace
[V, D] = eig ((R + R') / 2);
[ll, o] = sort (diag (D));
En = V(:, o(1:2));
ps = 1 ./ sum (abs (En' * A) .^ 2);
V = [];  D = [];  En = [];
%% constellation
c = [1+1i, -1+1i, -1-1i, 1-1i] / sqrt (2);
rx = gpuArray (c([1 2 3 4 1 3]) + 0.05i);
[d, sym] = min (abs (rx.' - c), [], 2);
%% sign of complex numbers
sg = sign (rx);
%% rounding complex numbers
rr = round (10 * rx);
rf = fix (10 * rx);
%% sort by modulus
s = sort (gpuArray ([3i, -1, 2+1i]));
%% cumulative product
cp = cumprod (gpuArray ([1i 1i 1i 1i]));
pr = prod (gpuArray ([1i 1i 1i]));
%% sum of an empty array
e = sum (gpuArray (zeros (0, 3)));
%% equality with complex numbers
q = rx == rx;
q2 = any (rx != rx);
%% polar to Cartesian
[x, y] = pol2cart (gpuArray ([0 1 2]), gpuArray ([1 1 2]));
[th2, rho] = cart2pol (x, y);
%% matlab form of a complex assignment
v = gpuArray (zeros (1, 3));
v(2) = 1i;
v(3) = 2;
%% real after all
w = ifft (fft (gpuArray ([1 2 3 4])));
wr = isreal (gather (w));
%% polynomial roots
r = sort (abs (roots (gpuArray ([1 -6 11 -6]))));
