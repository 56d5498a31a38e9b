% gravitation of particles, leapfrog in single precision, conserved quantities
n = 20;
x = rand(n, 3, 'single', 'gpuArray');
v = zeros(size(x), class(x));
m = ones(n, 1, 'single', 'gpuArray')/n;
dt = single(0.01);
soft = single(0.05);
acc = zeros(n, 3, 'like', x);
for step = 1:30
    v = v + 0.5*dt*acc;
    x = x + dt*v;
    acc(:) = 0;
    for d = 1:3
        dx = x(:,d)' - x(:,d);
        r2 = (x(:,1)' - x(:,1)).^2 + (x(:,2)' - x(:,2)).^2 + (x(:,3)' - x(:,3)).^2 + soft^2;
        acc(:,d) = (dx .* r2.^(-1.5)) * m;
    end
    v = v + 0.5*dt*acc;
end
kinetic = gather(0.5*sum(m .* sum(v.^2, 2)));
momentum = gather(sum(m .* v));
r = sqrt(sum((permute(x, [1 3 2]) - permute(x, [3 1 2])).^2, 3));
r(1:n+1:end) = inf;
[nearest, partner] = min(r, [], 2);
assert(isa(kinetic, 'single') && all(abs(momentum) < 1e-4));
