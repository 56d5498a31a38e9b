% filters of an image of bytes, by functions that keep the class of what they get
function B = padzeros(A, p)
    B = zeros(size(A) + 2*p, class(A));
    B(p+1:end-p,p+1:end-p) = A;
end
function B = median3(A)
    P = padzeros(A, 1);
    [m, n] = size(A);
    stack = zeros([m n 9], class(A));
    k = 0;
    for i = 0:2
        for j = 0:2
            k = k + 1;
            stack(:,:,k) = P(i+1:i+m,j+1:j+n);
        end
    end
    stack = sort(stack, 3);
    B = stack(:,:,5);
end
function D = imfilterlike(A, h)
    D = cast(conv2(A, h, 'same'), class(A));
end
A = gpuArray(uint8(255*rand(16, 18)));
M = median3(A);
B = cast(double(A)*0.5 + 10.6, class(A));
C = A + 100;
D = imfilterlike(double(A), ones(3)/9);
mask = A > 128;
E = A;
E(mask) = 255;
E(~mask) = 0;
bw = gpuArray(logical(gather(mask)));
count = sum(bw(:));
counts = histc(double(A(:)), 0:32:255);
s = uint8(mean(A(:)));
top = intmax(class(A)) - max(A(:));
F = bitand(A, uint8(15));
G = [A(1:2,:); M(1:2,:)];
k = isUnderlyingType(A, 'uint8') && isaUnderlying(A, 'integer');
