/* The solvers of gpu_array whose arrays stay where they are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   solve (NAME, ARG1, ..., OPTIONS): outputs are numbers of new arrays, the info a struct.
   The first output is [] for what only the functions for host data do: pairs, methods of
   gpu_eig, parts by "Range", matrices with few diagonals, stacks with D, D that is not
   square, complex arrays without imaginary parts, wrong arguments.  */

#include "array.h"
#include "gpueig_svd.h"

#include <string.h>

/* Arguments and results; RESULT[i] is 0 if there is none.  */
typedef struct
{
  mex_call *call;
  int n_in;
  gpueig_array in[3], result[3];
  gpueig_shape shape[3]; /* of the arguments */
  const void *data[3];
  gpueig_place place;
} placed;

enum
{
  FIRST = 2 /* argument, after "solve" and the name */
};

/* --- arguments --- */

static int
is_vector (const gpueig_shape *s)
{
  return s->n_dims == 2 && (s->dims[0] == 1 || s->dims[1] == 1);
}

static int
is_square (const gpueig_shape *s)
{
  return s->dims[0] == s->dims[1] && s->count > 0;
}

static int64_t
pages_of (const gpueig_shape *s)
{
  int64_t pages = 1;
  for (int d = 2; d < s->n_dims; d++)
    pages *= s->dims[d];
  return pages;
}

/* *HAS: argument I is real, or an imaginary part is not zero; complex matrices of Octave
   without imaginary parts are real ones.  */
static gpueig_status
has_its_type (placed *p, int i, int *has)
{
  gpueig_context *ctx = p->call->ctx;
  gpueig_array parts = 0, column = 0;
  const int64_t dims[2] = { p->shape[i].count, 1 };
  double norm = 0;
  *has = 1;
  if (! gpueig_is_complex (p->shape[i].type))
    return GPUEIG_OK;
  gpueig_status status
      = gpueig_array_unary (ctx, GPUEIG_IMAG, p->in[i], &parts);
  if (status == GPUEIG_OK)
    status = gpueig_array_reshape (ctx, parts, 2, dims, &column);
  if (status == GPUEIG_OK)
    status = gpueig_array_norm (ctx, GPUEIG_NORM_INF, column, &norm);
  mex_free_array (p->call, parts);
  mex_free_array (p->call, column);
  *has = norm != 0;
  return status;
}

/* *SERVED: the leading arguments are N arrays in one place, of one type.  */
static gpueig_status
get_arrays (placed *p, int n, int *served)
{
  mex_call *call = p->call;
  gpueig_array_info info;
  int on_gpu = 0;
  *served = call->n_args >= FIRST + n && ! mex_is_array (call, FIRST + n);
  for (int i = 0; i < n && *served; i++)
    {
      void *data;
      p->in[i] = mex_handle (call->args[FIRST + i]);
      *served = p->in[i] != 0;
      if (! *served)
        break;
      GE_TRY (gpueig_array_describe (call->ctx, p->in[i], &info));
      GE_TRY (gpueig_array_data (call->ctx, p->in[i], &data));
      p->shape[i] = info.shape;
      p->data[i] = data;
      *served = info.shape.count > 0 && info.shape.type == p->shape[0].type
                && (i == 0 || info.on_gpu == on_gpu);
      on_gpu = info.on_gpu;
      if (*served)
        GE_TRY (has_its_type (p, i, served));
    }
  p->n_in = n;
  p->place = on_gpu ? GPUEIG_DEVICE : GPUEIG_HOST;
  return GPUEIG_OK;
}

/* --- results --- */

/* Result K, of TYPE, ROWS-by-COLUMNS by the further dimensions of the first argument.  */
static gpueig_status
new_result (placed *p, int k, gpueig_type type, int64_t rows, int64_t columns,
            void **data)
{
  gpueig_context *ctx = p->call->ctx;
  int64_t dims[GPUEIG_ARRAY_DIMS];
  memcpy (dims, p->shape[0].dims, sizeof dims);
  dims[0] = rows;
  dims[1] = columns;
  GE_TRY (gpueig_array_like (ctx, p->in[0], type, p->shape[0].n_dims, dims,
                             &p->result[k]));
  return gpueig_array_data (ctx, p->result[k], data);
}

