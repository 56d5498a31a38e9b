/* Messages between the blocks of a cooperative kernel: numbers tagged with the
   step that they belong to, so that readers need neither barrier nor fence.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A message is written and read by one instruction, value and step together (16
   bytes for a double, 8 for a float; naturally aligned accesses of these sizes
   are single transactions on sm_70 and later).  Readers poll until the step is
   the expected one.  Any value may be sent; NaN and Inf cannot stall a reader.
   Steps increase monotonically while a buffer is in use, and buffers are
   cleared to step 0.  */

#ifndef GE_EXCHANGE_CUH
#define GE_EXCHANGE_CUH 1

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

GE_DEVICE_INLINE void
send (message<double> *to, double value, unsigned step, bool yes = true)
{
  asm volatile("{\n\t.reg .b64 high;\n\t.reg .b128 m;\n\t.reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "mov.b64 high, {%1, %1};\n\tmov.b128 m, {%0, high};\n\t"
               "@p st.relaxed.gpu.global.b128 [%2], m;\n\t}" ::"l"(
                   __double_as_longlong (value)),
               "r"(step), "l"(to), "r"((unsigned) yes)
               : "memory");
}
GE_DEVICE_INLINE message<double>
look_up (const message<double> *from)
{
  unsigned long long value;
  unsigned step, unused;
  asm volatile("{\n\t.reg .b64 high;\n\t.reg .b128 m;\n\t"
               "ld.relaxed.gpu.global.b128 m, [%3];\n\t"
               "mov.b128 {%0, high}, m;\n\tmov.b64 {%1, %2}, high;\n\t}"
               : "=l"(value), "=r"(step), "=r"(unused)
               : "l"(from)
               : "memory");
  message<double> m;
  m.value = __longlong_as_double ((long long) value);
  m.step = step;
  m.unused = unused;
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
   sent as the bits of a double.  NUMBER: the value of a message; those of a packet, one
   after the other, are the bits of T.  */
template <typename T> struct packet
{
  typedef ge_real<T> number;
  enum
  {
    PARTS = 1 + is_complex<T>::value
  };
  message<ge_real<T>> part[PARTS];
};

template <> struct packet<cuComplex>
{
  typedef double number;
  enum
  {
    PARTS = 1
  };
  message<double> part[PARTS];
};

/* Packets in planes, first parts and second ones APART: what lanes of a warp read or write at
   once follows each other.  */
template <typename T> struct packet_planes
{
  message<typename packet<T>::number> *part; /* the first */
  int64_t apart;
};

template <typename T>
static __host__ __device__ inline packet_planes<T>
operator+ (packet_planes<T> p, int64_t packets)
{
  return { p.part + packets, p.apart };
}

/* Part I of a packet.  */
template <typename T>
GE_DEVICE_INLINE auto *
part_of (packet<T> *p, int i)
{
  return &p->part[i];
}
template <typename T>
GE_DEVICE_INLINE auto *
part_of (const packet<T> *p, int i)
{
  return &p->part[i];
}
template <typename T>
GE_DEVICE_INLINE auto *
part_of (packet_planes<T> p, int i)
{
  return p.part + i * p.apart;
}

/* Send X where YES is true; a branch would cost more than the store.  TO, FROM: a pointer to
   packets, or their place in planes.  */
template <typename PLACE, typename T>
GE_DEVICE_INLINE void
send_number_if (bool yes, PLACE to, T x, unsigned step)
{
  if constexpr (! is_complex<T>::value)
    send (part_of (to, 0), x, step, yes);
  else if constexpr (packet<T>::PARTS == 1)
    send (part_of (to, 0),
          __hiloint2double (__float_as_int (x.y), __float_as_int (x.x)), step,
          yes);
  else
    {
      send (part_of (to, 0), x.x, step, yes);
      send (part_of (to, 1), x.y, step, yes);
    }
}
template <typename PLACE, typename T>
GE_DEVICE_INLINE void
send_number (PLACE to, T x, unsigned step)
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
    m.part[i] = look_up (part_of (from, i));
  return m;
}
template <typename T>
GE_DEVICE_INLINE packet<T>
look_up_packet (packet_planes<T> from)
{
  packet<T> m;
#pragma unroll
  for (int i = 0; i < packet<T>::PARTS; i++)
    m.part[i] = look_up (part_of (from, i));
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
  if constexpr (is_complex<T>::value && packet<T>::PARTS == 1)
    return { __int_as_float (__double2loint (m.part[0].value)),
             __int_as_float (__double2hiint (m.part[0].value)) };
  else
    return make_number<T> (m.part[0].value, m.part[packet<T>::PARTS - 1].value);
}

template <typename PLACE, typename T>
GE_DEVICE_INLINE T
receive_number (PLACE from, packet<T> first, unsigned step)
{
#pragma unroll
  for (int i = 0; i < packet<T>::PARTS; i++)
    while (first.part[i].step != step)
      first.part[i] = look_up (part_of (from, i));
  return number_of (first);
}

#endif
