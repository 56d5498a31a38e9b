/* Who calls, and the routine that it would have called without us.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As the dynamic linker would: first among what the whole process sees (RTLD_NEXT), then
   in the caller's own libraries, by a handle of the file that contains the address to
   which the driver returns.  The latter finds a LAPACK that came with dlopen
   (RTLD_LOCAL), as Python loads its modules, and a program may contain several.  A
   handle that is kept also keeps the file loaded, so that neither the range of addresses
   nor the routine becomes invalid.

   Calls by LAPACK itself, of which a process may have several, and by gpueig's own files
   are passed on: gpueig calls drivers from threads of its own, so a mark of the thread
   would not recognise all of them.  */

#include "preload.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_CALLERS = 32,
  KINDS = 4 * GE_NAMES_COUNT
};

/* A file that calls drivers.  */
typedef struct
{
  uintptr_t low, high; /* addresses of its segments */
  void *handle;        /* NULL: the program itself */
  int excluded;        /* a file of gpueig, or a LAPACK */
  _Atomic (void *) next[GE_DRIVER_COUNT][KINDS];
  /* 0: unknown, 1: as the names say, 2: others */
  atomic_int integers[GE_NAMES_COUNT];
} caller;

/* Entries below COUNT are complete; LOCK protects their creation.  */
static caller callers[MOST_CALLERS];
static atomic_int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* For addresses in no file, and when the table is full.  */
static caller anyone;

/* A process is not forked while another thread holds LOCK, which nobody would release in
   the child.  */
static void
hold (void)
{
  pthread_mutex_lock (&lock);
}

static void
let_go (void)
{
  pthread_mutex_unlock (&lock);
}

__attribute__ ((constructor)) static void
watch_forks (void)
{
  pthread_atfork (hold, let_go, let_go);
}

/* --- callers --- */

static int
inside (const caller *c, const void *address)
{
  return (uintptr_t) address - c->low < c->high - c->low;
}

/* Set the range of the file if it contains c->low, for dl_iterate_phdr.  */
static int
find_range (struct dl_phdr_info *file, size_t size, void *data)
{
  caller *c = data;
  uintptr_t low = UINTPTR_MAX, high = 0;
  (void) size;
  for (int i = 0; i < file->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &file->dlpi_phdr[i];
      if (segment->p_type != PT_LOAD)
        continue;
      const uintptr_t start = file->dlpi_addr + segment->p_vaddr;
      low = start < low ? start : low;
      high = start + segment->p_memsz > high ? start + segment->p_memsz : high;
    }
  if (c->low < low || c->low >= high)
    return 0;
  c->low = low;
  c->high = high;
  return 1;
}

static const char *
base_name (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}

/* A routine of LAPACK that is not replaced, by GE_NAMES.  */
static const char *const dlange[GE_NAMES_COUNT]
    = { "dlange_", "dlange_64_", "scipy_dlange_", "scipy_dlange_64_" };

/* Nonzero if LAPACK is in the file of C.  */
static int
is_lapack (const caller *c)
{
  for (int i = 0; i < GE_NAMES_COUNT && c->handle; i++)
    {
      const void *f = dlsym (c->handle, dlange[i]);
      if (f && inside (c, f))
        return 1;
    }
  return 0;
}