static void
put (placed *p, int out, int k)
{
  if (out < p->call->n_out)
    {
      mex_put_array (p->call, out, p->result[k]);
      p->result[k] = 0;
    }
}

static void
put_info (const placed *p, int out)
{
  if (out < p->call->n_out)
    p->call->out[out] = mex_info (&p->call->info, p->call->extra);
}

/* Nonzero if eigenvalues are returned as a diagonal matrix.  */
static int
wants_matrix (const mex_call *call)
{
  return call->options.form == MEX_FORM_MATRIX
         || (call->options.form == MEX_FORM_DEFAULT && call->n_out > 1);
}

/* The outputs of eig: results are eigenvalues, vectors and left vectors, which are the
   vectors if there are none; those of svd: singular values, left and right vectors.  */
static gpueig_status
put_pairs (placed *p)
{
  mex_call *call = p->call;
  gpueig_context *ctx = call->ctx;
  if (wants_matrix (call))
    {
      gpueig_array d = 0;
      GE_TRY (gpueig_array_diagonal (ctx, p->result[0], 0, &d));
      gpueig_array_free (ctx, p->result[0]);
      p->result[0] = d;
    }
  if (call->n_out > 2 && ! p->result[2])
    {
      gpueig_array_info info;
      GE_TRY (gpueig_array_describe (ctx, p->result[1], &info));
      GE_TRY (gpueig_array_reshape (ctx, p->result[1], info.shape.n_dims,
                                    info.shape.dims, &p->result[2]));
    }
  put (p, call->n_out > 1, 0);
  if (call->n_out > 1)
    put (p, 0, 1);
  put (p, 2, 2);
  put_info (p, 3);
  return GPUEIG_OK;
}

/* STATUS of a solver, and of the outputs if it has results.  */
static gpueig_status
conclude (placed *p, gpueig_status status, gpueig_status (*outputs) (placed *p))
{
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  const gpueig_status put = outputs (p);
  return put == GPUEIG_OK ? status : put;
}

/* --- solvers --- */

static gpueig_status
solve_symmetric (placed *p, mex_symmetric_solver *solver, int checked)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[0].dims[0];
  gpueig_symmetric s = { .type = p->shape[0].type,
                         .n = n,
                         .pages = pages_of (&p->shape[0]),
                         .a = p->data[0],
                         .symmetric = checked,
                         .place = p->place };
  GE_TRY (new_result (p, 0, mex_real_of (s.type), n, 1, &s.lambda));
  if (call->n_out > 1)
    GE_TRY (new_result (p, 1, s.type, n, n, &s.v));
  return conclude (p, solver (call->ctx, &s, &call->options.core, &call->info),
                   put_pairs);
}

static gpueig_status
solve_general (placed *p, mex_general_solver *solver,
               const unsigned char *symmetric)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[0].dims[0];
  const gpueig_type wide = mex_complex_of (p->shape[0].type);
  gpueig_general g = { .type = p->shape[0].type,
                       .n = n,
                       .pages = pages_of (&p->shape[0]),
                       .a = p->data[0],
                       .balance = call->options.balance,
                       .symmetric = symmetric,
                       .place = p->place };
  GE_TRY (new_result (p, 0, wide, n, 1, &g.lambda));
  if (call->n_out > 1)
    GE_TRY (new_result (p, 1, wide, n, n, &g.v));
  if (call->n_out > 2)
    GE_TRY (new_result (p, 2, wide, n, n, &g.w));
  return conclude (p, solver (call->ctx, &g, &call->options.core, &call->info),
                   put_pairs);
}

/* As the command of gpu_eig for one matrix.  */
static gpueig_status
solve_eig (placed *p)
{
  mex_call *call = p->call;
  const int64_t pages = pages_of (&p->shape[0]);
  int64_t count;
  unsigned char *symmetric = mex_scratch (call, (size_t) pages, 1);
  if (! symmetric)
    return GPUEIG_OUT_OF_MEMORY;
  GE_TRY (gpueig_find_symmetric (call->ctx, p->shape[0].type, p->data[0],
                                 p->shape[0].dims[0], pages, p->place,
                                 symmetric, &count));
  if (count == pages)
    return solve_symmetric (p, gpueig_eig_symmetric, 1);
  return solve_general (p, gpueig_eig_general, count > 0 ? symmetric : NULL);
}

