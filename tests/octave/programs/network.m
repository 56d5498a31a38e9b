%% weights
W1 = gpuArray (randn (6, 3));
b1 = zeros (6, 1, "like", W1);
W2 = gpuArray (randn (2, 6));
b2 = zeros (2, 1, "like", W2);
X = gpuArray (randn (3, 20));
%% forward, tanh
Z1 = W1 * X + b1;
A1 = tanh (Z1);
%% softmax
Z2 = W2 * A1 + b2;
E = exp (Z2 - max (Z2));
P = E ./ sum (E);
%% targets, one hot
label = 1 + (sum (gather (X)) > 0);
Y = full (sparse (label, 1:20, 1, 2, 20));
%% cross entropy
loss = -mean (sum (Y .* log (P)));
fprintf ("loss %.6f\n", loss);
%% accuracy
[~, pred] = max (P);
acc = mean (pred == label);
%% one hot through eye
I = eye (2);
Y2 = I(:, label);
same = isequal (Y, Y2);
%% backward
n = columns (X);
dZ2 = (P - Y) / n;
dW2 = dZ2 * A1';
db2 = sum (dZ2, 2);
dA1 = W2' * dZ2;
dZ1 = dA1 .* (1 - A1 .^ 2);
dW1 = dZ1 * X';
db1 = sum (dZ1, 2);
%% update
lr = 0.5;
W1 -= lr * dW1;
b1 -= lr * db1;
W2 -= lr * dW2;
b2 -= lr * db2;
%% training loop
for it = 1:10
  A1 = tanh (W1 * X + b1);
  Z2 = W2 * A1 + b2;
  E = exp (Z2 - max (Z2));
  P = E ./ sum (E);
  dZ2 = (P - Y) / n;
  dZ1 = (W2' * dZ2) .* (1 - A1 .^ 2);
  W2 = W2 - lr * dZ2 * A1';
  b2 = b2 - lr * sum (dZ2, 2);
  W1 = W1 - lr * dZ1 * X';
  b1 = b1 - lr * sum (dZ1, 2);
  hist(it) = -mean (sum (Y .* log (P)));
end
%% loss falls
falls = all (diff (hist) < 0);
%% momentum
v = 0;
g = dW1;
v = 0.9 * v + g;
W1 = W1 - lr * v;
%% Adam
mt = 0.1 * g;
vt = 0.001 * g .^ 2;
step = mt ./ (sqrt (vt) + 1e-8);
%% gradient clipping
gn = sqrt (sum (g(:) .^ 2));
if (gn > 1)
  g = g / gn;
end
%% layers in a cell
layers = {W1, W2};
x = X;
for i = 1:numel (layers)
  x = tanh (layers{i} * x);
end
%% layers in a struct
net.W = W1;
net.b = b1;
net.f = @tanh;
y = net.f (net.W * X + net.b);
%% display of the cell
txt = numel (evalc ("layers")) > 20;
%% minibatch
idx = randperm (n, 5);
Xb = X(:, idx);
Yb = Y(:, idx);
%% batch normalisation
mu = mean (A1, 2);
sg = var (A1, 1, 2);
N = (A1 - mu) ./ sqrt (sg + 1e-5);
%% elementwise function
L = arrayfun (@(z) max (0.1 * z, z), Z2);
%% leaky with logical factor
L2 = Z2 .* ((Z2 > 0) + 0.1 * (Z2 <= 0));
%% confusion matrix
cm = accumarray ([label', pred'], 1, [2 2]);
%% gelu by erf
ge = 0.5 * Z1 .* (1 + erf (Z1 / sqrt (2)));
