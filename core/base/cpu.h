/* The solvers of the CPU backend, one per slot of the backend table.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CPU_H
#define GE_CPU_H 1

#include "base/solver.h"

ge_solver ge_cpu_onesided_eig;
ge_solver ge_cpu_jacobi_eig;
ge_solver ge_cpu_eig_symmetric;
ge_solver ge_cpu_eig_general;
ge_solver ge_cpu_tdinv;
ge_solver ge_cpu_complex_eig;
ge_solver ge_cpu_mrrr;
ge_solver ge_cpu_schur;

#endif