static gpueig_status
put_form (placed *p)
{
  const int vectors = p->call->n_out > 1;
  put (p, vectors, 0);
  if (vectors)
    put (p, 0, 1);
  put_info (p, 2);
  return GPUEIG_OK;
}

static gpueig_status
solve_schur (placed *p)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[0].dims[0];
  gpueig_schur_problem g = { .type = p->shape[0].type,
                             .n = n,
                             .pages = pages_of (&p->shape[0]),
                             .a = p->data[0],
                             .widen = call->options.widen,
                             .order = (gpueig_schur_order) call->options.order,
                             .place = p->place };
  const gpueig_type type = g.widen ? mex_complex_of (g.type) : g.type;
  GE_TRY (new_result (p, 0, type, n, n, &g.s));
  if (call->n_out > 1)
    GE_TRY (new_result (p, 1, type, n, n, &g.u));
  return conclude (
      p, gpueig_schur (call->ctx, &g, &call->options.core, &call->info),
      put_form);
}

static gpueig_status
solve_mrrr (placed *p)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[0].count;
  gpueig_mrrr_problem m = { .type = p->shape[0].type,
                            .n = n,
                            .pages = 1,
                            .d = p->data[0],
                            .e = p->data[1],
                            .place = p->place };
  GE_TRY (mex_get_selection (call, &m, 0));
  const int64_t columns
      = m.select == GPUEIG_SELECT_INDEX ? m.last - m.first + 1 : n;
  GE_TRY (new_result (p, 0, m.type, columns, 1, &m.lambda));
  if (call->n_out > 1)
    GE_TRY (new_result (p, 1, m.type, n, columns, &m.v));
  return conclude (
      p, gpueig_mrrr (call->ctx, &m, &call->options.core, &call->info),
      put_pairs);
}

static gpueig_status
put_inverse (placed *p)
{
  put (p, 0, 0);
  return GPUEIG_OK;
}

static gpueig_status
solve_tdinv (placed *p)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[1].count;
  gpueig_tdinv_problem t = { .type = p->shape[0].type,
                             .n = n,
                             .c = p->data[0],
                             .a = p->data[1],
                             .b = p->data[2],
                             .band = -1,
                             .place = p->place };
  GE_TRY (new_result (p, 0, t.type, n, n, &t.x));
  return conclude (
      p, gpueig_tdinv (call->ctx, &t, &call->options.core, &call->info),
      put_inverse);
}

static gpueig_status
solve_svd (placed *p)
{
  mex_call *call = p->call;
  const int64_t m = p->shape[0].dims[0], n = p->shape[0].dims[1];
  const int64_t k = m < n ? m : n;
  gpueig_mrrr_problem part = { .n = k };
  if (call->options.index)
    GE_TRY (mex_get_index (call, &part));
  gpueig_svd_problem g = { .type = p->shape[0].type,
                           .m = m,
                           .n = n,
                           .pages = pages_of (&p->shape[0]),
                           .a = p->data[0],
                           .full = ! call->options.economy && ! part.first,
                           .first = part.first,
                           .last = part.last,
                           .place = p->place };
  const int64_t values = part.first ? part.last - part.first + 1 : k;
  GE_TRY (new_result (p, 0, mex_real_of (g.type), values, 1, &g.s));
  if (call->n_out > 1)
    {
      GE_TRY (new_result (p, 1, g.type, m, g.full ? m : values, &g.u));
      GE_TRY (new_result (p, 2, g.type, n, g.full ? n : values, &g.v));
    }
  const gpueig_status status
      = gpueig_svd (call->ctx, &g, &call->options.core, &call->info);
  /* What no GPU has is solved with copies.  */
  return status == GPUEIG_NO_DEVICE ? GPUEIG_OK
                                    : conclude (p, status, put_pairs);
}

