% low-rank and sparse reconstruction of a dynamic series from few Fourier samples
n = 16;
frames = 8;
[x, y] = meshgrid(linspace(-1, 1, n));
series = zeros(n, n, frames);
for k = 1:frames
    series(:,:,k) = double(x.^2 + y.^2 < 0.5) + exp(-30*((x - 0.5*cos(k)).^2 + (y - 0.5*sin(k)).^2));
end
mask = rand(n, n, frames) < 0.5;
mask(1:2,:,:) = true;
M = gpuArray(mask);
data = fft2(gpuArray(series)) .* M;
L = ifft2(data);
S = zeros(size(L), 'like', L);
for it = 1:15
    X = reshape(L, n^2, frames);
    [U, s, V] = svd(X - reshape(S, n^2, frames), 'econ');
    s = diag(s);
    s = max(s - 0.01*s(1), 0);
    L = reshape(U*diag(s)*V', n, n, frames);
    R = reshape(X, n, n, frames) - L;
    S = R .* max(abs(R) - 0.01, 0) ./ max(abs(R), eps);
    residual = M .* fft2(L + S) - data;
    L = L + S - ifft2(residual);
    change(it) = gather(norm(residual(:)));
end
image = abs(L);
err = gather(norm(image(:) - series(:)) / norm(series(:)));
samples = nnz(M);
clear U V
