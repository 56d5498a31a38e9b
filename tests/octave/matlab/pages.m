% many small matrices at once: pagefun, page functions, batches of systems
unit = [1 0 0; 0 1 0; 0 0 1];
A = rand(3, 3, 10, 'gpuArray') + 3*unit;
B = rand(3, 2, 10, 'gpuArray');
C = pagefun(@mtimes, A, B);
X = pagefun(@mldivide, A, B);
I = pagefun(@inv, A);
Z = pagefun(@mtimes, I, A);
R = pagefun(@mrdivide, permute(B, [2 1 3]), A);
P = pagefun(@transpose, B);
Q = pagefun(@ctranspose, complex(B, 1));
D = pagefun(@plus, A, 1);
M = pagemtimes(A, 'transpose', B, 'none');
N = pagepinv(B);
s = pagesvd(B);
[V, L] = pageeig(A + permute(A, [2 1 3]), 'vector');
t = pagenorm(B);
w = pagemldivide(A, ones(3, 1));
residual = gather(max(abs(C(:) - reshape(pagemtimes(A, B), [], 1))));
traces = arrayfun(@(k) trace(A(:,:,k)), 1:10);
identity = gather(max(max(max(abs(Z - unit)))));
clear V
