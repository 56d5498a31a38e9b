/* Values of the first number of a page that request an error of the solvers of
   devices_plugin.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef DEVICES_PLUGIN_H
#define DEVICES_PLUGIN_H 1

enum
{
  FAKE_ERROR = -1,
  FAKE_NO_MEMORY = -2,
  FAKE_LOST = -3,
  FAKE_LIMIT = -4, /* no convergence */
  FAKE_REPORT = -5,
  FAKE_ENDLESS = -6
};

#endif
