% training of a small network: batches, softmax, momentum, accuracy
n = 60;
X = [randn(2, n/3, 'gpuArray') + [2; 0], randn(2, n/3, 'gpuArray') + [-2; 0], randn(2, n/3, 'gpuArray') + [0; 3]];
label = [ones(1, n/3), 2*ones(1, n/3), 3*ones(1, n/3)];
Y = gpuArray(double(label == (1:3)'));
W1 = 0.5*randn(8, 2, 'gpuArray');
b1 = gpuArray.zeros(8, 1);
W2 = 0.5*randn(3, 8, 'gpuArray');
b2 = gpuArray.zeros(3, 1);
vW1 = zeros(size(W1), 'like', W1);
vW2 = zeros(size(W2), 'like', W2);
loss = zeros(1, 20);
for epoch = 1:20
    order = randperm(n);
    for first = 1:20:n
        batch = order(first:first+19);
        x = X(:,batch);
        t = Y(:,batch);
        h = max(W1*x + b1, 0);
        z = W2*h + b2;
        e = exp(z - max(z, [], 1));
        p = e ./ sum(e, 1);
        loss(epoch) = loss(epoch) - gather(mean(sum(t .* log(p + realmin), 1)))/3;
        d2 = (p - t)/20;
        d1 = (W2'*d2) .* (h > 0);
        vW2 = 0.9*vW2 - 0.1*(d2*h');
        vW1 = 0.9*vW1 - 0.1*(d1*x');
        W2 = W2 + vW2;
        W1 = W1 + vW1;
        b2 = b2 - 0.1*sum(d2, 2);
        b1 = b1 - 0.1*sum(d1, 2);
    end
end
[~, predicted] = max(W2*max(W1*X + b1, 0) + b2, [], 1);
accuracy = mean(predicted == label);
models = containers.Map();
models('W1') = W1;
models('W2') = W2;
again = models('W2')*max(models('W1')*X + b1, 0);
clear models
