% preconditioned conjugate gradients for a Poisson problem, without a matrix and by pcg
function y = laplace(x, n)
    u = reshape(x, n, n);
    v = 4*u;
    v(2:n,:) = v(2:n,:) - u(1:n-1,:);
    v(1:n-1,:) = v(1:n-1,:) - u(2:n,:);
    v(:,2:n) = v(:,2:n) - u(:,1:n-1);
    v(:,1:n-1) = v(:,1:n-1) - u(:,2:n);
    y = v(:);
end
n = 16;
b = ones(n^2, 1, 'gpuArray');
b(1:n:end) = 2;
x = zeros(n^2, 1, 'like', b);
r = b - laplace(x, n);
z = r / 4;
p = z;
rz = r' * z;
history = zeros(1, 60);
for k = 1:60
    q = laplace(p, n);
    alpha = rz / (p' * q);
    x = x + alpha*p;
    r = r - alpha*q;
    history(k) = gather(norm(r));
    if history(k) < 1e-9*norm(b)
        break
    end
    z = r / 4;
    old = rz;
    rz = r' * z;
    p = z + (rz/old)*p;
end
history = history(1:k);
[x2, flag] = pcg(@(v) laplace(v, n), b, 1e-10, 200);
difference = gather(max(abs(x - x2))) < 1e-7;
A = gpuArray(full(gallery('poisson', 6)));
x3 = A \ ones(36, 1, 'gpuArray');
