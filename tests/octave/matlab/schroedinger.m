% nonlinear Schroedinger equation: split-step Fourier method in single precision
n = 64;
len = 20;
x = gpuArray.linspace(-len/2, len/2 - len/n, n);
x = single(x);
k = single(2*pi/len*[0:n/2-1, -n/2:-1]);
psi = complex(1 ./ cosh(x));
dt = single(0.005);
half = exp(-0.25i*dt*gpuArray(k).^2);
norms = zeros(1, 40, 'single');
for step = 1:40
    psi = ifft(half .* fft(psi));
    psi = psi .* exp(1i*dt*abs(psi).^2);
    psi = ifft(half .* fft(psi));
    norms(step) = gather(sum(abs(psi).^2))*len/n;
end
density = gather(abs(psi).^2);
assert(max(abs(norms - norms(1))) < 1e-4);
[peak, at] = max(abs(psi));
centre = gather(sum(x .* abs(psi).^2)/sum(abs(psi).^2));
current = imag(conj(psi) .* gradient(psi));
clear centre current
