% canonical polyadic decomposition of a tensor by alternating least squares
function K = khatrirao(A, B)
    r = size(A, 2);
    K = reshape(bsxfun(@times, reshape(A, [1 size(A, 1) r]), reshape(B, [size(B, 1) 1 r])), [], r);
end
dims = [6 7 8];
r = 3;
U = {randn(dims(1), r, 'gpuArray'), randn(dims(2), r, 'gpuArray'), randn(dims(3), r, 'gpuArray')};
T = reshape(U{1} * khatrirao(U{3}, U{2})', dims);
F = cell(1, 3);
for m = 1:3
    F{m} = rand(dims(m), r, 'gpuArray');
end
fit = zeros(1, 40);
for it = 1:40
    for m = 1:3
        others = setdiff(1:3, m);
        X = reshape(permute(T, [m others]), dims(m), []);
        K = khatrirao(F{others(2)}, F{others(1)});
        F{m} = X * K * pinv((F{others(1)}'*F{others(1)}) .* (F{others(2)}'*F{others(2)}));
        if m < 3
            F{m} = F{m} ./ max(sqrt(sum(F{m}.^2)), eps(classUnderlying(T)));
        end
    end
    R = reshape(F{1} * khatrirao(F{3}, F{2})', dims);
    fit(it) = 1 - norm(T(:) - R(:)) / norm(T(:));
end
good = fit(end) > 0.5;
core = squeeze(sum(sum(T, 1), 2));
