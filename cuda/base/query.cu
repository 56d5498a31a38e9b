/* Properties of the GPUs.  No CUDA context is created for the query: one takes
   some hundred megabytes of device memory and fails on a GPU that is full or in
   exclusive use.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/cuda.cuh"
#include "base/supported.h"
#include "eig/cusolver_mg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- free memory, by the driver's management library --- */

/* As in nvml.h, which not every toolkit contains.  */
typedef struct
{
  unsigned long long total, free, used;
} nvml_memory;

typedef struct
{
  void *handle;
  int (*init) (void);
  int (*shutdown) (void);
  int (*find) (const char *uuid, void **device);
  int (*memory) (void *device, nvml_memory *memory);
} nvml;

static void
close_nvml (nvml *library)
{
  if (library->handle)
    ge_close_library (library->handle);
  library->handle = NULL;
}

/* Nonzero if NVML could be loaded and initialised.  */
static int
open_nvml (nvml *library)
{
  memset (library, 0, sizeof *library);
  library->handle = ge_open_library ("libnvidia-ml.so.1", NULL, 0);
  if (! library->handle)
    return 0;
  *(void **) &library->init
      = ge_library_symbol (library->handle, "nvmlInit_v2");
  *(void **) &library->shutdown
      = ge_library_symbol (library->handle, "nvmlShutdown");
  *(void **) &library->find
      = ge_library_symbol (library->handle, "nvmlDeviceGetHandleByUUID");
  *(void **) &library->memory
      = ge_library_symbol (library->handle, "nvmlDeviceGetMemoryInfo");
  if (library->init && library->shutdown && library->find && library->memory
      && library->init () == 0)
    return 1;
  close_nvml (library);
  return 0;
}

/* Free bytes of the GPU, or of the MIG instance, with this UUID; 0 if
   unknown.  */
static int64_t
free_memory (const nvml *library, const cudaUUID_t *uuid)
{
  static const char *const kinds[] = { "GPU", "MIG" };
  const unsigned char *b = (const unsigned char *) uuid->bytes;
  char name[64];
  void *device;
  nvml_memory memory;
  for (int k = 0; k < 2; k++)
    {
      (void) snprintf (name, sizeof name,
                       "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
                       "%02x%02x%02x%02x%02x%02x",
                       kinds[k], b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
                       b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
      if (library->find (name, &device) == 0
          && library->memory (device, &memory) == 0)
        return (int64_t) memory.free;
    }
  return 0;
}

/* --- devices --- */

/* GPUEIG_PTX: see ge_architectures; set by the build.  */
#ifndef GPUEIG_PTX
#  define GPUEIG_PTX 0
#endif

static void
why_unsupported (const cudaDeviceProp *prop, char *reason)
{
  static const int numbers[] = { __CUDA_ARCH_LIST__ };
  const ge_architectures built
      = { numbers, (int) (sizeof numbers / sizeof numbers[0]), GPUEIG_PTX };
  ge_why_unsupported (&built, prop->name, prop->major, prop->minor, reason,
                      GE_REASON_SIZE);
}

/* For tests: GPUEIG_DEVICE_CAPABILITY, as 7.5, in place of a GPU's compute
   capability.  */
static int
find_properties (int number, cudaDeviceProp *prop)
{
  const char *text = getenv ("GPUEIG_DEVICE_CAPABILITY");
  if (cudaGetDeviceProperties (prop, number) != cudaSuccess)
    return 0;
  if (text)
    (void) sscanf (text, "%d.%d", &prop->major, &prop->minor);
  return 1;
}

void
ge_cuda_why_unsupported (int device, char *reason)
{
  cudaDeviceProp prop;
  reason[0] = '\0';
  if (find_properties (device, &prop))
    why_unsupported (&prop, reason);
}

/* Lanes of single precision of a multiprocessor.  */
static int
single_lanes (const cudaDeviceProp *prop)
{
  return prop->major == 8 && prop->minor == 0 ? 64 : 128;
}

/* Operations and bytes per second at most, from clocks in kHz; a multiply-add counts as
   two, a bus transfers twice per clock.  */
static void
find_rates (int number, const cudaDeviceProp *prop, gpueig_device *d)
{
  int clock = 0, memory_clock = 0, ratio = 0;
  if (cudaDeviceGetAttribute (&clock, cudaDevAttrClockRate, number)
          != cudaSuccess
      || cudaDeviceGetAttribute (&memory_clock, cudaDevAttrMemoryClockRate,
                                 number)
             != cudaSuccess
      || cudaDeviceGetAttribute (
             &ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, number)
             != cudaSuccess
      || ratio < 1)
    return;
  d->rate[0] = 2e3 * clock * d->multiprocessors * single_lanes (prop);
  d->rate[1] = d->rate[0] / ratio;
  d->bandwidth = 2e3 * memory_clock * prop->memoryBusWidth / 8;
}

static void
describe (gpueig_context *ctx, int number, const cudaDeviceProp *prop,
          gpueig_device *d)
{
  const int most = ctx->limit_multiprocessors;
  (void) snprintf (d->name, sizeof d->name, "%.127s", prop->name);
  d->compute_capability[0] = prop->major;
  d->compute_capability[1] = prop->minor;
  d->multiprocessors = most > 0 && most < prop->multiProcessorCount
                           ? most
                           : prop->multiProcessorCount;
  d->memory = (int64_t) prop->totalGlobalMem;
  find_rates (number, prop, d);
  why_unsupported (prop, d->reason);
}

void
ge_cuda_describe (gpueig_context *ctx, int device, gpueig_device *description)
{
  cudaDeviceProp prop;
  int count = 0;
  if (cudaGetDeviceCount (&count) == cudaSuccess && count > 0
      && find_properties (device % count, &prop))
    describe (ctx, device % count, &prop, description);
  cudaGetLastError ();
}

static void
describe_with_memory (gpueig_context *ctx, int number, const nvml *library,
                      gpueig_device *d)
{
  cudaDeviceProp prop;
  size_t free_bytes = 0, total = 0;
  if (! find_properties (number, &prop))
    return;
  describe (ctx, number, &prop, d);
  /* The device in use has a context already.  */
  if (ge_cuda_of (ctx)->device == number
      && cudaMemGetInfo (&free_bytes, &total) == cudaSuccess)
    d->memory_free = (int64_t) free_bytes;
  else if (library->handle)
    d->memory_free = free_memory (library, &prop.uuid);
}

void
ge_cuda_query (gpueig_context *ctx, gpueig_machine *machine)
{
  int count = 0, all = 0;
  nvml library;
  ge_cuda_engines (machine->engines, sizeof machine->engines);
  cudaRuntimeGetVersion (&machine->runtime_version);
  cudaDriverGetVersion (&machine->driver_version);
  if (cudaGetDeviceCount (&count) == cudaSuccess
      && ge_cuda_count (ctx, &all) == GPUEIG_OK)
    {
      const int there = open_nvml (&library);
      machine->n_devices = all < GPUEIG_MAX_DEVICES ? all : GPUEIG_MAX_DEVICES;
      for (int i = 0; i < machine->n_devices; i++)
        describe_with_memory (ctx, i % count, &library, &machine->device[i]);
      if (there)
        library.shutdown ();
      close_nvml (&library);
    }
  /* An error of these calls must not be reported by the next launch.  */
  cudaGetLastError ();
}
