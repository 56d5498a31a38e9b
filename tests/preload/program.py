# Calls LAPACK's drivers by their names, to be run with gpueig-run by tests/check_lapack.sh:
#   program.py drivers ORDER ...      what LAPACK promises and its own programs do not vary
#   program.py callers                who is served: threads, forked children, OpenMP
#   program.py nonfinite ORDER ...    NaN and Inf: LAPACK's results to the bit; where LAPACK
#                                     would never end, INFO and NaN
#   program.py wide PREFIX LIBRARY ORDER ...   names with 64-bit integers, of which LIBRARY has
#                                     its own: INFO and the eigenvalues are LAPACK's
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

import ctypes as c
import math
import os
import random
import sys
import threading

PREFIX = sys.argv[2] if sys.argv[1] == "wide" else ""
INT = c.c_int64 if sys.argv[1] == "wide" else c.c_int
SUFFIX = "64_" if sys.argv[1] == "wide" else ""
lapack = c.CDLL(sys.argv[3], mode=c.RTLD_GLOBAL) if sys.argv[1] == "wide" else c.CDLL("liblapack.so.3")
preloaded = c.CDLL(None)
rng = random.Random(1)
passed = failed = 0


def check(good, text):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAIL:", text)


numbers = []


def draw(count):
    """COUNT numbers in (-1, 1), from a random place of a list on."""
    while len(numbers) < count + 10000:
        numbers.append(rng.uniform(-1, 1))
    at = rng.randrange(len(numbers) - count)
    return numbers[at : at + count]


# Names of the real and the complex types, their arguments (see Call), of a full symmetric
# matrix, of a pair, and the least LWORK of both: so many N and so many more.
DRIVERS = [
    ("syev", "heev", "VUNXLWOKE", "VUNXLWOKRE", 1, 0, (3, -1), (2, -1)),
    ("syevd", "heevd", "VUNXLWOKQTE", "VUNXLWOKRSQTE", 1, 0, None, None),
    ("syevr", "heevr", "VAUNXL001N0MWZLPOKQTE", "VAUNXL001N0MWZLPOKRSQTE", 1, 0, None, None),
    ("sygv", "hegv", "1VUNXLYLWOKE", "1VUNXLYLWOKRE", 1, 1, (3, -1), (2, -1)),
    ("sygvd", "hegvd", "1VUNXLYLWOKQTE", "1VUNXLYLWOKRSQTE", 1, 1, None, None),
    ("stev", None, "VNXYZLOE", None, 0, 0, None, None),
    ("stevd", None, "VNXYZLOKQTE", None, 0, 0, None, None),
    ("stevr", None, "VANXY001N0MWZLPOKQTE", None, 0, 0, None, None),
    ("geev", "geev", "BVNXLWIF1ZLOKE", "BVNXLWF1ZLOKRE", 0, 0, (4, 0), (2, 0)),
    ("gees", "gees", "VB-NXLMWIZLOKQE", "VB-NXLMWZLOKRQE", 0, 0, (3, 0), (2, 0)),
    ("gesvd", "gesvd", "JJNNXLWZLYLOKE", "JJNNXLWZLYLOKRE", 0, 0, (5, 0), (3, 0)),
    ("gesdd", "gesdd", "JNNXLWZLYLOKQE", "JNNXLWZLYLOKRQE", 0, 0, None, None),
]
STEMR = ("stemr", "stemr", "VANXY001NMWZLCPHOKQTE", "VANXY001NMWZLCPHOKQTE", 0, 0, None, None)
GEESX = ("geesx", "geesx", "VB-BNXLMWIZLDDOKQTQE", "VB-BNXLMWZLDDOKRQE", 0, 0, None, None)


