/* Threads of the CPU backend and of the BLAS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "core.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

int
ge_threads (void)
{
  return omp_get_max_threads ();
}

/* OpenBLAS's own functions, NULL with another BLAS: its addresses are looked up
   once, for it takes as long as solving a small problem.  */
static struct
{
  int (*get) (void);
  void (*set) (int);
  const char *(*config) (void);
} openblas;

static void
find_openblas (void)
{
  *(void **) &openblas.get = dlsym (RTLD_DEFAULT, "openblas_get_num_threads");
  *(void **) &openblas.set = dlsym (RTLD_DEFAULT, "openblas_set_num_threads");
  *(void **) &openblas.config = dlsym (RTLD_DEFAULT, "openblas_get_config");
}

static pthread_once_t openblas_once = PTHREAD_ONCE_INIT;

int
ge_blas_threads (int threads)
{
  pthread_once (&openblas_once, find_openblas);
  if (! openblas.get || ! openblas.set)
    return 0;
  int old = openblas.get ();
  if (threads > 0 && threads != old)
    openblas.set (threads);
  return old;
}

const char *
ge_blas_description (void)
{
  pthread_once (&openblas_once, find_openblas);
  return openblas.config ? openblas.config () : "";
}
