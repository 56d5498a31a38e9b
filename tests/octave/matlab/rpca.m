% robust principal components: low rank plus sparse by the alternating direction method
m = 20;
n = 15;
low = randn(m, 2, 'gpuArray') * randn(2, n, 'gpuArray');
sparsePart = zeros(m, n, 'gpuArray');
at = randperm(m*n, 20);
sparsePart(at) = 10*sign(randn(1, 20));
D = low + sparsePart;
lambda = 1/sqrt(max(m, n));
Y = D / max(norm(D), norm(D(:), inf)/lambda);
L = zeros(m, n, 'like', D);
E = zeros(m, n, 'like', D);
mu = 1.25/norm(D);
for it = 1:80
    T = D - L + Y/mu;
    E = sign(T) .* max(abs(T) - lambda/mu, 0);
    [U, S, V] = svd(D - E + Y/mu, 'econ');
    s = diag(S);
    k = sum(s > 1/mu);
    L = U(:,1:k) * diag(s(1:k) - 1/mu) * V(:,1:k)';
    Z = D - L - E;
    Y = Y + mu*Z;
    mu = min(mu*1.2, 1e7);
    if norm(Z, 'fro') < 1e-7*norm(D, 'fro')
        break
    end
end
err = gather(norm(L - low, 'fro') / norm(low, 'fro'));
found = nnz(abs(E) > 1e-3);
r = rank(L, 1e-6*norm(L));
clear U V Y
