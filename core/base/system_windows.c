/* Windows, by its own functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/system.h"

#if defined _WIN32

#  include <windows.h>
/* After windows.h.  */
#  include <direct.h>
#  include <errno.h>
#  include <io.h>
#  include <locale.h>
#  include <malloc.h>
#  include <math.h>
#  include <process.h>
#  include <psapi.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>

/* Bytes of a thread's stack where the system's default is smaller: drivers of LAPACK and
   OpenBLAS have arrays of hundreds of KiB there.  */
#  define STACK_BYTES (8 << 20)

void *
ge_aligned_alloc (size_t alignment, size_t bytes)
{
  return _aligned_malloc (bytes, alignment);
}

void
ge_aligned_free (void *ptr)
{
  _aligned_free (ptr);
}

/* Bytes that may still be committed: memory and page file.  */
int64_t
ge_memory_available (void)
{
  MEMORYSTATUSEX status = { .dwLength = sizeof status };
  return GlobalMemoryStatusEx (&status) ? (int64_t) status.ullAvailPageFile
                                        : INT64_MAX;
}

int
ge_create_thread (pthread_t *thread, void *(*work) (void *), void *data)
{
  pthread_attr_t attributes;
  if (pthread_attr_init (&attributes) != 0)
    return EAGAIN;
  (void) pthread_attr_setstacksize (&attributes, STACK_BYTES);
  const int error = pthread_create (thread, &attributes, work, data);
  pthread_attr_destroy (&attributes);
  return error;
}

int64_t
ge_process (void)
{
  return _getpid ();
}

void *
ge_find_symbol (const char *name)
{
  HMODULE module[1024];
  DWORD bytes = 0;
  void *found = NULL;
  if (! EnumProcessModules (GetCurrentProcess (), module, sizeof module,
                            &bytes))
    return NULL;
  if (bytes > sizeof module)
    bytes = sizeof module;
  for (size_t i = 0; i < bytes / sizeof *module && ! found; i++)
    found = ge_library_symbol (module[i], name);
  return found;
}

void *
ge_open_library (const char *file, char *why, size_t size)
{
  void *library = LoadLibraryA (file);
  if (! library)
    snprintf (why, size, "error %lu of Windows", GetLastError ());
  return library;
}

void *
ge_library_symbol (void *library, const char *name)
{
  const FARPROC found = GetProcAddress (library, name);
  void *symbol;
  memcpy (&symbol, &found, sizeof symbol);
  return symbol;
}

void
ge_close_library (void *library)
{
  FreeLibrary (library);
}

int
ge_own_folder (char *folder, size_t size)
{
  static const char here;
  HMODULE self;
  if (! GetModuleHandleExA (GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
                                | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            &here, &self))
    return 0;
  const DWORD length = GetModuleFileNameA (self, folder, (DWORD) size);
  char *slash = length > 0 && length < size ? strrchr (folder, '\\') : NULL;
  if (slash)
    slash[1] = '\0';
  return slash != NULL;
}

int
ge_full_name (const char *file, char *full, size_t size)
{
  return _fullpath (full, file, size) ? 0 : -1;
}

int
ge_settings_folder (char *folder, size_t size)
{
  const char *named = getenv ("APPDATA");
  return named && *named && snprintf (folder, size, "%s", named) < (int) size;
}

void
ge_make_folder (const char *folder)
{
  (void) _mkdir (folder);
}

int
ge_remove_file (const char *file)
{
  return _unlink (file);
}

int
ge_replace_file (const char *from, const char *to)
{
  if (MoveFileExA (from, to, MOVEFILE_REPLACE_EXISTING))
    return 0;
  errno = EACCES;
  return -1;
}

void
ge_processor_name (char *name, size_t size)
{
  const char *model = getenv ("PROCESSOR_IDENTIFIER");
  if (model && *model)
    snprintf (name, size, "%s", model);
}

/* --- fma, which mingw's C library rounds twice ---

   These are linked instead, for code that is not compiled for processors with FMA.  */

#  if defined __x86_64__

typedef union
{
  __float128 value;
  uint64_t bits[2]; /* the lower ones first */
} quad;

/* X + Y rounded to odd, so that a second rounding to at most 111 bits is that of the exact sum
   (Boldo and Melquiond, Emulation of a FMA and correctly rounded sums, IEEE Transactions on
   Computers 57 (2008), 462-471).  */
static __float128
odd_sum (__float128 x, __float128 y)
{
  quad sum = { .value = x + y };
  const __float128 part = sum.value - x,
                   error = (x - (sum.value - part)) + (y - part);
  if ((error > 0 || error < 0) && sum.bits[0] % 2 == 0)
    {
      if ((error > 0) == (sum.value > 0))
        sum.bits[0]++;
      else if (sum.bits[0]-- == 0)
        sum.bits[1]--;
    }
  return sum.value;
}

__attribute__ ((target ("fma"))) static double
fma_of_processor (double x, double y, double z)
{
  return __builtin_fma (x, y, z);
}

__attribute__ ((target ("fma"))) static float
fmaf_of_processor (float x, float y, float z)
{
  return __builtin_fmaf (x, y, z);
}

double
fma (double x, double y, double z)
{
  return __builtin_cpu_supports ("fma")
             ? fma_of_processor (x, y, z)
             : (double) odd_sum ((__float128) x * y, z);
}

float
fmaf (float x, float y, float z)
{
  return __builtin_cpu_supports ("fma")
             ? fmaf_of_processor (x, y, z)
             : (float) odd_sum ((__float128) x * y, z);
}

#  endif

/* The real part of mingw's catanh has the error of a number near 1.  */
void
ge_artanh (double z[2])
{
  const double x = z[0], y = z[1];
  z[0] = log1p (4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
  z[1] = atan2 (2 * y, (1 - x) * (1 + x) - y * y) / 2;
}

/* The locale of a thread before, and whether it had one of its own.  */
typedef struct
{
  int mode;
  char name[256];
} thread_locale;

void *
ge_begin_point_locale (void)
{
  thread_locale *before = calloc (1, sizeof *before);
  if (! before)
    return NULL;
  snprintf (before->name, sizeof before->name, "%s",
            setlocale (LC_NUMERIC, NULL));
  before->mode = _configthreadlocale (_ENABLE_PER_THREAD_LOCALE);
  setlocale (LC_NUMERIC, "C");
  return before;
}

void
ge_end_point_locale (void *data)
{
  thread_locale *before = data;
  if (! before)
    return;
  setlocale (LC_NUMERIC, before->name);
  _configthreadlocale (before->mode);
  free (before);
}

#endif
