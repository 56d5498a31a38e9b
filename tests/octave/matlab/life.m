% game of life with logical arrays, and a forest that burns
n = 20;
alive = gpuArray.rand(n) > 0.6;
alive = gpuArray(alive);
population = zeros(1, 20);
for step = 1:20
    count = zeros(n, 'gpuArray');
    for i = -1:1
        for j = -1:1
            if i ~= 0 || j ~= 0
                count = count + circshift(alive, [i j]);
            end
        end
    end
    alive = (alive & count == 2) | count == 3;
    population(step) = gather(nnz(alive));
end
tree = true(n, 'gpuArray');
tree(rand(n) < 0.3) = false;
fire = false(n, 'gpuArray');
fire(1,:) = tree(1,:);
for step = 1:15
    neighbour = circshift(fire, 1) | circshift(fire, -1) | circshift(fire, [0 1]) | circshift(fire, [0 -1]);
    burnt = fire;
    fire = neighbour & tree & ~burnt;
    tree(burnt) = false;
end
left = sum(tree(:));
state = int8(tree) - int8(fire);
rowsAlive = any(alive, 2);
