/* The operating system: what differs between Linux, macOS and Windows, in
   system.c, system_linux.c and system_windows.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Next to it core uses C17 and POSIX threads with their clocks, which all three have
   (Windows: winpthreads).  The MPI backend, core/workers, is of Linux alone.  */

#ifndef GE_SYSTEM_H
#define GE_SYSTEM_H 1

#include "gpueig_try.h"

#include <pthread.h>
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

/* --- shared libraries --- */

/* The function or variable NAME of any library that the process has loaded, or NULL.  */
void *ge_find_symbol (const char *name);

/* Load FILE; NULL, and the reason to WHY of SIZE bytes, if that fails.  */
void *ge_open_library (const char *file, char *why, size_t size);
void *ge_library_symbol (void *library, const char *name);
void ge_close_library (void *library);

/* The folder of the file that contains this code, with a separator at its end, to FOLDER
   of SIZE bytes; nonzero if it is known.  */
int ge_own_folder (char *folder, size_t size);

/* --- files --- */

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

/* Sort as qsort; COMPARE gets DATA too.  */
typedef int ge_compare (const void *x, const void *y, void *data);
void ge_sort_with (void *base, size_t count, size_t size, ge_compare *compare,
                   void *data);

GPUEIG_END_C

#endif
