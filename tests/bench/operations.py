# The operations of bench_operations.m in CuPy, microseconds each.
# python3 tests/bench/operations.py ELEMENTS
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import math
import sys
import time

import cupy as cp

n = int(sys.argv[1])
m = round(math.sqrt(n))
g, h = cp.random.rand(m, m), cp.random.rand(m, m)
v, c = cp.random.rand(m), cp.random.rand(n)
z = (cp.random.rand(n) < 0.1).astype(float)
index = (cp.random.rand(n) * n).astype(cp.int64)


def assign():
    g[:, 1] = 1


def sort_with_positions():
    order = cp.argsort(c)
    return c[order], order.get()


# Rows here are Octave's columns: the last dimension is the contiguous one.
OPERATIONS = {
    "plus": lambda: g + h, "times": lambda: g * h, "scaled": lambda: 2 * g,
    "broadcast": lambda: g + v, "exp": lambda: cp.exp(g), "log": lambda: cp.log(g),
    "sin": lambda: cp.sin(g), "sqrt": lambda: cp.sqrt(g), "square": lambda: g ** 2,
    "power": lambda: g ** 1.5, "compare": lambda: (g > 0.5).get(),
    "isnan": lambda: cp.isnan(g).get(), "sum": lambda: g.sum(axis=1),
    "sum_of_rows": lambda: g.sum(axis=0), "sum_of_all": lambda: float(c.sum()),
    "prod": lambda: g.prod(axis=1), "mean": lambda: g.mean(axis=1),
    "std": lambda: g.std(axis=1, ddof=1), "max": lambda: g.max(axis=1),
    "max_and_position": lambda: (g.max(axis=1), g.argmax(axis=1).get()),
    "any": lambda: g.any(axis=1).get(), "cumsum": lambda: cp.cumsum(c),
    "cumsum_of_columns": lambda: cp.cumsum(g, axis=1), "sort": lambda: cp.sort(c),
    "sort_with_positions": sort_with_positions, "sort_of_columns": lambda: cp.sort(g, axis=1),
    "median": lambda: float(cp.median(c)), "find": lambda: cp.nonzero(z)[0].get(),
    "transpose": lambda: g.T.copy(), "part": lambda: g[::2, :].copy(),
    "by_list": lambda: c[index], "concatenate": lambda: cp.concatenate((g, h)),
    "repmat": lambda: cp.tile(v, (m, 1)), "matrix_by_vector": lambda: g @ v,
    "norm": lambda: float(cp.linalg.norm(c)), "dot": lambda: float(c @ c), "assign": assign,
}

for name, run in OPERATIONS.items():
    best = math.inf
    for repeats in (2, 20, 105):
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        cp.cuda.Device().synchronize()
        best = min(best, 1e6 * (time.perf_counter() - start) / repeats)
    print(f"{name},{best:.2f}")
