/* The table of commands, the options of each, and the short commands of
   gpu_onesided_eig and gpu_complex_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "gpueig_functions.h"
#include "gpueig_methods.h"

#include <stddef.h>
#include <string.h>

/* --- kinds of rows --- */

#define AN_OPTION(name, kind, field, value, words)                             \
  {                                                                            \
    name, kind, offsetof (mex_options, field), value, words                    \
  }
#define FLAG(name, field, value) AN_OPTION (name, MEX_FLAG, field, value, NULL)
#define ONE_OF(name, field, words) AN_OPTION (name, MEX_ENUM, field, 0, words)
#define ARRAY(name) AN_OPTION (#name, MEX_ARRAY, name, 0, NULL)
/* A fraction, or an integer from 1 on.  */
#define NUMBER(name, kind, field) AN_OPTION (name, kind, core.field, 1, NULL)
#define END                                                                    \
  {                                                                            \
    .name = NULL                                                               \
  }

/* --- options of several commands --- */

/* In the order of gpueig_backend.  */
static const char *const backends[] = { "auto", "cpu", "cuda", NULL };
static const char *const backends_mpi[]
    = { "auto", "cpu", "cuda", "mpi", NULL };
static const char *const displays[] = { "off", "iter", NULL };
static const char *const accuracies[] = { "normal", "high", NULL };

#define BACKEND(backends) ONE_OF ("backend", core.backend, backends)
#define METHOD(methods) AN_OPTION ("method", MEX_WORD, core.method, 0, methods)
#define DISPLAY ONE_OF ("display", core.display, displays)
#define DEVICE AN_OPTION ("device", MEX_DEVICES, core, 0, NULL)
/* Options of every command; METHODS: the methods of the command.  */
#define COMMON(methods) COMMON_ON (backends, methods)
#define COMMON_ON(backends, methods)                                           \
  BACKEND (backends), METHOD (methods), DISPLAY, DEVICE
#define WORKERS NUMBER ("workers", MEX_INT, workers)
#define TOL NUMBER ("tol", MEX_FRACTION, tol)
#define MAX_SWEEPS NUMBER ("maxsweeps", MEX_INT64, max_sweeps)
#define ACCURACY ONE_OF ("accuracy", core.high_accuracy, accuracies)
#define FORM                                                                   \
  FLAG ("vector", form, MEX_FORM_VECTOR), FLAG ("matrix", form, MEX_FORM_MATRIX)
#define BALANCE FLAG ("balance", balance, 1), FLAG ("nobalance", balance, 0)
#define PART ARRAY (index), ARRAY (range)

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
  FLAG ("chol", qz, 0),
  FLAG ("qz", qz, 1),
  ACCURACY,
  END,
};

static const char *const jacobi_methods[]
    = { "auto", GE_METHODS_JACOBI_EIG (GE_METHOD_NAME) NULL };
const mex_option mex_jacobi_options[] = {
  COMMON (jacobi_methods),
  TOL,
  MAX_SWEEPS,
  NUMBER ("maxrotations", MEX_INT64, max_rotations),
  ACCURACY,
  ARRAY (guess),
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
  METHOD (file_methods),
  DISPLAY,
  WORKERS,
  ONE_OF ("class", is_single, classes),
  ARRAY (complex),
  ARRAY (index),
  END,
};

static const char *const tdinv_methods[]
    = { "auto", GE_METHODS_TDINV (GE_METHOD_NAME) NULL };
const mex_option mex_tdinv_options[] = {
  COMMON (tdinv_methods),
  ARRAY (columns),
  ARRAY (band),
  END,
};

static const char *const schur_methods[]
    = { "auto", GE_METHODS_SCHUR (GE_METHOD_NAME) NULL };
/* Which eigenvalues of a Schur form come first.  */
#define REGIONS                                                                \
  FLAG ("lhp", order, GPUEIG_SCHUR_LHP),                                       \
      FLAG ("rhp", order, GPUEIG_SCHUR_RHP),                                   \
      FLAG ("udi", order, GPUEIG_SCHUR_UDI),                                   \
      FLAG ("udo", order, GPUEIG_SCHUR_UDO)
const mex_option mex_schur_options[] = {
  COMMON (schur_methods),
  FLAG ("real", widen, 0),
  FLAG ("complex", widen, 1),
  REGIONS,
  FLAG ("a", order, GPUEIG_SCHUR_LHP),
  FLAG ("d", order, GPUEIG_SCHUR_UDI),
  FLAG ("u", order, GPUEIG_SCHUR_ANY),
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
  COMMON (svd_methods),      ACCURACY, ARRAY (index), FORM,
  FLAG ("econ", economy, 1), END,
};
const mex_option mex_pinv_options[] = { COMMON (svd_methods), ACCURACY, END };

const mex_option mex_array_options[] = {
  BACKEND (backends),
  DEVICE,
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
  { "eig", mex_eig, 0, 1, 2, of_eig, 0 },
  { "jacobi_eig", mex_jacobi_eig, 0, 1, 2, of_jacobi, 0 },
  { "onesided_eig", onesided_eig, 0, 1, 1, of_onesided, 0 },
  { "complex_eig", complex_eig, 0, 1, 1, of_complex, 0 },
  { "mrrr", mex_mrrr, 0, 1, 2, of_mrrr, 0 },
  { "tdinv", mex_tdinv, 0, 1, 3, NULL, 0 },
  { "schur", mex_schur, 0, 1, 1, of_schur, 0 },
  { "ordschur", mex_ordschur, 0, 3, 2, NULL, 0 },
  { "sqrtm", mex_funm, 0, 1, 1, NULL, GPUEIG_SQRTM },
  { "logm", mex_funm, 0, 1, 1, NULL, GPUEIG_LOGM },
  { "expm", mex_funm, 0, 1, 1, NULL, GPUEIG_EXPM },
  { "mpower", mex_funm, 0, 2, 1, NULL, GPUEIG_MPOWER },
  { "polar", mex_polar, 0, 1, 1, NULL, 0 },
  { "svd", mex_svd, 0, 1, 1, NULL, 0 },
  { "pinv", mex_pinv, 0, 1, 1, NULL, 0 },
  { "eig_file", mex_eig_file, 0, 3, 0, of_workers, 0 },
  { "replace", mex_replace, 0, 0, 0, NULL, 0 },
  { "replace-from", mex_replace_from, 1, 0, 0, NULL, 0 },
  { "place", mex_place, 0, 0, 0, NULL, 0 },
  { "machine", mex_machine, 1, 0, 0, NULL, 0 },
  { "tune", mex_tune, 1, 0, 0, NULL, 0 },
  { "failures", mex_failures, 1, 0, 0, NULL, 0 },
  { "direct", mex_direct_address, 1, 0, 0, NULL, 0 },
  { "testing", mex_testing, 1, 0, 0, NULL, 0 },
};

const mex_command *
mex_find_command (const char *name)
{
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp (name, commands[i].name) == 0)
      return &commands[i];
  return NULL;
}
