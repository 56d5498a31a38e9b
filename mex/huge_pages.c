/* Whether large results get huge pages.  Linux clears a page at the first access, which
   for results of 100 MB takes longer than many of the computations; huge pages halve
   this time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* The word in brackets of "always [madvise] never"; "" if there is none.  */
static void
kernel_setting (char *word, size_t size)
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
malloc_setting (void)
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

/* The field huge_pages of gpu_info.  */
mxArray *
mex_huge_pages (void)
{
  static const char *fields[] = { "on", "kernel", "malloc" };
  char kernel[16];
  kernel_setting (kernel, sizeof kernel);
  const long asked = malloc_setting ();
  const int allowed = prctl (PR_GET_THP_DISABLE, 0, 0, 0, 0) <= 0;
  const int on = asked > 1
                 || (allowed
                     && (strcmp (kernel, "always") == 0
                         || (strcmp (kernel, "madvise") == 0 && asked == 1)));
  mxArray *s = mxCreateStructMatrix (1, 1, 3, fields);
  mxSetFieldByNumber (s, 0, 0, mxCreateLogicalScalar (on));
  mxSetFieldByNumber (s, 0, 1, mxCreateString (kernel));
  mxSetFieldByNumber (s, 0, 2, mxCreateLogicalScalar (asked > 0));
  return s;
}
