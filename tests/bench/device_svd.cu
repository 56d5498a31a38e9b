/* Singular values: gpu_svd compared with cuSOLVER's drivers, on data in the GPU's memory.
     device_svd [-v] [-c DIGITS] MxNxPAGES ...
   -v: singular values alone; -c: the condition is 10^DIGITS, with singular values in geometric
   progression, instead of normally distributed elements.  Errors are the largest of
   |A - U S V'| / |A|, |U'U - I| and |V'V - I| of the first and the last page, in Frobenius
   norms and units of max (m, n) eps; peers whose error is above 10 have no time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

#include <complex>

typedef std::complex<double> number;

enum
{
  CHECKED = 512,    /* largest order of errors */
  SLOW = 500000000, /* m n min (m, n): run once */
  BATCHED_J = 32,   /* largest order of gesvdjBatched */
  LARGEST_J = 4096  /* and of gesvdj, which takes longest */
};

typedef struct
{
  gpueig_type type;
  int m, n;
  int64_t pages;
  int vectors;
  void *given, *a, *s, *u, *v; /* on the device; u m-by-m at most, v n-by-n */
  int64_t bytes_a;
} problem;

/* --- matrices --- */

static number
get (gpueig_type type, const void *a, int64_t i)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      return ((const float *) a)[i];
    case GPUEIG_DOUBLE:
      return ((const double *) a)[i];
    case GPUEIG_COMPLEX_FLOAT:
      return ((const std::complex<float> *) a)[i];
    default:
      return ((const number *) a)[i];
    }
}

/* COUNT vectors of LENGTH numbers, OTHER from one to the next, STEP within, become H x with
   a random reflector H.  */
static void
reflect (int length, int count, int64_t step, int64_t other, uint64_t seed,
         int is_complex, number *x)
{
  std::vector<number> reflector ((size_t) length);
  number *const h = reflector.data ();
  double sum = 0;
  for (int i = 0; i < length; i++)
    {
      h[i] = number (uniform (seed + 2 * (uint64_t) i),
                     is_complex ? uniform (seed + 2 * (uint64_t) i + 1) : 0);
      sum += std::norm (h[i]);
    }
#pragma omp parallel for if (count > 500)
  for (int j = 0; j < count; j++)
    {
      number *y = x + j * other, d = 0;
      for (int i = 0; i < length; i++)
        d += std::conj (h[i]) * y[i * step];
      d *= 2 / sum;
      for (int i = 0; i < length; i++)
        y[i * step] -= d * h[i];
    }
}

/* A page with singular values from 1 to 10^-DIGITS.  */
static void
fill_graded (const problem *p, double digits, uint64_t seed, void *a)
{
  const int m = p->m, n = p->n, k = m < n ? m : n;
  const int parts = 1 + gpueig_is_complex (p->type);
  std::vector<number> page ((size_t) m * (size_t) n);
  number *const x = page.data ();
  for (int64_t i = 0; i < (int64_t) m * n; i++)
    x[i] = i % m == i / m
               ? pow (10, -digits * (double) (i / m) / fmax (1, k - 1))
               : 0;
  for (uint64_t i = 0; i < 3; i++)
    {
      reflect (m, n, 1, m, seed + (i << 40), parts == 2, x);
      reflect (n, m, m, 1, seed + ((i + 4) << 40), parts == 2, x);
    }
  for (int64_t i = 0; i < (int64_t) m * n; i++)
    {
      set_real (p->type, a, parts * i, x[i].real ());
      if (parts == 2)
        set_real (p->type, a, parts * i + 1, x[i].imag ());
    }
}

/* --- errors --- */

