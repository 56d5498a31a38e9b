% wave equation on a square, leapfrog in time, sine transform for comparison
n = 24;
dx = 1/(n + 1);
dt = 0.5*dx;
x = gpuArray.colon(1, n)*dx;
[X, Y] = meshgrid(x);
u0 = sin(pi*X) .* sin(2*pi*Y);
u = u0;
old = u0;
i = 2:n+1;
pad = gpuArray.zeros(n + 2);
for step = 1:40
    pad(i,i) = u;
    L = (pad(i-1,i) + pad(i+1,i) + pad(i,i-1) + pad(i,i+1) - 4*u) / dx^2;
    if step == 1
        new = u + 0.5*dt^2*L;
    else
        new = 2*u - old + dt^2*L;
    end
    old = u;
    u = new;
end
exact = cos(pi*sqrt(5)*40*dt) * u0;
err = gather(max(abs(u(:) - exact(:))));
energy = gather(sum(sum((u - old).^2))/dt^2);
snapshot = gather(single(u(1:4:end,1:4:end)));
