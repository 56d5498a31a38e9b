% phase-only hologram by Gerchberg and Saxton, propagated by the angular spectrum
function h = transfer(n, dx, z, lambda, type)
    f = (-n/2:n/2-1) / (n*dx);
    [fx, fy] = meshgrid(cast(f, type), cast(f, type));
    w = 1/lambda^2 - fx.^2 - fy.^2;
    h = exp(1i*2*pi*z*sqrt(max(w, 0)));
    h(w < 0) = 0;
end
n = 32;
if canUseGPU()
    d = gpuDevice();
    wait(d);
end
[x, y] = meshgrid(gpuArray.linspace(-1, 1, n));
target = double(abs(x) < 0.5 & abs(y) < 0.25) + 0.5*exp(-20*((x - 0.6).^2 + y.^2));
target = target / norm(target, 'fro');
H = gpuArray(transfer(n, 8e-6, 0.02, 633e-9, 'double'));
phase = 2*pi*rand(n, n, 'gpuArray');
err = gpuArray.zeros(1, 20);
for k = 1:20
    field = exp(1i*phase);
    image = ifft2(fft2(field) .* fftshift(H));
    err(k) = norm(abs(image)/norm(image, 'fro') - target, 'fro');
    image = target .* exp(1i*angle(image));
    back = ifft2(fft2(image) .* conj(fftshift(H)));
    phase = angle(back);
end
hologram = uint8(round(255*(phase + pi) / (2*pi)));
best = gather(min(err));
levels = accumarray(double(hologram(:)) + 1, 1, [256 1]);