/* |A - U S W'| and *NORM = |A|; U m-by-k, W n-by-k; NULL: A and S are I.  */
static double
distance (int m, int n, int k, const number *a, const number *u,
          const number *s, const number *w, double *norm)
{
  double sum = 0, size = 0;
#pragma omp parallel for reduction(+ : sum, size)
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      {
        number d = a ? a[i + (int64_t) m * j] : number (i == j);
        size += std::norm (d);
        for (int c = 0; c < k; c++)
          d -= u[i + (int64_t) m * c] * (s ? s[c] : 1)
               * std::conj (w[j + (int64_t) n * c]);
        sum += std::norm (d);
      }
  *norm = sqrt (size);
  return sqrt (sum);
}

/* The adjoint of X, m-by-n.  */
static std::vector<number>
adjoint_of (int m, int n, const std::vector<number> &x)
{
  std::vector<number> y (x.size ());
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      y[(size_t) (j + (int64_t) n * i)]
          = std::conj (x[(size_t) (i + (int64_t) m * j)]);
  return y;
}

static std::vector<number>
download (gpueig_type type, const void *device, int64_t at, int64_t count)
{
  const size_t size = gpueig_scalar_size (type);
  std::vector<char> x (size * (size_t) count);
  std::vector<number> to ((size_t) count);
  must (cudaMemcpy (x.data (), (const char *) device + size * (size_t) at,
                    x.size (), cudaMemcpyDeviceToHost)
            == cudaSuccess,
        "download");
  for (int64_t i = 0; i < count; i++)
    to[(size_t) i] = get (type, x.data (), i);
  return to;
}

/* The errors of one page.  STEP_U and STEP_V: from one to the next.  ADJOINT: V' is there.  */
static double
page_error (const problem *p, int64_t page, int64_t step_u, int64_t step_v,
            int adjoint)
{
  const int m = p->m, n = p->n, k = m < n ? m : n;
  const int is_double = gpueig_is_double (p->type);
  const auto a = download (p->type, p->given, page * m * n, (int64_t) m * n);
  const auto u = download (p->type, p->u, page * step_u, (int64_t) m * k);
  const auto x = download (p->type, p->v, page * step_v, (int64_t) n * k);
  const auto s
      = download (is_double ? GPUEIG_DOUBLE : GPUEIG_FLOAT, p->s, page * k, k);
  const auto v = adjoint ? adjoint_of (k, n, x) : x;
  const auto uh = adjoint_of (m, k, u), vh = adjoint_of (n, k, v);
  double norm, one;
  const double residual
      = distance (m, n, k, a.data (), u.data (), s.data (), v.data (), &norm),
      of_u = distance (k, k, m, NULL, uh.data (), NULL, uh.data (), &one),
      of_v = distance (k, k, n, NULL, vh.data (), NULL, vh.data (), &one);
  return fmax (residual / norm, fmax (of_u, of_v))
         / ((m > n ? m : n) * (is_double ? 0x1p-52 : 0x1p-23));
}

static double
error_of (const problem *p, int64_t pages, int64_t step_u, int64_t step_v,
          int adjoint)
{
  if (! p->vectors || p->m > 2 * CHECKED || p->n > CHECKED)
    return NAN;
  return fmax (page_error (p, 0, step_u, step_v, adjoint),
               page_error (p, pages - 1, step_u, step_v, adjoint));
}

/* --- solvers --- */

static double
own_time (gpueig_context *ctx, const problem *p, gpueig_info *info)
{
  gpueig_svd_problem g = {};
  g.type = p->type;
  g.m = p->m;
  g.n = p->n;
  g.pages = p->pages;
  g.a = p->given;
  g.s = p->s;
  g.u = p->vectors ? p->u : NULL;
  g.v = p->vectors ? p->v : NULL;
  g.place = GPUEIG_DEVICE;
  return solve_time (ctx, gpueig_svd, &g, "auto", RUNS, info);
}

enum
{
  GESVD,
  GESVDP,
  GESVDR,
  GESVDJ,
  BATCHED,
  GESVDA,
  PEERS
};

static gesvdjInfo_t params;
static cusolverDnParams_t general_params;

