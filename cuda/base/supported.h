/* Which GPUs this build has code for.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SUPPORTED_H
#define GE_SUPPORTED_H 1

#include <stdio.h>

enum
{
  GE_LEAST_CAPABILITY = 80, /* tensor instructions of double precision */
  /* The first architecture with clusters and bulk copies; code for earlier ones has
     stubs of them wherever it runs (cluster.cuh).  */
  GE_CLUSTER_ARCHITECTURE = 90
};

/* Architectures for which the kernels were compiled: COUNT numbers as in nvcc's
   __CUDA_ARCH_LIST__ (800 is sm_80).  PTX: the earliest one with portable code, as 80;
   0: none.  */
typedef struct
{
  const int *number;
  int count, ptx;
} ge_architectures;

/* Nonzero if a GPU of compute capability MAJOR.MINOR can run the kernels: machine code
   of the same major number and no later minor one, or portable code of an earlier
   architecture.  */
static inline int
ge_supports (const ge_architectures *built, int major, int minor)
{
  const int capability = 10 * major + minor;
  if (capability < GE_LEAST_CAPABILITY)
    return 0;
  for (int i = 0; i < built->count; i++)
    if (built->number[i] / 100 == major && built->number[i] / 10 % 10 <= minor)
      return 1;
  return built->ptx > 0 && built->ptx <= capability;
}

/* Write to TEXT, of SIZE bytes, why the GPU NAME cannot be used, and what to do; "" if
   it can be.  */
static inline void
ge_why_unsupported (const ge_architectures *built, const char *name, int major,
                    int minor, char *text, size_t size)
{
  if (ge_supports (built, major, minor))
    (void) snprintf (text, size, "%s", "");
  else if (10 * major + minor < GE_LEAST_CAPABILITY)
    (void) snprintf (text, size,
                     "%.80s has compute capability %d.%d, gpueig needs at "
                     "least %d.%d",
                     name, major, minor, GE_LEAST_CAPABILITY / 10,
                     GE_LEAST_CAPABILITY % 10);
  else
    (void) snprintf (text, size,
                     "this build has no code for %.80s: build it again with "
                     "CMAKE_CUDA_ARCHITECTURES (pkg install: the environment "
                     "variable CUDAARCHS) = %d%d",
                     name, major, minor);
}

#endif
