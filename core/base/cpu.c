/* The CPU backend's table: it implements every slot.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/cpu.h"

const ge_backend ge_cpu_backend = {
  .name = "cpu",
  .solver = {
    [GE_ONESIDED_EIG] = ge_cpu_onesided_eig,
    [GE_JACOBI_EIG] = ge_cpu_jacobi_eig,
    [GE_EIG_SYMMETRIC] = ge_cpu_eig_symmetric,
    [GE_EIG_GENERAL] = ge_cpu_eig_general,
    [GE_TDINV] = ge_cpu_tdinv,
    [GE_COMPLEX_EIG] = ge_cpu_complex_eig,
    [GE_MRRR] = ge_cpu_mrrr,
    [GE_SCHUR] = ge_cpu_schur,
  },
};
