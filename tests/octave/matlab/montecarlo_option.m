% price of options by simulated paths, with a seed of the generator of the GPU
gpurng(7);
S0 = 100; K = 105; r = 0.03; sigma = 0.2; T = 1; steps = 12; paths = 400;
dt = T/steps;
S = S0*ones(paths, 1, 'gpuArray');
total = zeros(paths, 1, 'gpuArray');
barrier = false(paths, 1, 'gpuArray');
for k = 1:steps
    S = S .* exp((r - sigma^2/2)*dt + sigma*sqrt(dt)*randn(paths, 1, 'gpuArray'));
    total = total + S;
    barrier = barrier | S > 140;
end
payoff = exp(-r*T)*max(S - K, 0);
price = gather(mean(payoff));
spread = gather(std(payoff)/sqrt(paths));
asian = gather(mean(exp(-r*T)*max(total/steps - K, 0)));
knocked = payoff;
knocked(barrier) = 0;
upAndOut = gather(mean(knocked));
one = arrayfun(@(s) exp(-r*T)*max(s - K, 0), S);
q = quantile(gather(S), [0.05 0.95]);
inCircle = rand(500, 1, 'gpuArray').^2 + rand(500, 1, 'gpuArray').^2 < 1;
estimate = 4*gather(mean(double(inCircle)));