/* Single pages by the routines for all types.  */
static cusolverStatus_t
general (const problem *p, int routine, int only_size, library *l)
{
  const cudaDataType t = data_type[p->type], r = real_data_type (p->type);
  const int64_t m = p->m, n = p->n;
  const cusolverEigMode_t mode
      = p->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const signed char job = p->vectors ? 'S' : 'N';
  double sigma;
  if (routine == GESVD)
    return GENERIC_CALL (Xgesvd, general_params, job, job, m, n, t, p->a, m, r,
                         p->s, t, p->u, m, t, p->v, n, t);
  if (routine == GESVDR)
    return GENERIC_CALL (Xgesvdr, general_params, job, job, m, n, n, 0, 1, t,
                         p->a, m, r, p->s, t, p->u, m, t, p->v, n, t);
  return only_size
             ? cusolverDnXgesvdp_bufferSize (
                 l->handle, general_params, mode, 1, m, n, t, p->a, m, r, p->s,
                 t, p->u, m, t, p->v, n, t, &l->bytes, &l->host_bytes)
             : cusolverDnXgesvdp (l->handle, general_params, mode, 1, m, n, t,
                                  p->a, m, r, p->s, t, p->u, m, t, p->v, n, t,
                                  l->work, l->bytes, l->host_work,
                                  l->host_bytes, l->info, &sigma);
}

#define BY_TYPE(T, R, L)                                                       \
  static cusolverStatus_t jacobi_##L (const problem *p, int routine,           \
                                      int only_size, library *l)               \
  {                                                                            \
    const cusolverEigMode_t mode                                               \
        = p->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;  \
    const int m = p->m, n = p->n, k = m < n ? m : n, pages = (int) p->pages;   \
    const long long in_a = (long long) m * n, in_u = (long long) m * k,        \
                    in_v = (long long) n * k;                                  \
    T *a = (T *) p->a, *u = (T *) p->u, *v = (T *) p->v;                       \
    R *s = (R *) p->s;                                                         \
    if (routine == GESVDJ)                                                     \
      return TYPED_CALL (T, L##gesvdj, (&size, params), (l->info, params),     \
                         mode, 1, m, n, a, m, s, u, m, v, n);                  \
    if (routine == BATCHED)                                                    \
      return TYPED_CALL (T, L##gesvdjBatched, (&size, params, pages),          \
                         (l->info, params, pages), mode, m, n, a, m, s, u, m,  \
                         v, n);                                                \
    return TYPED_CALL (T, L##gesvdaStridedBatched, (&size, pages),             \
                       (l->info, NULL, pages), mode, k, m, n, a, m, in_a, s,   \
                       k, u, m, in_u, v, n, in_v);                             \
  }
BY_TYPE (float, float, S)
BY_TYPE (double, double, D)
BY_TYPE (cuComplex, float, C)
BY_TYPE (cuDoubleComplex, double, Z)

static cusolverStatus_t (*const jacobi[]) (const problem *, int, int, library *)
    = { jacobi_S, jacobi_D, jacobi_C, jacobi_Z };

/* Seconds for all pages by a ROUTINE of cuSOLVER, NaN if it does not serve them; *ERROR of
   its results.  */
static double
peer_time (const problem *p, int routine, double *error)
{
  const int m = p->m, n = p->n, k = m < n ? m : n, largest = m > n ? m : n;
  const int batched = routine >= BATCHED, square = routine == BATCHED;
  *error = NAN;
  if ((! batched && m < n && routine != GESVDJ) || (batched && p->pages == 1)
      || (routine == BATCHED && largest > BATCHED_J)
      || (routine == GESVDJ && m > LARGEST_J && n > LARGEST_J)
      || (routine == GESVDR && m != n) || (routine == GESVDA && m < n))
    return NAN;
  must (params
            || (cusolverDnCreateGesvdjInfo (&params) == 0
                && cusolverDnCreateParams (&general_params) == 0),
        "cusolverDnCreateParams");
  const int slow = (double) m * n * k > SLOW;
  const double seconds = library_time (
      ! slow, slow ? 1 : RUNS, p->pages,
      [&] {
        must (cudaMemcpy (p->a, p->given, (size_t) p->bytes_a,
                          cudaMemcpyDeviceToDevice)
                  == cudaSuccess,
              "copy");
      },
      [&] (library *l, int only_size) {
        return routine < GESVDJ ? general (p, routine, only_size, l)
                                : jacobi[p->type](p, routine, only_size, l);
      });
  if (! isnan (seconds))
    *error = error_of (p, batched ? p->pages : 1, square ? m * m : m * k,
                       square ? n * n : n * k, routine == GESVD);
  return batched ? seconds : seconds * (double) p->pages;
}

