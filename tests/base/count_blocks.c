/* To be preloaded: counts the blocks of memory that the process holds, of all threads and of all
   libraries in C.  Those of C++, of the interpreter, are left out: Octave keeps a table of all
   addresses that a MEX file was ever given.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* glibc's own functions, which those below replace for the whole process.  */
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t count, size_t size);
void *__libc_realloc (void *old, size_t size);
void *__libc_memalign (size_t alignment, size_t size);
void __libc_free (void *pointer);

int64_t gpueig_live_blocks (void);

#define PUBLIC __attribute__ ((visibility ("default")))

static atomic_llong live;

/* Nonzero inside of the operators new and delete.  */
static __thread int inside __attribute__ ((tls_model ("initial-exec")));

/* Also where new leaves by an exception.  */
static void
leave (const int *count)
{
  inside -= *count;
}

static void *
counted (void *pointer)
{
  if (pointer && ! inside)
    atomic_fetch_add (&live, 1);
  return pointer;
}

PUBLIC int64_t
gpueig_live_blocks (void)
{
  return atomic_load (&live);
}

PUBLIC void *
malloc (size_t size)
{
  return counted (__libc_malloc (size));
}

PUBLIC void *
calloc (size_t count, size_t size)
{
  return counted (__libc_calloc (count, size));
}

PUBLIC void
free (void *pointer)
{
  if (pointer && ! inside)
    atomic_fetch_sub (&live, 1);
  __libc_free (pointer);
}

PUBLIC void *
realloc (void *old, size_t size)
{
  if (! old)
    return malloc (size);
  if (size == 0)
    {
      free (old);
      return NULL;
    }
  return __libc_realloc (old, size);
}

PUBLIC void *
reallocarray (void *old, size_t count, size_t size)
{
  size_t bytes;
  if (! __builtin_mul_overflow (count, size, &bytes))
    return realloc (old, bytes);
  errno = ENOMEM;
  return NULL;
}

PUBLIC void *
memalign (size_t alignment, size_t size)
{
  return counted (__libc_memalign (alignment, size));
}

PUBLIC void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

PUBLIC int
posix_memalign (void **pointer, size_t alignment, size_t size)
{
  void *p = memalign (alignment, size);
  if (p)
    *pointer = p;
  return p ? 0 : ENOMEM;
}

/* --- the operators new and delete, by their names in the ABI --- */

#define NEW(name)                                                              \
  PUBLIC void *name (size_t size);                                             \
  PUBLIC void *name (size_t size)                                              \
  {                                                                            \
    const int one __attribute__ ((cleanup (leave))) = 1;                       \
    static void *(*next) (size_t);                                             \
    if (! next)                                                                \
      *(void **) &next = dlsym (RTLD_NEXT, #name);                             \
    inside += one;                                                             \
    return next (size);                                                        \
  }
#define DELETE(name)                                                           \
  PUBLIC void name (void *pointer);                                            \
  PUBLIC void name (void *pointer) { __libc_free (pointer); }

NEW (_Znwm)
NEW (_Znam)
DELETE (_ZdlPv)
DELETE (_ZdaPv)
DELETE (_ZdlPvm)
DELETE (_ZdaPvm)
