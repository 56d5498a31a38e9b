/* Linux: memory that may be used, by the kernel and control groups; hardware.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/system.h"

#if defined __linux__

#  include <dirent.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>
#  include <sys/mman.h>
#  include <sys/prctl.h>
#  include <sys/resource.h>
#  include <unistd.h>

void
ge_prepare_output (void *ptr, size_t bytes)
{
  uintptr_t from = ((uintptr_t) ptr + GE_HUGE_PAGE - 1) & ~(GE_HUGE_PAGE - 1);
  uintptr_t to = ((uintptr_t) ptr + bytes) & ~(GE_HUGE_PAGE - 1);
  if (to > from)
    madvise ((void *) from, to - from, MADV_HUGEPAGE);
}

/* The word in brackets of "always [madvise] never"; "" if there is none.  */
static void
huge_pages_of_kernel (char *word, size_t size)
{
  char line[128] = "";
  FILE *f = fopen ("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  word[0] = '\0';
  if (! f)
    return;
  const size_t got = fread (line, 1, sizeof line - 1, f);
  fclose (f);
  line[got] = '\0';
  const char *begin = strchr (line, '['), *end = strchr (line, ']');
  if (begin && end && end > begin && (size_t) (end - begin) <= size)
    snprintf (word, size, "%.*s", (int) (end - begin - 1), begin + 1);
}

/* The value of glibc.malloc.hugetlb with which the process was started: 0, 1 (madvise)
   or at least 2 (MAP_HUGETLB).  A later setenv has no effect.  */
static long
huge_pages_of_malloc (void)
{
  static const char name[] = "GLIBC_TUNABLES=", key[] = "glibc.malloc.hugetlb=";
  char *entry = NULL;
  size_t room = 0;
  long value = 0;
  FILE *f = fopen ("/proc/self/environ", "r");
  if (! f)
    return 0;
  while (getdelim (&entry, &room, '\0', f) > 0)
    {
      /* glibc before 2.39 replaces the separators of the tunables by zeros, so that
         each becomes an entry of its own.  */
      const char *at = strncmp (entry, name, sizeof name - 1) == 0
                           ? strstr (entry, key)
                       : strncmp (entry, key, sizeof key - 1) == 0 ? entry
                                                                   : NULL;
      if (at)
        value = strtol (at + sizeof key - 1, NULL, 0);
    }
  free (entry);
  fclose (f);
  return value;
}

void
ge_find_huge_pages (ge_huge_pages *pages)
{
  const long asked = huge_pages_of_malloc ();
  const int allowed = prctl (PR_GET_THP_DISABLE, 0, 0, 0, 0) <= 0;
  huge_pages_of_kernel (pages->kernel, sizeof pages->kernel);
  pages->asked = asked > 0;
  pages->on = asked > 1
              || (allowed
                  && (strcmp (pages->kernel, "always") == 0
                      || (strcmp (pages->kernel, "madvise") == 0 && asked)));
}

/* The number after KEY at the beginning of a line of FILE in FOLDER (KEY "": of the
   first line), or -1 if there is none, as in "max" (no limit).  */
static int64_t
number_in (const char *folder, const char *file, const char *key)
{
  char line[256], name[512];
  long long value = -1;
  if (snprintf (name, sizeof name, "%s/%s", folder, file) >= (int) sizeof name)
    return -1;
  FILE *f = fopen (name, "r");
  if (! f)
    return -1;
  while (fgets (line, sizeof line, f))
    if (strncmp (line, key, strlen (key)) == 0)
      {
        if (sscanf (line + strlen (key), "%lld", &value) != 1)
          value = -1;
        break;
      }
  fclose (f);
  return value;
}

static int64_t
positive (int64_t x)
{
  return x > 0 ? x : 0;
}

/* The files of a control group of version 1 or 2: limit and usage of memory; limit
   and usage of swap, in version 1 (TOGETHER) of the sum of memory and swap; keys in
   memory.stat of usage that can be reclaimed.  */
typedef struct
{
  int together;
  const char *limit, *use, *swap_limit, *swap_use;
  const char *reclaimable[3];
} group_files;

static const group_files versions[2]
    = { { 1,
          "memory.limit_in_bytes",
          "memory.usage_in_bytes",
          "memory.memsw.limit_in_bytes",
          "memory.memsw.usage_in_bytes",
          { "total_inactive_file ", "total_active_file ", NULL } },
        { 0,
          "memory.max",
          "memory.current",
          "memory.swap.max",
          "memory.swap.current",
          { "inactive_file ", "active_file ", "slab_reclaimable " } } };

/* The smaller of ROOM and the bytes that the control group in FOLDER still allows,
   SWAP being the free swap of the machine.  */
static int64_t
room_in_group (const group_files *v, const char *folder, int64_t room,
               int64_t swap)
{
  const int64_t limit = number_in (folder, v->limit, "");
  /* In version 1 a number near 2^63 means no limit.  */
  const int64_t use = limit >= 0 && limit < (int64_t) 1 << 60
                          ? number_in (folder, v->use, "")
                          : -1;
  if (use < 0)
    return room;
  int64_t cached = 0;
  for (int i = 0; i < 3 && v->reclaimable[i]; i++)
    cached += positive (number_in (folder, "memory.stat", v->reclaimable[i]));
  const int64_t used = positive (use - cached);
  int64_t here = positive (limit - used);
  const int64_t swap_limit = number_in (folder, v->swap_limit, "");
  const int64_t swap_use = number_in (folder, v->swap_use, "");
  int64_t more = swap;
  if (swap_limit >= 0 && swap_use >= 0)
    {
      const int64_t left
          = v->together ? swap_limit - positive (swap_use - cached) - here
                        : swap_limit - swap_use;
      more = positive (left < swap ? left : swap);
    }
  here += more;
  return here < room ? here : room;
}

/* As room_in_group, for the control group FOLDER/PATH and all its ancestors.  PATH is
   overwritten.  */
static int64_t
room_in_groups (const group_files *v, const char *folder, char *path,
                int64_t room, int64_t swap)
{
  char name[512];
  for (;;)
    {
      const size_t length = strlen (path);
      if (length > 0 && path[length - 1] == '/')
        path[length - 1] = '\0';
      if (snprintf (name, sizeof name, "%s%s", folder, path)
          < (int) sizeof name)
        room = room_in_group (v, name, room, swap);
      char *slash = strrchr (path, '/');
      if (! slash)
        return room;
      *slash = '\0';
    }
}

int64_t
ge_memory_in (const char *proc, const char *groups)
{
  char line[512], name[512];
  const int64_t free_kib = number_in (proc, "meminfo", "MemAvailable:");
  const int64_t swap
      = 1024 * positive (number_in (proc, "meminfo", "SwapFree:"));
  int64_t room = free_kib >= 0 ? 1024 * free_kib
                               : (int64_t) sysconf (_SC_AVPHYS_PAGES)
                                     * sysconf (_SC_PAGESIZE);
  room += swap;
  snprintf (name, sizeof name, "%s/self/cgroup", proc);
  FILE *f = fopen (name, "r");
  if (! f)
    return room;
  /* Lines "0::/path" (version 2) and "4:memory:/path" (version 1).  */
  while (fgets (line, sizeof line, f))
    {
      line[strcspn (line, "\n")] = '\0';
      char *controllers = strchr (line, ':');
      char *path = controllers ? strchr (controllers + 1, ':') : NULL;
      if (! path)
        continue;
      *path++ = '\0';
      if (controllers[1] == '\0')
        room = room_in_groups (&versions[1], groups, path, room, swap);
      else if (strcmp (controllers + 1, "memory") == 0)
        {
          snprintf (name, sizeof name, "%s/memory", groups);
          room = room_in_groups (&versions[0], name, path, room, swap);
        }
    }
  fclose (f);
  return room;
}

int64_t
ge_memory_available (void)
{
  return ge_memory_in ("/proc", "/sys/fs/cgroup");
}

int64_t
ge_unwritten (void)
{
  long long resident, shared, data;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (! f)
    return 0;
  /* In pages: size, resident, shared, text, 0, private writable, 0.  */
  const int read
      = fscanf (f, "%*d %lld %lld %*d %*d %lld", &resident, &shared, &data);
  fclose (f);
  return read == 3 ? (data - (resident - shared)) * sysconf (_SC_PAGESIZE) : 0;
}

int64_t
ge_address_space (void)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur > INT64_MAX)
    return INT64_MAX;
  const int64_t used = number_in ("/proc/self", "statm", "");
  return positive ((int64_t) limit.rlim_cur
                   - positive (used) * sysconf (_SC_PAGESIZE));
}