static void
measure (const bench *b, const char *size)
{
  problem p = {};
  const int digits = b->option['c'];
  long long pages = 1;
  gpueig_info info;
  p.type = b->type;
  p.vectors = ! b->option['v'];
  must (sscanf (size, "%dx%dx%lld", &p.m, &p.n, &pages) >= 2, size);
  p.pages = pages;
  const int64_t in_a = (int64_t) p.m * p.n;
  const size_t scalar = gpueig_scalar_size (p.type);
  const int64_t different = digits > 0 && pages > 50 ? 50 : pages;
  p.bytes_a = in_a * pages * (int64_t) scalar;
  char *a = (char *) host_memory ((size_t) p.bytes_a);
  if (digits <= 0)
    fill_normal (p.type, in_a * pages, a);
  for (int64_t i = 0; digits > 0 && i < pages; i++)
    if (i < different)
      fill_graded (&p, digits, 977 * (uint64_t) i,
                   a + (size_t) (i * in_a) * scalar);
    else
      memcpy (a + (size_t) (i * in_a) * scalar,
              a + (size_t) (i % different * in_a) * scalar,
              (size_t) in_a * scalar);
  p.given = device_memory ((size_t) p.bytes_a);
  p.a = device_memory ((size_t) p.bytes_a);
  /* gesvdjBatched has square U and V.  */
  const int largest = p.m > p.n ? p.m : p.n, k = p.m < p.n ? p.m : p.n;
  const int square = pages > 1 && largest <= BATCHED_J;
  p.s = device_memory (sizeof (double) * (size_t) (k * pages));
  p.u = device_memory (scalar
                       * (size_t) ((int64_t) p.m * (square ? p.m : k) * pages));
  p.v = device_memory (scalar * (size_t) ((int64_t) p.n * p.n * pages));
  must (cudaMemcpy (p.given, a, (size_t) p.bytes_a, cudaMemcpyHostToDevice)
            == cudaSuccess,
        "upload");
  const double own = own_time (b->ctx, &p, &info);
  const double error
      = error_of (&p, pages, (int64_t) p.m * k, (int64_t) p.n * k, 0);
  double best = INFINITY, error_of_gesvda = NAN;
  printf ("%d,%d,%lld,%d,%s%s", p.m, p.n, pages, digits, info.method,
          info.fallback[0] ? "+" : "");
  print_number (own);
  print_number (error);
  for (int i = 0; i < PEERS; i++)
    {
      double bad = NAN;
      const double time = b->option['N'] ? NAN : peer_time (&p, i, &bad);
      print_number (bad > 10 ? NAN : time);
      if (! (bad > 10))
        best = fmin (best, time);
      if (i == GESVDA)
        error_of_gesvda = bad;
    }
  print_number (error_of_gesvda);
  print_number (best / own);
  printf ("\n");
}

int
main (int argc, char **argv)
{
  return run_bench (
      argc, argv,
      "m,n,pages,digits,method,gpu_svd [s],error,gesvd [s],gesvdp [s],gesvdr "
      "[s],gesvdj [s],gesvdjBatched [s],gesvda [s],error of gesvda,best "
      "peer/gpu_svd",
      "c", 1, [] (const char *) { return 1.0; }, measure);
}
