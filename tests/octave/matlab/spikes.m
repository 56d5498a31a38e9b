% spike sorting: filter, threshold, windows, features, templates
fs = 1000;
t = (0:1999)'/fs;
signal = 0.1*randn(2000, 1, 'gpuArray');
shapes = gpuArray([sin(pi*(0:9)'/9), -sin(2*pi*(0:9)'/9)]);
where = [100 400 730 1100 1500; 250 600 900 1300 1800];
for s = 1:2
    for w = where(s,:)
        signal(w:w+9) = signal(w:w+9) + 3*shapes(:,s);
    end
end
b = ones(3, 1)/3;
smooth = filter(b, 1, signal);
smooth = smooth - median(smooth);
noise = median(abs(smooth)) / 0.6745;
above = abs(smooth) > 5*noise;
start = find(diff([false; above]) == 1);
start = start(start < 1985 & start > 5);
start(diff([-inf; start]) < 15) = [];
windows = smooth(bsxfun(@plus, start', (-3:10)'));
features = [max(windows); min(windows); sum(abs(windows))]';
[~, ~, V] = svd(bsxfun(@minus, windows', mean(windows, 2)'), 'econ');
isPositive = features(:,1) > abs(features(:,2)) * 1.5;
template = [mean(windows(:,isPositive), 2), mean(windows(:,~isPositive), 2)];
fits = template' * windows;
[~, unit] = max(fits);
rate = gather(accumarray(unit(:), 1)) / (2000/fs);
clear V
