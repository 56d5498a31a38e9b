% Richardson-Lucy and Wiener deconvolution of a blurred image
n = 32;
[x, y] = meshgrid(gpuArray(-n/2:n/2-1));
psf = exp(-((x - 1).^2 + y.^2)/8);
psf = psf / sum(psf(:));
truth = zeros(n, 'gpuArray');
truth(10:14,8:20) = 1;
truth(20:25,15:17) = 2;
otf = fft2(ifftshift(psf));
blurred = max(real(ifft2(fft2(truth) .* otf)), 0) + 0.001*rand(n, 'gpuArray');
estimate = blurred;
for k = 1:25
    reblurred = real(ifft2(fft2(estimate) .* otf));
    ratio = blurred ./ max(reblurred, eps('double'));
    estimate = estimate .* real(ifft2(fft2(ratio) .* conj(otf)));
end
wiener = real(ifft2(fft2(blurred) .* conj(otf) ./ (abs(otf).^2 + 1e-3)));
quality = gather([norm(estimate - truth, 'fro'), norm(wiener - truth, 'fro')] / norm(truth, 'fro'));
edges = hypot(diff(estimate(:,1:end-1)), diff(estimate(1:end-1,:), 1, 2));
bright = estimate > 0.5*max(estimate(:));
box = [find(any(bright, 2), 1), find(any(bright, 1), 1)];
