/* The operating system: what differs between Linux, macOS and Windows, in
   system.c, system_linux.c, system_windows.c and system_process.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Next to it core uses C17 and POSIX threads with their clocks, which all three have
   (Windows: winpthreads).  The MPI backend, core/workers, is of Linux alone.  */

#ifndef GE_SYSTEM_H
#define GE_SYSTEM_H 1

#include "gpueig_try.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

GPUEIG_BEGIN_C

/* --- memory --- */

/* Blocks of this size and more use huge pages: page faults take a third of the
   time.  */
#define GE_HUGE_PAGE ((size_t) 2 << 20)

/* Memory at a multiple of ALIGNMENT, or NULL; ge_aligned_free frees it.  */
void *ge_aligned_alloc (size_t alignment, size_t bytes);
void ge_aligned_free (void *ptr);

/* Advise the system to use huge pages for a large result that has not been written
   yet.  */
void ge_prepare_output (void *ptr, size_t bytes);

/* Whether large blocks of memory get huge pages: the kernel's setting ("always", "madvise",
   "never"; "" where there is none), and whether the process was started with a C library that
   asks for them.  */
typedef struct
{
  int on, asked;
  char kernel[16];
} ge_huge_pages;

void ge_find_huge_pages (ge_huge_pages *pages);

/* Bytes of host memory and swap that can be used before the system refuses them or ends a
   process.  */
int64_t ge_memory_available (void);

#ifdef __linux__
/* As ge_memory_available: the smallest value for the machine, from PROC ("/proc"), the
   process's control group and its ancestors, from GROUPS ("/sys/fs/cgroup", version 1 or
   2).  */
int64_t ge_memory_in (const char *proc, const char *groups);
#endif

/* Bytes of memory that the system has granted to this process and counts as free, since
   they have not been written yet.  */
int64_t ge_unwritten (void);

/* Bytes of address space that are left under a limit of this process, INT64_MAX without a
   limit; nonzero if BYTES of it are there in one piece.  */
int64_t ge_address_space (void);
int ge_has_address_space (size_t bytes);

/* --- threads and processes --- */

/* As pthread_create, with a stack that is large enough for LAPACK and with all signals
   blocked.  */
int ge_create_thread (pthread_t *thread, void *(*work) (void *), void *data);

int64_t ge_process (void);

/* End the process at its exit without unloading its libraries, in which a thread may still
   run; on Linux with the status of that exit, elsewhere with 0.  */
void ge_end_at_exit (void);

/* --- signals --- */

/* Raise SIGNAL in this thread, also if it is blocked here.  */
void ge_raise (int signal);

/* From now on a signal that asks the process to end sets *ENDING before its handler runs, if
   it has one; ge_leave_end_signals ends that.  */
void ge_watch_end_signals (volatile sig_atomic_t *ending);
void ge_leave_end_signals (void);

/* --- shared libraries --- */

/* The function or variable NAME of any library that the process has loaded, or NULL.  */
void *ge_find_symbol (const char *name);

/* Load FILE; NULL, and the reason to WHY of SIZE bytes (NULL and 0: unwanted), if that
   fails.  */
void *ge_open_library (const char *file, char *why, size_t size);
void *ge_library_symbol (void *library, const char *name);
void ge_close_library (void *library);

/* The folder of the file that contains this code, with a separator at its end, to FOLDER
   of SIZE bytes; nonzero if it is known.  */
int ge_own_folder (char *folder, size_t size);

/* --- files --- */

/* The absolute name of FILE, which need not exist, to FULL of SIZE bytes; 0, or nonzero and
   errno.  */
int ge_full_name (const char *file, char *full, size_t size);

/* The folder of the user's settings, to FOLDER of SIZE bytes; nonzero if there is one.  */
int ge_settings_folder (char *folder, size_t size);

void ge_make_folder (const char *folder);

/* Remove FILE, which is no folder; 0, or nonzero and errno.  */
int ge_remove_file (const char *file);

/* Rename FROM to TO, which may exist; 0, or nonzero and errno.  */
int ge_replace_file (const char *from, const char *to);

/* --- hardware --- */

/* The model of the processor, to NAME of SIZE bytes; NAME stays as it is if it is not
   known.  */
void ge_processor_name (char *name, size_t size);

/* The model of the first GPU as its driver reports it without being loaded, or "".  */
void ge_gpu_name (char *name, size_t size);

/* --- numbers and order --- */

/* Until ge_end_point_locale (what ge_begin_point_locale returned) numbers that this thread
   reads and writes have decimal points, in every locale.  */
void *ge_begin_point_locale (void);
void ge_end_point_locale (void *before);

/* Z <- artanh (Z) of a complex number of modulus up to 1/2, given by its two parts, both of which
   are right to some units in the last place.  */
void ge_artanh (double z[2]);

/* Sort as qsort; COMPARE gets DATA too.  */
typedef int ge_compare (const void *x, const void *y, void *data);
void ge_sort_with (void *base, size_t count, size_t size, ge_compare *compare,
                   void *data);

GPUEIG_END_C

#endif
