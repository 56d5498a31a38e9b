# CuPy's eigsh, svds and cg for bench_eigs.m: seconds, then the values, in lines.
# python3 tests/bench/peers_eigs.py largest | smallest | svds | pcg ROOT, of order ROOT^2
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import inspect
import sys
import time

import cupy as cp
import cupyx.scipy.sparse as sparse
import cupyx.scipy.sparse.linalg as linalg
import numpy as np

name, m = sys.argv[1], int(sys.argv[2])
n = m * m


def laplacian():
    e = cp.ones(m)
    path = sparse.diags([-e[1:], 2 * e, -e[1:]], [-1, 0, 1], format="csr")
    one = sparse.eye(m, format="csr")
    return (sparse.kron(path, one) + sparse.kron(one, path)).tocsr()


def random_matrix():
    i = np.arange(n, dtype=np.float64)[:, None]
    j = np.mod(i * np.array([1, 3, 7, 11, 13, 17, 19, 23, 29, 31.0]) * 7919
               + np.array([1, 2, 3, 5, 8, 13, 21, 34, 55, 89.0]) * 104729, n)
    i = np.broadcast_to(i, j.shape)
    data = (np.sin(i + 2 * j).ravel(), (i.ravel().astype(np.int32), j.ravel().astype(np.int32)))
    return sparse.coo_matrix(tuple([cp.asarray(data[0]), tuple(map(cp.asarray, data[1]))]), shape=(n, n)).tocsr()


def smallest(a):
    # Shift-invert: CuPy factors by SuperLU on the CPU and solves on the GPU.
    lu = linalg.splu(a.tocsc())
    op = linalg.LinearOperator((n, n), matvec=lu.solve, dtype=a.dtype)
    return 1 / linalg.eigsh(op, k=10, which="LM", return_eigenvectors=False)


def norm_of_solution(a):
    tol = "rtol" if "rtol" in inspect.signature(linalg.cg).parameters else "tol"
    x, _ = linalg.cg(a, cp.sin(cp.arange(1.0, n + 1)), maxiter=500, **{tol: 1e-14})
    return cp.linalg.norm(x).reshape(1)


a = random_matrix() if name == "svds" else laplacian()
calls = {
    "largest": lambda: linalg.eigsh(a, k=10, which="LA", return_eigenvectors=False),
    "smallest": lambda: smallest(a),
    "svds": lambda: linalg.svds(a, k=20, return_singular_vectors=False),
    "pcg": lambda: norm_of_solution(a),
}
linalg.eigsh(sparse.eye(100, format="csr"), k=2, return_eigenvectors=False)
runs = 6 if name == "pcg" else 1
seconds = []
for _ in range(runs):
    cp.cuda.Device().synchronize()
    start = time.perf_counter()
    values = cp.asnumpy(calls[name]())
    seconds.append(time.perf_counter() - start)
# The first of several runs loads libraries.
print(np.median(seconds[-5:]))
for value in values:
    print(repr(float(value)))
