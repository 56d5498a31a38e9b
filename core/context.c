/* The context: messages, callbacks, info.  Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

gpueig_status
gpueig_fail (gpueig_context *ctx, gpueig_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (ctx->message, sizeof ctx->message, format, args);
  va_end (args);
  return status;
}

const char *
gpueig_message (const gpueig_context *ctx)
{
  return ctx->message;
}

gpueig_status
ge_check_interrupt (gpueig_context *ctx)
{
  const gpueig_callbacks *cb = &ctx->callbacks;
  if (cb->interrupted && cb->interrupted (cb->data))
    return gpueig_fail (ctx, GPUEIG_INTERRUPTED, "interrupted by the user");
  return GPUEIG_OK;
}

static void
send_line (gpueig_context *ctx, const char *format, va_list args)
{
  const gpueig_callbacks *cb = &ctx->callbacks;
  char line[256];
  if (! cb->report)
    return;
  vsnprintf (line, sizeof line, format, args);
  cb->report (cb->data, line);
}

void
ge_report (gpueig_context *ctx, const char *format, ...)
{
  va_list args;
  if (! ctx->display)
    return;
  va_start (args, format);
  send_line (ctx, format, args);
  va_end (args);
}

void
ge_notice (gpueig_context *ctx, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  send_line (ctx, format, args);
  va_end (args);
}

double
ge_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
copy_name (char *to, size_t size, const char *from)
{
  snprintf (to, size, "%s", from);
}

void
ge_info_begin (gpueig_info *info)
{
  memset (info, 0, sizeof *info);
  info->device = -1;
  info->converged = 1;
  copy_name (info->backend, sizeof info->backend, "cpu");
}

void
ge_info_method (gpueig_info *info, const char *method)
{
  copy_name (info->method, sizeof info->method, method);
}

void
ge_info_fallback (gpueig_info *info, const char *solver)
{
  copy_name (info->fallback, sizeof info->fallback, solver);
}

void
ge_info_off (gpueig_info *info, double off)
{
  if (info->n_off < GPUEIG_MAX_HISTORY)
    info->off[info->n_off++] = off;
}

void
ge_info_extra (gpueig_info *info, const char *name, double value)
{
  int i = 0;
  while (i < info->n_extra && strcmp (info->extra[i].name, name) != 0)
    i++;
  if (i == GPUEIG_MAX_EXTRA)
    return;
  info->extra[i].name = name;
  info->extra[i].value = value;
  if (i == info->n_extra)
    info->n_extra++;
}
