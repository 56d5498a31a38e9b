%% signal
t = (0:63) / 64;
x = gpuArray (sin (2 * pi * 5 * t) + 0.5 * sin (2 * pi * 20 * t));
%% moving mean by filter
b = ones (1, 4) / 4;
y = filter (b, 1, x);
%% recursive filter
z = filter (0.1, [1 -0.9], x);
%% convolution
c = conv (x, b);
cs = conv (x, b, "same");
%% spectrum
X = fft (x);
P = abs (X) .^ 2 / numel (x);
%% peak
[m, k] = max (P(1:32));
f = k - 1;
%% low pass in the frequency domain
H = zeros (size (x));
H([1:9, 57:64]) = 1;
xl = real (ifft (X .* H));
%% ideal filter by an index vector
Y = X;
Y(12:54) = 0;
yl = ifft (Y, "symmetric");
%% shift
Xs = fftshift (X);
Xb = ifftshift (Xs);
%% columns
F = fft (reshape (x, 16, 4));
F2 = fft (reshape (x, 16, 4), [], 2);
F3 = fft (x, 128);
%% two dimensions
I = gpuArray (magic (8));
G = fft2 (I);
J = real (ifft2 (G));
%% image filter
K = [1 2 1; 2 4 2; 1 2 1] / 16;
S = conv2 (I, K, "same");
V = conv2 (I, K, "valid");
%% separable
S2 = conv2 ([1 2 1] / 4, [1 2 1] / 4, I, "same");
%% Sobel
gx = conv2 (I, [1 0 -1; 2 0 -2; 1 0 -1], "same");
gy = conv2 (I, [1 2 1; 0 0 0; -1 -2 -1], "same");
mag = hypot (gx, gy);
ang = atan2 (gy, gx);
%% threshold
edge = mag > mean (mag(:));
n = sum (edge(:));
I2 = I;
I2(edge) = 0;
%% median of a window
w = [x(1:3); x(2:4); x(3:5)];
md = median (w);
%% window
win = 0.5 - 0.5 * cos (2 * pi * t);
xw = x .* win;
%% decibels
dB = 20 * log10 (abs (fft (xw)) + 1e-3);
mx = max (dB);
%% phase
ph = unwrap (angle (X([6, 21])));
%% autocorrelation
r = ifft (abs (fft (x, 128)) .^ 2);
r = real (r(1:64));
r /= r(1);
%% decimate and expand
xd = x(1:2:end);
xu = zeros (1, 64);
xu(1:2:end) = xd;
xu = gpuArray (xu);
%% quantise
q = round (x * 8) / 8;
sn = 10 * log10 (sum (x .^ 2) / sum ((x - q) .^ 2));
%% envelope
e = cummax (abs (x));
l = cummin (x);
%% Hilbert by hand
h = zeros (1, 64);
h([1 33]) = 1;
h(2:32) = 2;
a = ifft (X .* h);
env = abs (a);
%% integer input
xi = gpuArray (double (int16 (100 * [0.1 0.25 -0.5])));
%% detrend
dt = detrend (x');
