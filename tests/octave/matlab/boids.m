% flock of birds: cohesion, separation, alignment by implicit expansion and masks
n = 30;
p = 10*rand(n, 2, 'gpuArray');
v = randn(n, 2, 'gpuArray');
for step = 1:15
    dx = p(:,1) - p(:,1)';
    dy = p(:,2) - p(:,2)';
    d = sqrt(dx.^2 + dy.^2);
    near = d < 3 & ~logical(eye(n));
    close = d < 1 & ~logical(eye(n));
    count = max(sum(near, 2), 1);
    centre = (double(near)*p) ./ count;
    alignment = (near*v) ./ count - v;
    alignment(sum(near, 2) == 0, :) = 0;
    cohesion = centre - p;
    cohesion(~any(near, 2), :) = 0;
    separation = [sum(dx .* close, 2), sum(dy .* close, 2)];
    v = v + 0.01*cohesion + 0.05*separation + 0.1*alignment;
    speed = sqrt(sum(v.^2, 2));
    fast = speed > 2;
    v(fast,:) = 2*v(fast,:) ./ speed(fast);
    p = mod(p + 0.1*v, 10);
end
order = gather(norm(mean(v ./ sqrt(sum(v.^2, 2)))));
[s, k] = sort(sum(near), 'descend');
leaders = gather(k(1:3));
