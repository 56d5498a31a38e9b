/* Messages between the blocks of a cooperative kernel: numbers tagged with the
   step that they belong to, so that readers need neither barrier nor fence.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A message is written and read by one instruction, value and step together (16
   bytes for a double, 8 for a float; naturally aligned accesses of these sizes
   are single transactions on sm_70 and later).  Readers poll until the step is
   the expected one.  Any value may be sent; NaN and Inf cannot stall a reader.
   Steps increase monotonically while a buffer is in use, and buffers are
   cleared to step 0.  */

#ifndef GE_TRIDIAGONAL_EXCHANGE_CUH
#define GE_TRIDIAGONAL_EXCHANGE_CUH 1

#include "base/numbers.cuh"

template <typename R> struct message;

template <> struct __align__ (16) message<double>
{
  double value;
  unsigned step, unused;
};

template <> struct __align__ (8) message<float>
{
  float value;
  unsigned step;
};

/* One access of 16 bytes.  */
GE_DEVICE_INLINE void
store_words (void *to, unsigned long long low, unsigned long long high,
             bool yes)
{
  asm volatile("{\n\t.reg .b128 m;\n\t.reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\tmov.b128 m, {%0, %1};\n\t"
               "@p st.relaxed.gpu.global.b128 [%2], m;\n\t}" ::"l"(low),
               "l"(high), "l"(to), "r"((unsigned) yes)
               : "memory");
}
GE_DEVICE_INLINE ulonglong2
load_words (const void *from)
{
  ulonglong2 m;
  asm volatile("{\n\t.reg .b128 m;\n\t"
               "ld.relaxed.gpu.global.b128 m, [%2];\n\t"
               "mov.b128 {%0, %1}, m;\n\t}"
               : "=l"(m.x), "=l"(m.y)
               : "l"(from)
               : "memory");
  return m;
}

GE_DEVICE_INLINE void
send (message<double> *to, double value, unsigned step, bool yes = true)
{
  store_words (to, (unsigned long long) __double_as_longlong (value), step,
               yes);
}
GE_DEVICE_INLINE message<double>
look_up (const message<double> *from)
{
  const ulonglong2 words = load_words (from);
  message<double> m;
  m.value = __longlong_as_double ((long long) words.x);
  m.step = (unsigned) words.y;
  m.unused = 0;
  return m;
}
GE_DEVICE_INLINE void
send (message<float> *to, float value, unsigned step, bool yes = true)
{
  asm volatile("{\n\t.reg .b64 m;\n\t.reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\tmov.b64 m, {%0, %1};\n\t"
               "@p st.relaxed.gpu.global.b64 [%2], m;\n\t}" ::"r"(
                   __float_as_uint (value)),
               "r"(step), "l"(to), "r"((unsigned) yes)
               : "memory");
}
GE_DEVICE_INLINE message<float>
look_up (const message<float> *from)
{
  unsigned value, step;
  asm volatile("{\n\t.reg .b64 m;\n\tld.relaxed.gpu.global.b64 m, [%2];\n\t"
               "mov.b64 {%0, %1}, m;\n\t}"
               : "=r"(value), "=r"(step)
               : "l"(from)
               : "memory");
  message<float> m;
  m.value = __uint_as_float (value);
  m.step = step;
  return m;
}

/* A number of type T: one message, or two for double complex; single complex is
   sent as the bits of a double.  */
template <typename T> struct packet
{
  typedef typename real_of<T>::type R;
  enum
  {
    PARTS = 1 + is_complex<T>::value
  };
  message<R> part[PARTS];
};

template <> struct packet<cuComplex>
{
  enum
  {
    PARTS = 1
  };
  message<double> part[PARTS];
};

