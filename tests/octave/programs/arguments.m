%% a value of the card
A = gpuArray (magic (4));
%% numeric
is = isnumeric (A) && isreal (A) && isfloat (A) && ! islogical (A) && ! ischar (A);
%% class tests
f = isa (A, "float");
g = isa (A, "numeric");
%% cell and struct tests
c = [iscell(A), isstruct(A), is_function_handle(A), iscellstr(A), isinteger(A), isempty(A)];
%% validateattributes
validateattributes (A, {"numeric"}, {"square", "nonempty", "positive"});
%% validateattributes fails
validateattributes (A, {"numeric"}, {"vector"});
%% validateattributes of a class
validateattributes (A, {"char"}, {});
%% inputParser
p = inputParser ();
p.FunctionName = "f";
p.addRequired ("X", @isnumeric);
p.addParameter ("tol", 1e-6, @(x) isscalar (x) && x > 0);
p.parse (A, "tol", 0.1);
X = p.Results.X;
tol = p.Results.tol;
p = [];
%% inputParser with the array as option
p = inputParser ();
p.addParameter ("W", [], @ismatrix);
p.parse ("W", A);
W = p.Results.W;
p = [];
%% assert of values
assert (A * 2, 2 * A);
%% assert fails
assert (false, "order must be %d", rows (A));
%% nargin checks with defaults
if (isempty (A)), A = 1; end
if (isscalar (A)), A = A * eye (2); end
if (isvector (A)), A = diag (A); end
%% error with a value
error ("demo:id", "largest is %g", max (A(:)));
%% error with an array
error ("demo:id", "values %g %g", A(1, 1:2));
%% warning with a number
s = warning ("off", "demo:w");
warning ("demo:w", "trace %g", trace (A));
warning (s);
s = [];
%% index out of range
x = A(5, 5);
%% wrong sizes
x = A * ones (3);
%% wrong sum
x = A + ones (3);
%% wrong concatenation
x = [A, ones(3, 1)];
%% undefined function
x = no_such_function (A);
%% not square
x = inv (A(:, 1:2));
%% chol of an indefinite matrix
x = chol (A - 100);
%% ternary by ifelse
k = merge (A > 8, A, 0);
%% switch on a number
switch (A(1, 1))
  case 16
    w = "magic";
  otherwise
    w = "other";
end
%% if on a comparison
if (A(1, 1) > A(1, 2)), w = 1; else, w = 2; end
%% if on a whole comparison
if (A > 0), w = 1; else, w = 2; end
%% for over a range from the card
n = A(1, 4);
t = 0;
for i = 1:n
  t += i;
end
%% for over the columns
t = 0;
for c = gather (A)
  t += c(1);
end
%% cellfun over parts
s = cellfun (@(x) sum (x(:)), {A, 2 * A});
%% arrayfun over indices
s = arrayfun (@(j) norm (A(:, j)), 1:4);
%% struct array
st = struct ("M", {A, A'});
t = st(2).M(1, 2);
%% numbers as text
t = num2str (A);
u = mat2str (A);
v = num2str (pi * A(2, 2));
w = disp (A(1, 1));
%% string concatenation
t = ["trace ", num2str(trace (A))];
t2 = sprintf ("%d,", A);
%% logical operators
l = (A > 3) & (A < 9);
m = ! (A > 3) | A == 16;
x = xor (A > 3, A > 5);
%% not of an array
z = ! A;
y = A & 1;
%% ismember
[tf, at] = ismember (16, A);
tg = ismember (A, [1 2 3]);
%% integer conversion
q = int32 (A(1, 1));
r = idivide (int32 (A(1, 1)), int32 (3));
%% logical conversion
b = logical (A > 2);
d = double (b);
%% nargin of max
m1 = max (A, [], 2);
m2 = max (A(:), [], 1);
m3 = max (A, 8);
%% characters are numbers
u = A + "a";
v = A(1, 1:3) == "bcd";
w = ["a", A(1, 1) + 60];
%% rows without elements are left out
z = [A; zeros(1, 0, "like", A)];
z2 = [zeros(0, 1), A(1, :)];
%% sparse mask
s = sparse (A > 10);
v = A(s);
A(s) = 0;
%% norm of an infinite matrix
n = norm ([Inf 1; 1 1] .* A(1:2, 1:2));
%% repmat with vectors, matrices and empty counts
r1 = repmat (A(1, :), 3, []);
r2 = repmat (A(1, :), [1 3; 3 3]);
r3 = repmat (A, [1 3; 1 3], [1; 3]);
r4 = repmat (A, [2; 3]);
r5 = repmat (A, [1 1], 4);