int
ge_has_address_space (size_t bytes)
{
  void *p = mmap (NULL, bytes, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return 0;
  munmap (p, bytes);
  return 1;
}

/* The value of the first line of FILE that begins with KEY, after a colon, to NAME, which
   stays as it is if there is none.  */
static void
read_value (const char *file, const char *key, char *name, size_t size)
{
  char line[256];
  FILE *f = fopen (file, "r");
  while (f && fgets (line, sizeof line, f))
    if (strncmp (line, key, strlen (key)) == 0 && strchr (line, ':'))
      {
        const char *const value = strchr (line, ':') + 1;
        line[strcspn (line, "\n")] = '\0';
        snprintf (name, size, "%s", value + strspn (value, " \t"));
        break;
      }
  if (f)
    fclose (f);
}

void
ge_processor_name (char *name, size_t size)
{
  read_value ("/proc/cpuinfo", "model name", name, size);
}

void
ge_gpu_name (char *name, size_t size)
{
  static const char folder[] = "/proc/driver/nvidia/gpus";
  char file[512];
  struct dirent *entry;
  DIR *d = opendir (folder);
  name[0] = '\0';
  while (d && (entry = readdir (d)) && ! name[0])
    {
      snprintf (file, sizeof file, "%s/%s/information", folder, entry->d_name);
      if (entry->d_name[0] != '.')
        read_value (file, "Model", name, size);
    }
  if (d)
    closedir (d);
}

void
ge_sort_with (void *base, size_t count, size_t size, ge_compare *compare,
              void *data)
{
  qsort_r (base, count, size, compare, data);
}

#endif
