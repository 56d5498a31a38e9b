% support vector machine: kernel matrix, projected gradient on the dual, accuracy
n = 40;
X = [randn(n, 2, 'gpuArray') + 1.5; randn(n, 2, 'gpuArray') - 1.5];
y = [ones(n, 1, 'gpuArray'); -ones(n, 1, 'gpuArray')];
gamma = 0.5;
C = 10;
sq = sum(X.^2, 2);
K = exp(-gamma*(sq + sq' - 2*(X*X')));
Q = (y*y') .* (K + 1);
alpha = zeros(2*n, 1, 'like', X);
step = 1 / norm(Q);
for it = 1:150
    alpha = min(max(alpha + step*(1 - Q*alpha), 0), C);
end
f = K*(alpha.*y) + sum(alpha.*y);
accuracy = gather(mean(sign(f) == y));
sv = find(alpha > 1e-6);
count = numel(sv);
test = gpuArray([1 1; -1 -1; 0 2]);
Kt = exp(-gamma*(sum(test.^2, 2) + sq' - 2*test*X'));
predicted = gather(sign(Kt*(alpha.*y) + sum(alpha.*y)));
confusion = accumarray([(3 - gather(y))/2, (3 - gather(sign(f)))/2], 1, [2 2]);