/* Send X where YES is true; a branch would cost more than the store.  */
GE_DEVICE_INLINE void
send_number_if (bool yes, packet<float> *to, float x, unsigned step)
{
  send (&to->part[0], x, step, yes);
}
GE_DEVICE_INLINE void
send_number_if (bool yes, packet<double> *to, double x, unsigned step)
{
  send (&to->part[0], x, step, yes);
}
GE_DEVICE_INLINE void
send_number_if (bool yes, packet<cuComplex> *to, cuComplex x, unsigned step)
{
  send (&to->part[0],
        __hiloint2double (__float_as_int (x.y), __float_as_int (x.x)), step,
        yes);
}
GE_DEVICE_INLINE void
send_number_if (bool yes, packet<cuDoubleComplex> *to, cuDoubleComplex x,
                unsigned step)
{
  send (&to->part[0], x.x, step, yes);
  send (&to->part[1], x.y, step, yes);
}
template <typename PACKET, typename T>
GE_DEVICE_INLINE void
send_number (PACKET *to, T x, unsigned step)
{
  send_number_if (true, to, x, step);
}

/* look_up_packet reads a packet without waiting; number_of is its number, if it
   has arrived.  receive_number polls until it carries STEP; FIRST is the result
   of an earlier look_up_packet, so that a thread can have several reads in
   flight.  */
template <typename T>
GE_DEVICE_INLINE packet<T>
look_up_packet (const packet<T> *from)
{
  packet<T> m;
#pragma unroll
  for (int i = 0; i < packet<T>::PARTS; i++)
    m.part[i] = look_up (&from->part[i]);
  return m;
}

template <typename T>
GE_DEVICE_INLINE bool
has_arrived (const packet<T> &m, unsigned step)
{
  return m.part[0].step == step && m.part[packet<T>::PARTS - 1].step == step;
}

template <typename T>
GE_DEVICE_INLINE T
number_of (const packet<T> &m)
{
  return make_number<T> (m.part[0].value, m.part[packet<T>::PARTS - 1].value);
}
GE_DEVICE_INLINE cuComplex
number_of (const packet<cuComplex> &m)
{
  return make_cuComplex (__int_as_float (__double2loint (m.part[0].value)),
                         __int_as_float (__double2hiint (m.part[0].value)));
}

/* An element of a band.  That of double complex is one message, the lowest bits of
   both parts being the step modulo 4: half the traffic, and enough where readers are
   at most two steps ahead of what they read.  */
struct __align__ (16) marked_packet { unsigned long long part[2]; };

template <typename T> struct band_packet_of
{
  typedef packet<T> type;
};
template <> struct band_packet_of<cuDoubleComplex>
{
  typedef marked_packet type;
};
template <typename T> using band_packet = typename band_packet_of<T>::type;

/* X rounded to an even last bit, in the place of which is BIT.  */
GE_DEVICE_INLINE unsigned long long
mark (double x, unsigned bit)
{
  const unsigned long long word = (unsigned long long) __double_as_longlong (x);
  return ((word + ((word >> 1) & 1)) & ~1ull) | (bit & 1);
}
GE_DEVICE_INLINE void
send_number_if (bool yes, marked_packet *to, cuDoubleComplex x, unsigned step)
{
  store_words (to, mark (x.x, step), mark (x.y, step >> 1), yes);
}
GE_DEVICE_INLINE marked_packet
look_up_packet (const marked_packet *from)
{
  const ulonglong2 words = load_words (from);
  return { { words.x, words.y } };
}
GE_DEVICE_INLINE bool
has_arrived (const marked_packet &m, unsigned step)
{
  return (((unsigned) m.part[0] ^ step) & 1) == 0
         && (((unsigned) m.part[1] ^ (step >> 1)) & 1) == 0;
}
GE_DEVICE_INLINE cuDoubleComplex
number_of (const marked_packet &m)
{
  return make_cuDoubleComplex (
      __longlong_as_double ((long long) (m.part[0] & ~1ull)),
      __longlong_as_double ((long long) (m.part[1] & ~1ull)));
}

template <typename PACKET>
GE_DEVICE_INLINE auto
receive_number (const PACKET *from, PACKET first, unsigned step)
{
  while (! has_arrived (first, step))
    first = look_up_packet (from);
  return number_of (first);
}

#endif