/* Add the file at ADDRESS; NULL if there is none or no room.  With LOCK.  */
static caller *
add_caller (const void *address)
{
  const int n = count;
  caller *c = &callers[n];
  Dl_info where;
  struct link_map *map = NULL;
  if (n == MOST_CALLERS)
    return NULL;
  c->low = (uintptr_t) address;
  if (! dl_iterate_phdr (find_range, c)
      || ! dladdr1 (address, &where, (void **) &map, RTLD_DL_LINKMAP) || ! map)
    return NULL;
  const char *name = map->l_name ? map->l_name : "";
  c->handle = *name ? dlopen (name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  c->excluded = strstr (base_name (name), "gpueig") || is_lapack (c);
  atomic_store (&count, n + 1);
  return c;
}

static caller *
known (const void *address)
{
  const int n = atomic_load_explicit (&count, memory_order_acquire);
  for (int i = 0; i < n; i++)
    if (inside (&callers[i], address))
      return &callers[i];
  return NULL;
}

static caller *
caller_at (const void *address)
{
  caller *c = known (address);
  if (c)
    return c;
  pthread_mutex_lock (&lock);
  c = known (address);
  if (! c)
    c = add_caller (address);
  pthread_mutex_unlock (&lock);
  return c ? c : &anyone;
}

/* --- routines --- */

/* The system's LAPACK, for callers whose own libraries have none.  */
static void *system_lapack;

static void
open_system_lapack (void)
{
  system_lapack = dlopen ("liblapack.so.3", RTLD_LAZY | RTLD_LOCAL);
}

/* NAME as caller C would find it without us, or NULL: first what the whole process
   sees, then the caller's own libraries.  */
static void *
look_up (const caller *c, const char *name)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  Dl_info here, there;
  void *f = dlsym (RTLD_NEXT, name);
  if (! f && c->handle)
    f = dlsym (c->handle, name);
  /* The caller may be linked with us.  */
  if (f && dladdr (&callers, &here) && dladdr (f, &there)
      && here.dli_fbase == there.dli_fbase)
    f = NULL;
  if (! f)
    {
      pthread_once (&once, open_system_lapack);
      f = system_lapack ? dlsym (system_lapack, name) : NULL;
    }
  return f;
}

static void *
find_routine (caller *c, ge_driver driver, gpueig_type type, int names)
{
  static const char *const words[][2] = {
#define DRIVER_NAMES(id, real, complex, function, like) { real, complex },
    GE_DRIVERS (DRIVER_NAMES)
#undef DRIVER_NAMES
  };
  char name[32];
  snprintf (name, sizeof name, "%s%c%s_%s",
            names & GE_NAMES_SCIPY ? "scipy_" : "", "sdcz"[type],
            words[driver][gpueig_is_complex (type)],
            names & GE_NAMES_WIDE ? "64_" : "");
  void *f = look_up (c, name);
  if (! f)
    {
      /* End the process, as the dynamic linker does for a missing symbol.  */
      fprintf (stderr, "libgpueig_lapack.so: no library has %s\n", name);
      _Exit (127);
    }
  if (c != &anyone)
    atomic_store (&c->next[driver][type + 4 * names], f);
  return f;
}

ge_routine *
ge_next_routine (ge_driver driver, gpueig_type type, int names,
                 const void *address, int *may)
{
  caller *c = caller_at (address);
  void *f = atomic_load_explicit (&c->next[driver][type + 4 * names],
                                  memory_order_acquire);
  if (! f)
    f = find_routine (c, driver, type, names);
  *may = ! c->excluded && ! inside (c, f);
  ge_routine *routine;
  *(void **) &routine = f;
  return routine;
}

/* --- callers that are excluded --- */

/* Nonzero if C's LAPACK takes integers of 64 or 32 bits as NAMES say: xLANGE with
   a number of columns that is 1 in 32 bits and negative in 64 sees an element or
   none.  */
static int
has_integers (caller *c, int names)
{
  typedef double lange (const char *, const void *, const void *,
                        const double *, const void *, double *, size_t);
  static const int32_t one[2] = { 1, 0 }, probe[2] = { 1, -1 };
  const double a = 3;
  double work = 0;
  void *f = look_up (c, dlange[names]);
  if (! f)
    return 0;
  lange *routine;
  *(void **) &routine = f;
  const double norm = routine ("M", one, probe, &a, one, &work, 1);
  return names & GE_NAMES_WIDE ? norm != 3 : norm == 3;
}

int
ge_caller_is_excluded (const void *address, int names)
{
  caller *c = caller_at (address);
  int known = atomic_load (&c->integers[names]);
  if (! known)
    {
      known = has_integers (c, names) ? 1 : 2;
      atomic_store (&c->integers[names], known);
    }
  if (known == 2)
    return 1;
  int (*in_parallel) (void) = NULL;
  if (c->handle)
    *(void **) &in_parallel = dlsym (c->handle, "omp_in_parallel");
  if (! in_parallel)
    *(void **) &in_parallel = dlsym (RTLD_DEFAULT, "omp_in_parallel");
  return in_parallel && in_parallel ();
}