/* --- functions of matrices --- */

/* Result 0 becomes complex, with result 1 as its imaginary part.  */
static gpueig_status
join_parts (placed *p)
{
  gpueig_context *ctx = p->call->ctx;
  const gpueig_operand unit
      = { .type = mex_complex_of (p->shape[0].type), .im = 1 };
  const gpueig_operand re = { .array = p->result[0] },
                       im = { .array = p->result[1] };
  gpueig_operand turned = { 0 };
  gpueig_array both = 0;
  gpueig_status status
      = gpueig_array_binary (ctx, GPUEIG_TIMES, unit, im, &turned.array);
  if (status == GPUEIG_OK)
    status = gpueig_array_binary (ctx, GPUEIG_PLUS, re, turned, &both);
  mex_free_array (p->call, turned.array);
  if (status == GPUEIG_OK)
    {
      mex_free_array (p->call, p->result[0]);
      p->result[0] = both;
    }
  return status;
}

static gpueig_status
solve_funm (placed *p, gpueig_funm_kind kind)
{
  mex_call *call = p->call;
  const int64_t n = p->shape[0].dims[0];
  double power[2] = { 0, 0 };
  int is_complex = 0;
  if (kind == GPUEIG_MPOWER)
    GE_TRY (mex_get_power (call, FIRST + 1, power));
  gpueig_funm_problem f = { .kind = kind,
                            .power = power[0],
                            .power_im = power[1],
                            .type = p->shape[0].type,
                            .n = n,
                            .pages = pages_of (&p->shape[0]),
                            .a = p->data[0],
                            .is_complex = &is_complex,
                            .place = p->place };
  if (f.power_im != 0 && ! gpueig_is_complex (f.type))
    return GPUEIG_OK;
  GE_TRY (new_result (p, 0, f.type, n, n, &f.x));
  if (! mex_funm_keeps_type (&f))
    GE_TRY (new_result (p, 1, f.type, n, n, &f.x_im));
  GE_TRY (mex_funm_states (call, &f));
  GE_TRY (gpueig_funm (call->ctx, &f, &call->options.core, &call->info));
  if (is_complex)
    GE_TRY (join_parts (p));
  put (p, 0, 0);
  mex_funm_warn (&f);
  return GPUEIG_OK;
}

static gpueig_status
put_factors (placed *p)
{
  put (p, 0, 0);
  put (p, 1, 1);
  put_info (p, 2);
  return GPUEIG_OK;
}

static gpueig_status
solve_polar (placed *p)
{
  mex_call *call = p->call;
  const int64_t m = p->shape[0].dims[0], n = p->shape[0].dims[1];
  gpueig_polar_problem f = { .type = p->shape[0].type,
                             .m = m,
                             .n = n,
                             .pages = pages_of (&p->shape[0]),
                             .a = p->data[0],
                             .place = p->place };
  GE_TRY (new_result (p, 0, f.type, m, n, &f.u));
  if (call->n_out > 1)
    GE_TRY (new_result (p, 1, f.type, n, n, &f.h));
  return conclude (
      p, gpueig_polar (call->ctx, &f, &call->options.core, &call->info),
      put_factors);
}

/* --- the table --- */

typedef enum
{
  EIG,
  JACOBI,
  ONESIDED,
  COMPLEX,
  SCHUR,
  MRRR,
  TDINV,
  SVD,
  POLAR,
  SQRTM, /* in the order of gpueig_funm_kind */
  LOGM,
  EXPM,
  MPOWER,
  SOLVERS
} solver;

typedef struct
{
  const char *name;
  int arrays, most_out;
  const mex_option *options;
} solver_entry;

