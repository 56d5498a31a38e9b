% heat equation: explicit steps by del2 and conv2, implicit ones by a factorisation, arrayfun
n = 20;
T = zeros(n, n, 'single', 'gpuArray');
T(1,:) = 100;
T(:,1) = 75;
kernel = gpuArray(single([0 1 0; 1 -4 1; 0 1 0]));
inner = 2:n-1;
for k = 1:60
    L = conv2(T, kernel, 'same');
    T(inner,inner) = T(inner,inner) + 0.2*L(inner,inner);
end
flux = arrayfun(@(a, b) sqrt(a*a + b*b), T(inner,3:n) - T(inner,1:n-2), T(3:n,inner)' - T(1:n-2,inner)');
e = ones(n, 1, 'gpuArray');
A = diag(2*e) - diag(e(1:n-1), 1) - diag(e(1:n-1), -1);
[L2, U2, P] = lu(eye(n, 'gpuArray') + 0.5*A);
v = double(T(:,n/2));
for k = 1:10
    v = U2 \ (L2 \ (P*v));
end
total = gather(sum(v));
hot = gather(nnz(T > 50));
[~, where] = max(flux(:));