class Call:
    """Random data of order N for a driver, and its arguments in LAPACK's order: N and L the
    order and the leading dimension, X Y Z W the matrices and eigenvalues, O work ..."""

    def __init__(self, driver, letter, n, vectors=True, padding=0, uplo=b"L", like=None):
        self.real_name, complex_name, *letters, self.symmetric, self.pair, least, least_complex = driver
        self.parts = 2 if letter in "cz" else 1
        name, self.letters = ((self.real_name, letters[0]), (complex_name, letters[1]))[self.parts - 1]
        self.name = name and PREFIX + letter + name + "_" + SUFFIX
        self.least = (least, least_complex)[self.parts - 1]
        self.real, self.eps = (c.c_float, 2.0**-23) if letter in "sc" else (c.c_double, 2.0**-52)
        self.size = self.parts * c.sizeof(self.real)
        self.n, self.ld, self.vectors, self.uplo = n, n + padding, vectors, uplo
        self.lwork, self.nzc, self.found, self.range = 1 + 66 * n + 4 * n * n, n, -1, b"A"
        self.a, self.b = self.array(n * n), self.array(n * n)
        if like:
            c.memmove(self.a, like.a, c.sizeof(self.a))
            c.memmove(self.b, like.b, c.sizeof(self.b))
        else:
            self.a[:], self.b[:] = draw(len(self.a)), draw(len(self.b))
        for i in range(n if self.pair and not like else 0):
            self.b[self.parts * i * (n + 1)] += 2.0 * n
        self.x, self.y, self.z = (self.array(self.ld * n) for _ in range(3))
        self.w, self.wi, self.left = (self.array(n) for _ in range(3))
        self.work, self.rwork = self.array(self.lwork), self.array(1 + 25 * n + 7 * n * n)
        self.iwork, self.isuppz = (INT * (10 * n + 3))(), (INT * (2 * n))()

    def array(self, count):
        return (self.real * (self.parts * max(1, count)))()

    def copy(self, triangle, source, to):
        """With the leading dimension; the bits of NaN elsewhere, and in the other triangle."""
        c.memset(to, 0xFF, c.sizeof(to))
        for j in range(self.n):
            first = j if triangle and self.uplo == b"L" else 0
            count = (j + 1 if triangle and self.uplo == b"U" else self.n) - first
            c.memmove(c.addressof(to) + (first + self.ld * j) * self.size,
                      c.addressof(source) + (first + self.n * j) * self.size, count * self.size)

    def run(self, library):
        padded = self.ld > self.n
        self.copy(self.symmetric and padded, self.a, self.x)
        self.copy(self.pair and padded, self.b, self.y)
        c.memset(self.z, 0xFF if padded else 0, c.sizeof(self.z))
        info, found, zero = INT(), INT(), c.c_double()
        of = {"N": INT(self.n), "L": INT(self.ld), "K": INT(self.lwork), "S": INT(len(self.rwork)), "1": INT(1),
              "T": INT(len(self.iwork)), "E": info, "M": found, "0": zero, "C": INT(self.nzc), "H": INT(1)}
        of = {letter: c.byref(number) for letter, number in of.items()}
        of |= {"X": self.x, "Y": self.y, "Z": self.z, "W": self.w, "I": self.wi, "F": self.left, "O": self.work,
               "R": self.rwork, "D": self.rwork, "Q": self.iwork, "P": self.isuppz, "U": self.uplo, "-": None, "A": self.range, "B": b"N",
               "V": b"V" if self.vectors else b"N", "J": b"A" if self.vectors else b"N"}
        # The lengths of the strings follow.
        getattr(library, self.name)(*[of[letter] for letter in self.letters], *4 * [c.c_size_t(1)])
        self.found = found.value
        return info.value

    def untouched(self, triangle, x):
        """Are the bits of NaN still in the padding of X and, with TRIANGLE, in the other one?"""
        bits, good = bytes(x), True
        for j in range(self.n):
            parts = [(self.n, self.ld)]
            if triangle:
                parts.append((0, j) if self.uplo == b"L" else (j + 1, self.n))
            for first, end in parts:
                at = slice((first + self.ld * j) * self.size, (end + self.ld * j) * self.size)
                good &= bits[at] == (end - first) * self.size * b"\xff"
        return good

    def values(self):
        """Of general matrices with imaginary parts, whose order is free."""
        if self.real_name[:2] == "ge" and self.real_name[2] == "e":
            return self.w[: 2 * self.n] if self.parts == 2 else self.w[: self.n] + self.wi[: self.n]
        return (self.x if self.real_name in ("stev", "stevd") else self.w)[: self.n]


def calls(letters="sdcz"):
    for driver in DRIVERS:
        for letter in letters:
            if driver[0 if letter in "sd" else 1]:
                yield driver, letter


def measure(s):
    """A sum of the eigenvalues, of general matrices of their squares."""
    if s.real_name[:2] == "ge":
        return sum(x * x for x in s.values()) / s.n**2
    return sum(x * math.cos(k + 1) for k, x in enumerate(s.values())) / s.n**2