/* Whether the shapes and options of a call of WHICH are among those that are served.  */
static int
is_served (const placed *p, solver which)
{
  const mex_options *o = &p->call->options;
  const gpueig_shape *s = p->shape;
  const int plain = ! o->guess && ! o->range && ! o->columns && ! o->band
                    && ! o->core.max_rotations && ! o->core.high_accuracy
                    && o->core.backend != GPUEIG_MPI && ! o->core.workers;
  const int eigen = which != SCHUR && which != TDINV && which <= SVD;
  if (! plain || (eigen && s[0].n_dims > 2 && wants_matrix (p->call)))
    return 0;
  switch (which)
    {
    case MRRR:
      return is_vector (&s[0]) && is_vector (&s[1])
             && ! gpueig_is_complex (s[0].type) && s[1].count == s[0].count - 1;
    case TDINV:
      return is_vector (&s[0]) && is_vector (&s[1]) && is_vector (&s[2])
             && s[0].count == s[2].count && s[0].count == s[1].count - 1;
    case SVD:
      return is_square (&s[0]) || o->economy || o->index
             || ! wants_matrix (p->call);
    case POLAR:
      return s[0].dims[0] >= s[0].dims[1];
    case EIG:
      return is_square (&s[0]) && ! o->index
             && strcmp (o->core.method, "auto") == 0;
    default:
      return is_square (&s[0]);
    }
}

static gpueig_status
run (placed *p, solver which)
{
  switch (which)
    {
    case EIG:
      return solve_eig (p);
    case JACOBI:
      return solve_symmetric (p, gpueig_jacobi_eig, 0);
    case ONESIDED:
      return solve_symmetric (p, gpueig_onesided_eig, 0);
    case COMPLEX:
      return solve_general (p, gpueig_complex_eig, NULL);
    case SCHUR:
      return solve_schur (p);
    case MRRR:
      return solve_mrrr (p);
    case SVD:
      return solve_svd (p);
    case POLAR:
      return solve_polar (p);
    case TDINV:
      return solve_tdinv (p);
    default:
      return solve_funm (p, (gpueig_funm_kind) (which - SQRTM));
    }
}

gpueig_status
mex_array_solver (mex_call *call, int code)
{
  const solver_entry entries[]
      = { [EIG] = { "gpu_eig", 1, 4, mex_eig_options },
          [JACOBI] = { "gpu_jacobi_eig", 1, 4, mex_jacobi_options },
          [ONESIDED] = { "gpu_onesided_eig", 1, 4, mex_onesided_options },
          [COMPLEX] = { "gpu_complex_eig", 1, 4, mex_complex_options },
          [SCHUR] = { "gpu_schur", 1, 3, mex_schur_options },
          [MRRR] = { "gpu_mrrr", 2, 4, mex_mrrr_options },
          [TDINV] = { "gpu_tdinv", 3, 1, mex_tdinv_options },
          [SVD] = { "gpu_svd", 1, 4, mex_svd_options },
          [POLAR] = { "gpu_polar", 1, 3, mex_funm_options },
          [SQRTM] = { "gpu_sqrtm", 1, 1, mex_funm_options },
          [LOGM] = { "gpu_logm", 1, 1, mex_funm_options },
          [EXPM] = { "gpu_expm", 1, 1, mex_funm_options },
          [MPOWER] = { "gpu_mpower", 1, 1, mex_funm_options } };
  placed p = { .call = call };
  char name[32] = "";
  int served = 0;
  (void) code;
  if (call->n_args <= FIRST || mxGetString (call->args[1], name, sizeof name))
    return mex_usage (call);
  call->out[0] = mex_empty (0);
  for (int i = 0; i < SOLVERS; i++)
    if (strcmp (name, entries[i].name) == 0
        && call->n_out <= entries[i].most_out)
      {
        GE_TRY (get_arrays (&p, entries[i].arrays, &served));
        if (! served)
          return GPUEIG_OK;
        const int after = FIRST + entries[i].arrays + (i == MPOWER);
        if (after > call->n_args)
          return GPUEIG_OK;
        GE_TRY (mex_parse_options (call, entries[i].options, after));
        call->extra = mex_extra_fields (name + strlen ("gpu_"));
        if (! is_served (&p, (solver) i))
          return GPUEIG_OK;
        const gpueig_status status = run (&p, (solver) i);
        for (int k = 0; k < 3; k++)
          mex_free_array (call, p.result[k]);
        return status;
      }
  return GPUEIG_OK;
}
