/* The context: messages, callbacks, info.  Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *
gpueig_status_id (gpueig_status status)
{
  static const char *const id[] = {
#define STATUS_ID(name, id, text) id,
    GPUEIG_STATUS_LIST (STATUS_ID)
#undef STATUS_ID
  };
  return (unsigned) status < sizeof id / sizeof id[0] ? id[status] : "";
}

const char *
gpueig_status_text (gpueig_status status)
{
  static const char *const text[] = {
#define STATUS_TEXT(name, id, text) text,
    GPUEIG_STATUS_LIST (STATUS_TEXT)
#undef STATUS_TEXT
  };
  return (unsigned) status < sizeof text / sizeof text[0] ? text[status]
                                                          : "unknown status";
}

gpueig_options
gpueig_default_options (void)
{
  return (gpueig_options){ .method = "auto" };
}

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

const char *
gpueig_device_fault (const gpueig_context *ctx)
{
  return ctx->fault;
}

gpueig_status
ge_device_lost (gpueig_context *ctx, const char *format, ...)
{
  if (! ge_device_is_lost (ctx))
    {
      va_list args;
      va_start (args, format);
      vsnprintf (ctx->fault, sizeof ctx->fault, format, args);
      va_end (args);
    }
  return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR,
                      "%s; the GPU is lost to this process (Octave), which "
                      "must be restarted to use it",
                      ctx->fault);
}

gpueig_status
ge_check_interrupt (gpueig_context *ctx)
{
  const gpueig_callbacks *cb = &ctx->callbacks;
  if (cb->interrupted && cb->interrupted (cb->data))
    return gpueig_fail (ctx, GPUEIG_INTERRUPTED, "interrupted by the user");
  return GPUEIG_OK;
}

/* Pass a line to the callback REPORT, with TIMED followed by the seconds since the
   call began.  */
static void
send_line (gpueig_context *ctx, int timed, const char *format, va_list args)
{
  const gpueig_callbacks *cb = &ctx->callbacks;
  char text[220], line[256];
  if (! cb->report)
    return;
  vsnprintf (text, sizeof text, format, args);
  ctx->last_line = ge_now ();
  if (timed)
    snprintf (line, sizeof line, "%s  [%.3f s]", text,
              ctx->last_line - ctx->start);
  cb->report (cb->data, timed ? line : text);
}

void
ge_report (gpueig_context *ctx, const char *format, ...)
{
  va_list args;
  if (! ctx->display)
    return;
  va_start (args, format);
  send_line (ctx, 1, format, args);
  va_end (args);
}

void
ge_notice (gpueig_context *ctx, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  send_line (ctx, 0, format, args);
  va_end (args);
}

void
ge_report_pages (gpueig_context *ctx, const char *what, int64_t done,
                 int64_t pages)
{
  if (pages > 1 && (done == pages || ge_now () - ctx->last_line >= 1))
    ge_report (ctx, "%s: pages %lld of %lld", what, (long long) done,
               (long long) pages);
}

double
ge_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Takes less time than snprintf, which libquadmath slows down.  */
static void
copy_name (char *to, size_t size, const char *from)
{
  const size_t length = strnlen (from, size - 1);
  memcpy (to, from, length);
  to[length] = '\0';
}

void
ge_info_begin (gpueig_info *info)
{
  memset (info, 0, sizeof *info);
  info->device = -1;
  info->converged = 1;
  copy_name (info->backend, sizeof info->backend, "cpu");
  copy_name (info->method, sizeof info->method, "auto");
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
ge_info_part (gpueig_info *info, const char *part)
{
  if (part[0])
    ge_info_fallback (info, part);
}

void
ge_info_planned (gpueig_info *info, const ge_plan *plan, int64_t pages)
{
  if (plan->named || ! info->fallback[0])
    return;
  /* "ql" is no method of the CPU for callers.  */
  const int has_name = pages == 1 && strcmp (info->fallback, "ql") != 0;
  ge_info_method (info, has_name ? info->fallback : "auto");
  ge_info_fallback (info, "");
}

void
gpueig_fallback_text (const gpueig_info *info, char *text, size_t size)
{
  const double pages = ge_info_value (info, "normal_accuracy");
  if (pages > 0)
    snprintf (text, size,
              "high accuracy needs a positive definite matrix with pivots "
              "at most a factor of 1e600 apart: "
              "method \"%s\" solved %g without them with normal accuracy",
              info->fallback, pages);
  else
    snprintf (text, size,
              "method \"%s\" failed for this matrix, which was solved by %s",
              info->method, info->fallback);
}

void
ge_info_off (gpueig_info *info, double off)
{
  if (info->n_off < GPUEIG_MAX_HISTORY)
    info->off[info->n_off++] = off;
}

void
ge_info_merge_sweeps (gpueig_info *info, const gpueig_info *one)
{
  for (int i = 0; i < one->n_off; i++)
    info->off[i]
        = i < info->n_off ? ge_larger (info->off[i], one->off[i]) : one->off[i];
  info->n_off = one->n_off > info->n_off ? one->n_off : info->n_off;
  info->sweeps = one->sweeps > info->sweeps ? one->sweeps : info->sweeps;
}

double
ge_info_value (const gpueig_info *info, const char *name)
{
  for (int i = 0; i < info->n_extra; i++)
    if (strcmp (info->extra[i].name, name) == 0)
      return info->extra[i].value;
  return 0;
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
