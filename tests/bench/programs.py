# The programs of bench_programs.m in CuPy, milliseconds each.  python3 tests/bench/programs.py ORDER
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import math
import sys
import time

import cupy as cp

n = int(sys.argv[1])


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


a = cp.random.rand(n, n)
a = a + a.T + 2 * n * cp.eye(n)
b, x = cp.random.rand(n), cp.random.rand(n, 32)
for name, run in {
    "conjugate gradients": lambda: conjugate_gradients(a, b),
    "power iteration": lambda: power_iteration(a, b),
    "k means": lambda: k_means(x), "kernel pca": lambda: kernel_pca(x),
}.items():
    best, begin = math.inf, time.perf_counter()
    while time.perf_counter() - begin < 2:
        start = time.perf_counter()
        run()
        best = min(best, 1e3 * (time.perf_counter() - start))
    print(f"{name},{best:.3f}")
