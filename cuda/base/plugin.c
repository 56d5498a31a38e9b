/* The table of solvers, the only symbol that the plugin exports.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/plugin.h"
#include "eig/cusolver_mg.h"

extern const ge_plugin gpueig_plugin;

__attribute__ ((visibility ("default"))) const ge_plugin gpueig_plugin = {
  .abi = GE_PLUGIN_ABI,
  .open = ge_cuda_open,
  .close = ge_cuda_close,
  .select = ge_cuda_select,
  .count = ge_cuda_count,
  .query = ge_cuda_query,
  .describe = ge_cuda_describe,
  .eig_on_devices = ge_cuda_eig_on_devices,
  .solver = {
#define GE_SLOT(solver, name) ge_cuda_##name,
    GE_SOLVER_LIST (GE_SLOT)
#undef GE_SLOT
  },
  .arrays = &ge_cuda_array_ops,
  .memory = &ge_cuda_device_memory,
};
