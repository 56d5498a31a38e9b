/* The table of commands, the options of each, and the short commands of
   gpu_onesided_eig and gpu_complex_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "gpueig_methods.h"

#include <stddef.h>
#include <string.h>

#define AT(field) .at = offsetof (mex_options, field)

/* --- options of several commands --- */

/* In the order of gpueig_backend.  */
static const char *const backends[] = { "auto", "cpu", "cuda", NULL };
static const char *const backends_mpi[]
    = { "auto", "cpu", "cuda", "mpi", NULL };
static const char *const displays[] = { "off", "iter", NULL };
static const char *const accuracies[] = { "normal", "high", NULL };

/* Options of every command; METHODS: the methods of the command.  */
#define COMMON(methods) COMMON_ON (backends, methods)
#define COMMON_ON(backends, methods)                                           \
  { "backend", MEX_ENUM, AT (core.backend), .words = backends },               \
      { "method", MEX_WORD, AT (core.method), .words = methods },              \
      { "display", MEX_ENUM, AT (core.display), .words = displays },           \
  {                                                                            \
    "device", MEX_DEVICES, AT (core)                                           \
  }

#define WORKERS                                                                \
  {                                                                            \
    "workers", MEX_INT, AT (core.workers), .value = 1                          \
  }
#define TOL                                                                    \
  {                                                                            \
    "tol", MEX_FRACTION, AT (core.tol)                                         \
  }
#define MAX_SWEEPS                                                             \
  {                                                                            \
    "maxsweeps", MEX_INT64, AT (core.max_sweeps), .value = 1                   \
  }
#define ACCURACY                                                               \
  {                                                                            \
    "accuracy", MEX_ENUM, AT (core.high_accuracy), .words = accuracies         \
  }
#define FORM                                                                   \
  { "vector", MEX_FLAG, AT (form), .value = MEX_FORM_VECTOR },                 \
  {                                                                            \
    "matrix", MEX_FLAG, AT (form), .value = MEX_FORM_MATRIX                    \
  }
#define BALANCE                                                                \
  { "balance", MEX_FLAG, AT (balance), .value = 1 },                           \
  {                                                                            \
    "nobalance", MEX_FLAG, AT (balance), .value = 0                            \
  }
#define PART                                                                   \
  { "index", MEX_ARRAY, AT (index) }, { "range", MEX_ARRAY, AT (range) }
#define END                                                                    \
  {                                                                            \
    .name = NULL                                                               \
  }

/* --- each command --- */

static const char *const eig_methods[]
    = { "auto", GE_METHODS_EIG_SYMMETRIC (GE_METHOD_NAME)
                    GE_METHODS_EIG_GENERAL (GE_METHOD_NAME) NULL };
const mex_option mex_eig_options[] = {
  COMMON_ON (backends_mpi, eig_methods), WORKERS, PART, FORM, BALANCE, END
};

/* gpu_eig (A, B).  */
static const char *const pair_methods[]
    = { "auto", GE_METHODS_EIG_SYMMETRIC (GE_METHOD_NAME) "qz", NULL };
const mex_option mex_pair_options[] = {
  COMMON_ON (backends_mpi, pair_methods),
  WORKERS,
  PART,
  FORM,
  { "chol", MEX_FLAG, AT (qz), .value = 0 },
  { "qz", MEX_FLAG, AT (qz), .value = 1 },
  ACCURACY,
  END,
};

static const char *const jacobi_methods[]
    = { "auto", GE_METHODS_JACOBI_EIG (GE_METHOD_NAME) NULL };
const mex_option mex_jacobi_options[] = {
  COMMON (jacobi_methods),
  TOL,
  MAX_SWEEPS,
  { "maxrotations", MEX_INT64, AT (core.max_rotations), .value = 1 },
  ACCURACY,
  { "guess", MEX_ARRAY, AT (guess) },
  FORM,
  END,
};

static const char *const onesided_methods[]
    = { "auto", GE_METHODS_ONESIDED_EIG (GE_METHOD_NAME) NULL };
const mex_option mex_onesided_options[]
    = { COMMON (onesided_methods), TOL, MAX_SWEEPS, ACCURACY, FORM, END };

static const char *const complex_methods[]
    = { "auto", GE_METHODS_COMPLEX_EIG (GE_METHOD_NAME) NULL };
const mex_option mex_complex_options[]
    = { COMMON (complex_methods), TOL, MAX_SWEEPS, FORM, BALANCE, END };

static const char *const mrrr_methods[]
    = { "auto", GE_METHODS_MRRR (GE_METHOD_NAME) NULL };
const mex_option mex_mrrr_options[] = {
  COMMON_ON (backends_mpi, mrrr_methods), WORKERS, PART, FORM, END,
};

static const char *const file_methods[]
    = { "auto", GE_METHODS_MPI (GE_METHOD_NAME) NULL };
static const char *const classes[] = { "double", "single", NULL };
const mex_option mex_file_options[] = {
  { "method", MEX_WORD, AT (core.method), .words = file_methods },
  { "display", MEX_ENUM, AT (core.display), .words = displays },
  WORKERS,
  { "class", MEX_ENUM, AT (is_single), .words = classes },
  { "complex", MEX_ARRAY, AT (complex) },
  { "index", MEX_ARRAY, AT (index) },
  END,
};

static const char *const tdinv_methods[]
    = { "auto", GE_METHODS_TDINV (GE_METHOD_NAME) NULL };
