% lid-driven cavity, stream function and vorticity
n = 18;
h = 1/(n - 1);
Re = 50;
dt = 0.002;
if gpuDeviceCount() > 0
    fprintf('');
end
psi = gpuArray.zeros(n, n);
w = zeros(n, n, 'like', psi);
c = 2:n-1;
for step = 1:30
    for it = 1:10
        psi(c,c) = 0.25*(psi(c+1,c) + psi(c-1,c) + psi(c,c+1) + psi(c,c-1) + h^2*w(c,c));
    end
    w(c,1) = -2*psi(c,2)/h^2;
    w(c,n) = -2*psi(c,n-1)/h^2;
    w(1,c) = -2*psi(2,c)/h^2;
    w(n,c) = -2*psi(n-1,c)/h^2 - 2/h;
    u = (psi(c+1,c) - psi(c-1,c)) / (2*h);
    v = -(psi(c,c+1) - psi(c,c-1)) / (2*h);
    lap = (w(c+1,c) + w(c-1,c) + w(c,c+1) + w(c,c-1) - 4*w(c,c)) / h^2;
    adv = u.*(w(c,c+1) - w(c,c-1))/(2*h) + v.*(w(c+1,c) - w(c-1,c))/(2*h);
    w(c,c) = w(c,c) + dt*(lap/Re - adv);
end
[m, at] = min(psi(:));
[row, col] = ind2sub(size(psi), at);
speed = gather(max(max(sqrt(u.^2 + v.^2))));
