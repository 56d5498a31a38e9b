/* The table of solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

const ge_solver_entry *const ge_solvers[GE_SOLVERS] = {
  [GE_JACOBI_EIG] = &ge_jacobi_entry,
  [GE_ONESIDED_EIG] = &ge_onesided_entry,
  [GE_EIG_SYMMETRIC] = &ge_symmetric_entry,
  [GE_EIG_GENERAL] = &ge_general_entry,
  [GE_TDINV] = &ge_tdinv_entry,
  [GE_MRRR] = &ge_mrrr_entry,
  [GE_COMPLEX_EIG] = &ge_complex_entry,
  [GE_SCHUR] = &ge_schur_entry,
  [GE_SVD] = &ge_svd_entry,
};
