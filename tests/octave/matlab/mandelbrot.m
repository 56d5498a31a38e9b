% Mandelbrot set: a scalar function by arrayfun, and a loop with masks
function count = escape(x0, y0, limit)
    z = complex(x0, y0);
    c = z;
    count = 1;
    while count <= limit && abs(z) <= 2
        count = count + 1;
        z = z*z + c;
    end
    count = log(count);
end
limit = 25;
x = gpuArray.linspace(-2, 0.6, 24);
y = gpuArray.linspace(-1.2, 1.2, 20);
[xGrid, yGrid] = meshgrid(x, y);
count = arrayfun(@escape, xGrid, yGrid, limit*ones(size(xGrid)));
z0 = complex(xGrid, yGrid);
z = z0;
steps = ones(size(z0), 'like', xGrid);
for n = 0:limit
    inside = abs(z) <= 2;
    steps(inside) = steps(inside) + 1;
    z(inside) = z(inside).^2 + z0(inside);
end
steps = log(steps);
inner = gather(sum(steps(:) >= log(limit)));
shift = arrayfun(@(a, b) a*b + exp(-a^2)/(1 + b^2), xGrid, yGrid);
