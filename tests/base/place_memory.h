/* For place_plugin: "device" memory, which can be accessed between enter and leave only.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_MEMORY_H
#define PLACE_MEMORY_H 1

#include "base/context.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

static const size_t ARENA = (size_t) 1 << 30;
static char *arena;
static size_t used;
static int inside, is_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
enter (void)
{
  pthread_mutex_lock (&lock);
  if (inside++ == 0 && arena && ! is_open)
    mprotect (arena, ARENA, PROT_READ | PROT_WRITE);
  is_open = 1;
  pthread_mutex_unlock (&lock);
}

static gpueig_status
leave (gpueig_status status)
{
  pthread_mutex_lock (&lock);
  if (--inside == 0 && arena)
    {
      mprotect (arena, ARENA, PROT_NONE);
      is_open = 0;
    }
  pthread_mutex_unlock (&lock);
  return status;
}

/* After an operation on arrays, of which there are many, memory stays accessible until the
   next other call.  */
static gpueig_status
leave_open (gpueig_status status)
{
  pthread_mutex_lock (&lock);
  inside--;
  pthread_mutex_unlock (&lock);
  return status;
}

/* Blocks have sizes that are powers of two; freed ones are taken again.  */
enum
{
  PAGE = 4096,
  BLOCKS = 4096
};

static struct
{
  char *at;
  size_t size;
  int is_free;
} blocks[BLOCKS];
static int n_blocks;

static void *
take_block (size_t size)
{
  int i = 0;
  while (i < n_blocks && ! (blocks[i].is_free && blocks[i].size == size))
    i++;
  if (i == BLOCKS || (i == n_blocks && used + size > ARENA))
    return NULL;
  if (i == n_blocks)
    {
      n_blocks++;
      blocks[i].at = arena + used;
      blocks[i].size = size;
      used += size;
    }
  blocks[i].is_free = 0;
  return blocks[i].at;
}

/* In huge pages, of which the kernel can protect as many as there are in no time.  */
static char *
reserve (void)
{
  const size_t huge = (size_t) 1 << 21;
  char *p = mmap (NULL, ARENA + huge, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  p += (huge - (uintptr_t) p % huge) % huge;
  madvise (p, ARENA, MADV_HUGEPAGE);
  return p;
}

static int
is_device (const void *pointer)
{
  return arena && (const char *) pointer >= arena
         && (const char *) pointer < arena + used;
}

#endif
