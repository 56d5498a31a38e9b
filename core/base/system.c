/* The operating system: Linux and macOS as POSIX has it, macOS and Windows, macOS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/system.h"

#if ! defined _WIN32

#  include <complex.h>
#  include <dlfcn.h>
#  include <errno.h>
#  include <libgen.h>
#  include <locale.h>
#  include <signal.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>
#  include <sys/stat.h>
#  include <unistd.h>
#  if defined __APPLE__
#    include <mach/mach.h>
#    include <sys/sysctl.h>
#    include <xlocale.h>
#  endif

/* Bytes of a thread's stack where the system's default is smaller: drivers of LAPACK and
   OpenBLAS have arrays of hundreds of KiB there.  */
#  define STACK_BYTES (8 << 20)

void *
ge_aligned_alloc (size_t alignment, size_t bytes)
{
  void *ptr;
  return posix_memalign (&ptr, alignment, bytes) == 0 ? ptr : NULL;
}

void
ge_aligned_free (void *ptr)
{
  free (ptr);
}

int
ge_create_thread (pthread_t *thread, void *(*work) (void *), void *data)
{
  sigset_t all, before;
  pthread_attr_t attributes;
  size_t stack;
  if (pthread_attr_init (&attributes) != 0)
    return EAGAIN;
  if (pthread_attr_getstacksize (&attributes, &stack) == 0
      && stack < STACK_BYTES)
    (void) pthread_attr_setstacksize (&attributes, STACK_BYTES);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const int error = pthread_create (thread, &attributes, work, data);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_attr_destroy (&attributes);
  return error;
}

int64_t
ge_process (void)
{
  return getpid ();
}

void *
ge_find_symbol (const char *name)
{
  return dlsym (RTLD_DEFAULT, name);
}

void *
ge_open_library (const char *file, char *why, size_t size)
{
  void *library = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  if (! library)
    snprintf (why, size, "%s", dlerror ());
  return library;
}

void *
ge_library_symbol (void *library, const char *name)
{
  return dlsym (library, name);
}

void
ge_close_library (void *library)
{
  dlclose (library);
}

int
ge_own_folder (char *folder, size_t size)
{
  static const char here;
  Dl_info self;
  if (! dladdr (&here, &self) || ! self.dli_fname)
    return 0;
  const char *slash = strrchr (self.dli_fname, '/');
  const int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  return snprintf (folder, size, "%.*s", length, self.dli_fname) < (int) size;
}

int
ge_full_name (const char *file, char *full, size_t size)
{
  char *copy = strdup (file);
  char *folder = copy ? realpath (dirname (copy), NULL) : NULL;
  int error = folder ? 0 : errno;
  if (folder)
    {
      memcpy (copy, file, strlen (file) + 1);
      if (snprintf (full, size, "%s/%s", folder, basename (copy)) >= (int) size)
        error = ENAMETOOLONG;
    }
  free (folder);
  free (copy);
  errno = error;
  return error;
}

int
ge_settings_folder (char *folder, size_t size)
{
  const char *named = getenv ("XDG_CONFIG_HOME"), *home = getenv ("HOME");
  if (named && *named == '/')
    return snprintf (folder, size, "%s", named) < (int) size;
  return home && *home
         && snprintf (folder, size, "%s/.config", home) < (int) size;
}

void
ge_make_folder (const char *folder)
{
  (void) mkdir (folder, 0777);
}

int
ge_remove_file (const char *file)
{
  return unlink (file);
}

int
ge_replace_file (const char *from, const char *to)
{
  return rename (from, to);
}

void
ge_artanh (double z[2])
{
  double _Complex w;
  memcpy (&w, z, sizeof w);
  w = catanh (w);
  memcpy (z, &w, sizeof w);
}

void *
ge_begin_point_locale (void)
{
  const locale_t own = newlocale (LC_NUMERIC_MASK, "C", (locale_t) 0);
  return own ? (void *) uselocale (own) : NULL;
}

void
ge_end_point_locale (void *before)
{
  if (before)
    freelocale (uselocale ((locale_t) before));
}

#endif

#if ! defined __linux__

#  include <stdio.h>
#  include <stdlib.h>

/* --- macOS and Windows ---

   Windows counts what it grants, so that nothing is free and granted; macOS does not tell.
   Neither limits the address space of a process or is told about huge pages, and the
   backend for GPUs is built on Linux alone.  */

void
ge_prepare_output (void *ptr, size_t bytes)
{
  (void) ptr;
  (void) bytes;
}

void
ge_find_huge_pages (ge_huge_pages *pages)
{
  *pages = (ge_huge_pages){ 0 };
}

int64_t
ge_unwritten (void)
{
  return 0;
}

int64_t
ge_address_space (void)
{
  return INT64_MAX;
}

int
ge_has_address_space (size_t bytes)
{
  (void) bytes;
  return 1;
}

void
ge_gpu_name (char *name, size_t size)
{
  (void) size;
  name[0] = '\0';
}

/* A comparison whose first argument is DATA.  */
typedef struct
{
  ge_compare *compare;
  void *data;
} comparison;

static int
compare_with (void *data, const void *x, const void *y)
{
  const comparison *c = data;
  return c->compare (x, y, c->data);
}

void
ge_sort_with (void *base, size_t count, size_t size, ge_compare *compare,
              void *data)
{
  comparison c = { compare, data };
#  if defined __APPLE__
  qsort_r (base, count, size, &c, compare_with);
#  else
  qsort_s (base, count, size, compare_with, &c);
#  endif
}

#endif

/* --- macOS --- */

#if defined __APPLE__

int64_t
ge_memory_available (void)
{
  vm_statistics64_data_t pages;
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  const mach_port_t host = mach_host_self ();
  const kern_return_t result = host_statistics64 (
      host, HOST_VM_INFO64, (host_info64_t) &pages, &count);
  mach_port_deallocate (mach_task_self (), host);
  return result == KERN_SUCCESS
             ? ((int64_t) pages.free_count + pages.inactive_count)
                   * sysconf (_SC_PAGESIZE)
             : INT64_MAX;
}

void
ge_processor_name (char *name, size_t size)
{
  char model[128];
  size_t length = sizeof model;
  if (sysctlbyname ("machdep.cpu.brand_string", model, &length, NULL, 0) == 0)
    snprintf (name, size, "%s", model);
}

#endif