def test_driver(driver, letter, n, uplo):
    s = Call(driver, letter, n, padding=3, uplo=uplo)
    best, room = 0, s.lwork
    if s.least:
        s.lwork = -1
        s.run(preloaded)
        best = s.work[0]
        s.lwork = s.least[0] * n + s.least[1]
    info = s.run(preloaded)
    check(info == 0, f"{s.name}: info {info}")
    check(not s.least or s.work[0] == best, f"{s.name}: WORK (1), least LWORK")
    check(s.untouched(0, s.x) and s.untouched(s.pair, s.y) and s.untouched(0, s.z),
          f"{s.name}: padding and the other triangle of B are not written")
    check(n < 3 or s.real_name[0] != "g" or s.x[:n] != s.a[:n], f"{s.name}: A is overwritten")
    # Without vectors, the factor of B, errors: beside LAPACK's.
    t = Call(driver, letter, n, padding=3, uplo=uplo, like=s)
    t.run(lapack)
    worst = max([abs(x - y) for x, y in zip(s.y, t.y) if y == y] if s.pair else [0])
    check(worst < 10 * n * s.eps * math.sqrt(5.0 * n), f"{s.name}: factor of B: {worst}")
    with_vectors = measure(s)
    s.vectors, s.lwork = False, room
    info = s.run(preloaded)
    check(info == 0 and abs(measure(s) - with_vectors) < 10 * s.eps and s.untouched(s.symmetric, s.x),
          f"{s.name}: values alone, and the other triangle: {measure(s)}, {with_vectors}")
    if s.pair:
        s.b[s.parts * (n + 1) * (n // 2)] = t.b[s.parts * (n + 1) * (n // 2)] = -1
        info = s.run(preloaded)
        check(info == t.run(lapack) == n + n // 2 + 1, f"{s.name}: info {info} of a bad B")


def test_graded(driver, letter, n, off, in_turn, falling):
    """Graded definite tridiagonal matrices: eigenvalues of high relative accuracy, as LAPACK
    computes them; xPTEQR's are the exact ones.  Off-diagonal elements of OFF times the
    geometric mean of their neighbours, IN_TURN of OFF and OFF / 20, which is not diagonally
    dominant."""
    s = Call(driver, letter, n, vectors=driver[0] != "stevd")
    size = 30 if letter == "d" else 8
    for i in range(n):
        s.a[i] = 10.0 ** ((-size if falling else size) * i / n)
        if i > 0:
            s.b[i - 1] = off * (0.05 if in_turn and i % 2 else 1) * math.sqrt(s.a[i - 1]) * math.sqrt(s.a[i])
    info, order, one = INT(), INT(n), INT(1)
    d, e, work = s.array(n), s.array(n), s.array(4 * n)
    d[:], e[:] = s.a[:n], s.b[:n]
    getattr(lapack, letter + "pteqr_")(b"N", c.byref(order), d, e, work, c.byref(one), work, c.byref(info), c.c_size_t(1))
    check(s.run(preloaded) == 0 == info.value, f"{s.name}, graded")
    worst = max(abs(x / y - 1) for x, y in zip(s.values(), d[::-1])) / (n * s.eps)
    check(worst < 20, f"{s.name}, graded, order {n}: {worst}")


def test_drivers(n):
    test_queries(n)
    for driver, letter in calls():
        for uplo in (b"L", b"U") if driver[4] else (b"L",):
            test_driver(driver, letter, n, uplo)
        for falling in (0, 1) if driver[0][:2] == "st" else ():
            for off, in_turn in (0.1, 0), (0.9, 1), (0.45, 0):
                test_graded(driver, letter, n, off, in_turn, falling)


def test_nonfinite(n):
    """A number that is not finite at an element that the driver reads; of symmetric matrices
    and pairs: with others LAPACK may never return, or its results depend on the memory.  Nor does
    xSYEVR always, for vectors."""
    test_endless(n)
    for driver, letter in calls():
        for k in range(6 if driver[4] else 0):
            s = Call(driver, letter, n, vectors=k % 2)
            if driver[0] == "syevr" and s.vectors:
                continue
            i = rng.randrange(1, n)
            at = i + n * rng.randrange(i + 1)
            # Imaginary parts of the diagonal are not read.
            imaginary = s.parts == 2 and at % (n + 1) and rng.random() < 0.5
            matrix = s.b if s.pair and rng.random() < 0.5 else s.a
            matrix[s.parts * at + bool(imaginary)] = rng.choice((math.nan, math.inf, -math.inf))
            t = Call(driver, letter, n, vectors=k % 2, like=s)
            ours, theirs = s.run(preloaded), t.run(lapack)
            same = all(bytes(getattr(s, x)) == bytes(getattr(t, x)) for x in ("x", "y", "z", "w", "wi"))
            check(ours == theirs and same, f"{s.name}: NaN or Inf, order {n}: INFO is {ours}, LAPACK's {theirs}")


def test_endless(n):
    """Numbers for which LAPACK itself may never end."""
    some = [(driver, letter) for driver, letter in calls() if driver[0] in ("gees", "gesvd", "gesdd", "syevr", "stevr")]
    some += [(driver, letter) for driver in (STEMR, GEESX) for letter in "sdcz"]
    for driver, letter in some:
        schur, svd = driver[0][:4] == "gees", driver[0][:4] in ("gesv", "gesd")
        for value in (math.nan, math.inf) if schur else (-math.inf,) if svd else 4 * (math.nan, math.inf):
            s = Call(driver, letter, n, vectors=driver is not STEMR or rng.random() < 0.5, padding=3, uplo=rng.choice((b"L", b"U")))
            s.range = rng.choice((b"A", b"I"))
            i = rng.randrange(n)
            j = rng.randrange(i + 1)
            if driver[0] == "syevr":
                at = s.parts * (i + n * j if s.uplo == b"L" else j + n * i)
                s.a[at + (i != j and s.parts == 2 and rng.random() < 0.5)] = value
            elif driver[0][:2] == "st":
                (s.b if i < n - 1 and rng.random() < 0.5 else s.a)[i] = value
            else:
                s.a[s.parts * i * (n + 1)] = value
            info = s.run(preloaded)
            check(info == n, f"{s.name}: {value}, order {n}: INFO {info}")
            found = s.found if driver[0][2:] in ("evr", "emr") else 0
            check(found == 0, f"{s.name}: {value}, order {n}: {found} eigenvalues")
            lost = all(x != x for x in s.w[:n]) and all(x != x for x in s.z[: s.parts * n])
            check(lost or not (schur or svd), f"{s.name}: {value}, order {n}: results are NaN")
            check(s.untouched(0, s.x) and s.untouched(0, s.z), f"{s.name}: {value}, order {n}: padding")


def test_queries(n):
    """NZC = -1 asks xSTEMR for the columns of Z, which are 0 without vectors."""
    for letter in "sdcz":
        for vectors in (False, True):
            s = Call(STEMR, letter, n, vectors=vectors)
            t = Call(STEMR, letter, n, vectors=vectors, like=s)
            s.nzc = t.nzc = -1
            info = s.run(preloaded), t.run(lapack)
            same = all(bytes(getattr(s, x)) == bytes(getattr(t, x)) for x in ("x", "y", "z", "w"))
            check(info == (0, 0) and same, f"{s.name}: a query, vectors {vectors}, order {n}: INFO {info}")
            s.nzc = t.nzc = -2
            info = s.run(preloaded), t.run(lapack)
            check(info == (-14, -14), f"{s.name}: NZC -2: INFO {info}")


def test_wide(n):
    for driver, letter in calls():
        s = Call(driver, letter, n)
        info, ours = s.run(preloaded), measure(s)
        info |= s.run(lapack)
        error = abs(measure(s) - ours)
        check(info == 0 and error < (1e-5 if letter in "sc" else 1e-13), f"{s.name}, order {n}: INFO {info}, {error}")


def is_taken():
    """Is a call of dsyev_ from here solved by gpueig?  QR, which LAPACK uses, has other rounding
    errors."""
    s = Call(DRIVERS[0], "d", 140)
    s.run(lapack)
    theirs, last = bytes(s.x), s.w[139]
    wrong = s.run(preloaded) != 0 or abs(last - s.w[139]) > 1e-10 * abs(last)
    return "wrong" if wrong else bytes(s.x) != theirs


def test_callers():
    check(is_taken() is True, "a plain call is taken")
    seen = []

    @c.CFUNCTYPE(None, c.c_void_p)
    def region(_):
        seen.append(is_taken())

    c.CDLL("libgomp.so.1").GOMP_parallel(region, None, 2, 0)
    check(seen == [False, False], f"calls in an OpenMP region are not taken: {seen}")
    child = os.fork()
    if child == 0:
        os._exit({True: 1, False: 0}.get(is_taken(), 2))
    # Where the parent uses a GPU, a child has none.
    served = "GPUEIG_TEST_BACKEND" not in os.environ
    status = os.waitpid(child, 0)[1]
    check(status == served << 8, f"calls of a forked child are {'taken' if served else 'LAPACK’s'}: status {status}")
    check(is_taken() is True, "those of the parent still are")
    results = []
    threads = [threading.Thread(target=lambda: results.extend(is_taken() for _ in range(5))) for _ in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(results == 45 * [True], f"all calls of 9 threads are taken: {results}")


if sys.argv[1] == "callers":
    test_callers()
else:
    test = {"drivers": test_drivers, "nonfinite": test_nonfinite, "wide": test_wide}[sys.argv[1]]
    for order in sys.argv[4 if sys.argv[1] == "wide" else 2 :]:
        test(int(order))
print(f"lapack_program: {passed} passed, {failed} failed, 0 skipped")
