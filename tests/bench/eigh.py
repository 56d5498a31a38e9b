# eigh of CuPy and PyTorch for the matrices of bench_arrays.m: whole calls, data on the
# GPU.  python3 tests/bench/eigh.py
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import importlib
import statistics
import time

CASES = [(512, 1), (1024, 1), (2048, 1), (4096, 1), (8192, 1),
         (64, 8), (64, 256), (256, 8), (256, 64)]


def cupy_case(np, n, pages):
    cp = importlib.import_module("cupy")
    a = cp.asarray(symmetric(np, n, pages))
    return lambda: (cp.linalg.eigh(a), cp.cuda.Device().synchronize())


def torch_case(np, n, pages):
    torch = importlib.import_module("torch")
    a = torch.from_numpy(symmetric(np, n, pages)).cuda()
    return lambda: (torch.linalg.eigh(a), torch.cuda.synchronize())


def symmetric(np, n, pages):
    a = np.random.default_rng(0).standard_normal((pages, n, n))
    a = a + a.transpose(0, 2, 1)
    return a[0] if pages == 1 else a


def milliseconds(call, seconds=5.0):
    call()
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < seconds and len(times) < 20:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def main():
    import numpy as np
    print("library,n,pages,ms")
    for name, case in (("cupy", cupy_case), ("torch", torch_case)):
        for n, pages in CASES:
            try:
                print(f"{name},{n},{pages},{milliseconds(case(np, n, pages)):.3f}", flush=True)
            except ImportError:
                print(f"{name},{n},{pages},not installed")
                break


if __name__ == "__main__":
    main()
