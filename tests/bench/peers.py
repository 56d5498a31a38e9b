# The operations of bench_operations.m and the programs of bench_programs.m in CuPy: lines
# "name,seconds".  python3 tests/bench/peers.py operations ELEMENTS | programs ORDER
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import math
import sys
import time

import cupy as cp

n = int(sys.argv[2])


def operations():
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
    return {
        "plus": lambda: g + h, "times": lambda: g * h, "scaled": lambda: 2 * g,
        "broadcast": lambda: g + v, "exp": lambda: cp.exp(g), "log": lambda: cp.log(g),
        "sin": lambda: cp.sin(g), "sqrt": lambda: cp.sqrt(g), "square": lambda: g ** 2,
        "power": lambda: g ** 1.5, "compare": lambda: (g > 0.5).get(),
        "isnan": lambda: cp.isnan(g).get(), "sum": lambda: g.sum(axis=1),
        "sum of rows": lambda: g.sum(axis=0), "sum of all": lambda: float(c.sum()),
        "prod": lambda: g.prod(axis=1), "mean": lambda: g.mean(axis=1),
        "std": lambda: g.std(axis=1, ddof=1), "max": lambda: g.max(axis=1),
        "max and position": lambda: (g.max(axis=1), g.argmax(axis=1).get()),
        "any": lambda: g.any(axis=1).get(), "cumsum": lambda: cp.cumsum(c),
        "cumsum of columns": lambda: cp.cumsum(g, axis=1), "sort": lambda: cp.sort(c),
        "sort with positions": sort_with_positions, "sort of columns": lambda: cp.sort(g, axis=1),
        "median": lambda: float(cp.median(c)), "find": lambda: cp.nonzero(z)[0].get(),
        "transpose": lambda: g.T.copy(), "part": lambda: g[::2, :].copy(),
        "by list": lambda: c[index], "concatenate": lambda: cp.concatenate((g, h)),
        "repmat": lambda: cp.tile(v, (m, 1)), "matrix by vector": lambda: g @ v,
        "norm": lambda: float(cp.linalg.norm(c)), "dot": lambda: float(c @ c), "assign": assign,
    }


def conjugate_gradients(a, b):
    x = cp.zeros_like(b)
    r = b.copy()
    p = b.copy()
    old = r @ r
    for _ in range(50):
        q = a @ p
        alpha = old / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        if new == 0:
            break
        p = r + (new / old) * p
        old = new
    return x.get()


def power_iteration(a, v):
    for _ in range(100):
        v = a @ v
        size = cp.linalg.norm(v)
        v /= size
    return float(size)


def k_means(x):
    k = 16
    c = x[:k]
    squares = (x * x).sum(axis=1)
    for _ in range(20):
        distances = squares[:, None] - 2 * x @ c.T + (c * c).sum(axis=1)
        nearest = distances.argmin(axis=1)
        member = (nearest[:, None] == cp.arange(k)).astype(float)
        c = (member.T @ x) / cp.maximum(member.sum(axis=0), 1)[:, None]
    return c.get()


def kernel_pca(x):
    squares = (x * x).sum(axis=1)
    k = cp.exp((2 * x @ x.T - squares[:, None] - squares) / x.shape[1])
    k = k - k.mean(axis=0) - k.mean(axis=1)[:, None] + k.mean()
    values, v = cp.linalg.eigh((k + k.T) / 2)
    return (v[:, -2:] * cp.sqrt(values[-2:])).get()


def programs():
    a = cp.random.rand(n, n)
    a = a + a.T + 2 * n * cp.eye(n)
    b, x = cp.random.rand(n), cp.random.rand(n, 32)
    return {
        "conjugate gradients": lambda: conjugate_gradients(a, b),
        "power iteration": lambda: power_iteration(a, b),
        "k means": lambda: k_means(x), "kernel pca": lambda: kernel_pca(x),
    }


# The least of some loops: of many operations in a row, of one program.
of_operations = sys.argv[1] == "operations"
todo = (operations if of_operations else programs)()
best = dict.fromkeys(todo, math.inf)
for _ in range(4 if of_operations else 1):
    for name, run in todo.items():
        begin = time.perf_counter()
        for repeats in (2, 20, 105) if of_operations else 1000 * (1,):
            start = time.perf_counter()
            for _ in range(repeats):
                run()
            cp.cuda.Device().synchronize()
            best[name] = min(best[name], (time.perf_counter() - start) / repeats)
            if not of_operations and time.perf_counter() - begin > 2:
                break
for name in todo:
    print(f"{name},{best[name]:.5g}")
