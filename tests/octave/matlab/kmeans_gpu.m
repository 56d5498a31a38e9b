% k-means with restarts, distances by bsxfun, labels counted by accumarray
function [label, C, total] = cluster(X, k, start)
    C = X(start,:);
    label = zeros(size(X, 1), 1);
    for it = 1:50
        D = bsxfun(@plus, sum(X.^2, 2), sum(C.^2, 2)') - 2*X*C';
        [d, new] = min(D, [], 2);
        if isequal(new, label)
            break
        end
        label = new;
        counts = accumarray(label, 1, [k 1]);
        for j = 1:k
            if counts(j) > 0
                C(j,:) = mean(X(label == j,:), 1);
            end
        end
    end
    total = sum(max(d, 0));
end
X = [randn(25, 3, 'gpuArray'); randn(25, 3, 'gpuArray') + 5; randn(25, 3, 'gpuArray') - 5];
best = inf;
for r = 1:3
    [l, c, t] = cluster(X, 3, randperm(75, 3));
    if t < best
        best = t;
        label = l;
        C = c;
    end
end
sizes = gather(histc(label, 1:3));
silhouettes = cellfun(@(j) gather(mean(sqrt(sum((X(label == j,:) - C(j,:)).^2, 2)))), num2cell(1:3));
