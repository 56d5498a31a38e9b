% principal components by svd and by the covariance matrix, in single precision
X = randn(60, 5, 'single', 'gpuArray') * gpuArray(single(diag([5 3 2 1 0.5])));
mu = mean(X);
Xc = bsxfun(@minus, X, mu);
[U, S, V] = svd(Xc, 'econ');
latent = diag(S).^2 / (size(X, 1) - 1);
explained = 100*latent / sum(latent);
[W, D] = eig(cov(gather(X)));
[d, k] = sort(diag(D), 'descend');
same = all(abs(d - latent) < 1e-3*latent);
score = Xc * V;
signs = sign(V(1,:));
score = abs(score);
rebuilt = U(:,1:2)*S(1:2,1:2)*V(:,1:2)' + mu;
loss = gather(norm(X - rebuilt, 'fro') / norm(Xc, 'fro'));
n = find(cumsum(explained) > 90, 1);
z = zscore(X);
clear U V W signs