const mex_option mex_tdinv_options[] = {
  COMMON (tdinv_methods),
  { "columns", MEX_ARRAY, AT (columns) },
  { "band", MEX_ARRAY, AT (band) },
  END,
};

static const char *const schur_methods[]
    = { "auto", GE_METHODS_SCHUR (GE_METHOD_NAME) NULL };
/* Which eigenvalues of a Schur form come first.  */
#define REGIONS                                                                \
  { "lhp", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_LHP },                  \
      { "rhp", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_RHP },              \
      { "udi", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_UDI },              \
  {                                                                            \
    "udo", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_UDO                     \
  }
const mex_option mex_schur_options[] = {
  COMMON (schur_methods),
  { "real", MEX_FLAG, AT (widen), .value = 0 },
  { "complex", MEX_FLAG, AT (widen), .value = 1 },
  REGIONS,
  { "a", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_LHP },
  { "d", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_UDI },
  { "u", MEX_FLAG, AT (order), .value = GPUEIG_SCHUR_ANY },
  END,
};

static const char *const ordschur_methods[] = { "auto", NULL };
const mex_option mex_ordschur_options[]
    = { COMMON (ordschur_methods), REGIONS, END };

static const char *const funm_methods[] = { "auto", NULL };
const mex_option mex_funm_options[] = { COMMON (funm_methods), END };

static const char *const svd_methods[]
    = { "auto", GE_METHODS_SVD (GE_METHOD_NAME) NULL };
const mex_option mex_svd_options[] = {
  COMMON (svd_methods),
  ACCURACY,
  { "index", MEX_ARRAY, AT (index) },
  FORM,
  { "econ", MEX_FLAG, AT (economy), .value = 1 },
  END,
};
const mex_option mex_pinv_options[] = { COMMON (svd_methods), ACCURACY, END };

const mex_option mex_array_options[] = {
  { "backend", MEX_ENUM, AT (core.backend), .words = backends },
  { "device", MEX_DEVICES, AT (core) },
  END,
};

/* --- commands whose only argument besides options is a matrix --- */

static gpueig_status
onesided_eig (mex_call *call)
{
  mex_matrix m;
  GE_TRY (mex_get_square (call, mex_onesided_options, &m));
  gpueig_symmetric problem
      = { .type = m.type, .n = m.rows, .pages = m.pages, .a = m.data };
  return mex_solve_symmetric (call, gpueig_onesided_eig, &problem,
                              call->args[0]);
}

static gpueig_status
complex_eig (mex_call *call)
{
  mex_matrix m;
  GE_TRY (mex_get_square (call, mex_complex_options, &m));
  gpueig_general problem
      = { .type = m.type, .n = m.rows, .pages = m.pages, .a = m.data };
  return mex_solve_general (call, gpueig_complex_eig, &problem, call->args[0]);
}

/* --- the table --- */

#define OF_MRRR "clusters", "depth", "fallbacks"
#define OF_SCHUR                                                               \
  "windows", "qr_sweeps", "ticks", "host_time", "hessenberg_time",             \
      "iteration_time"
#define OF_WORKERS                                                             \
  "workers", "residual", "orthogonality", "read_time", "check_time",           \
      "write_time", "start_time"

/* Further fields of info.  */
static const char *const of_eig[]
    = { OF_MRRR, OF_SCHUR, "tangent", OF_WORKERS, NULL },
    *const of_jacobi[] = { "rotations", "normal_accuracy", "tangent", NULL },
           *const of_onesided[] = { "normal_accuracy", NULL },
           *const of_complex[] = { "fallback_pages", OF_SCHUR, NULL },
           *const of_mrrr[] = { OF_MRRR, OF_WORKERS, NULL },
           *const of_schur[] = { OF_SCHUR, NULL },
           *const of_workers[] = { OF_WORKERS, NULL };

static const mex_command commands[] = {
  { "eig", mex_eig, 0, 2, of_eig },
  { "jacobi_eig", mex_jacobi_eig, 0, 2, of_jacobi },
  { "onesided_eig", onesided_eig, 0, 1, of_onesided },
  { "complex_eig", complex_eig, 0, 1, of_complex },
  { "mrrr", mex_mrrr, 0, 2, of_mrrr },
  { "tdinv", mex_tdinv, 0, 3, NULL },
  { "schur", mex_schur, 0, 1, of_schur },
  { "ordschur", mex_ordschur, 0, 2, NULL },
  { "sqrtm", mex_sqrtm, 0, 1, NULL },
  { "logm", mex_logm, 0, 1, NULL },
  { "expm", mex_expm, 0, 1, NULL },
  { "mpower", mex_mpower, 0, 1, NULL },
  { "polar", mex_polar, 0, 1, NULL },
  { "svd", mex_svd, 0, 1, NULL },
  { "pinv", mex_pinv, 0, 1, NULL },
  { "eig_file", mex_eig_file, 0, 0, of_workers },
  { "replace", mex_replace, 0, 0, NULL },
  { "replace-from", mex_replace_from, 1, 0, NULL },
  { "place", mex_place, 0, 0, NULL },
  { "machine", mex_machine, 1, 0, NULL },
  { "tune", mex_tune, 1, 0, NULL },
  { "failures", mex_failures, 1, 0, NULL },
  { "direct", mex_direct_address, 1, 0, NULL },
  { "testing", mex_testing, 1, 0, NULL },
};

const mex_command *
mex_find_command (const char *name)
{
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp (name, commands[i].name) == 0)
      return &commands[i];
  return NULL;
}
