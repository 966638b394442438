// Host/device annotations: the whole portability layer that headers of splat/math may rely on.
#pragma once

#if defined(__HIPCC__) || defined(__CUDACC__)
#define SPLAT_HD __host__ __device__
#else
#define SPLAT_HD
#endif

// Before a loop whose count is known to the compiler, so that a kernel keeps an array in registers.
#if defined(__HIPCC__) || defined(__CUDACC__)
#define SPLAT_UNROLL _Pragma("unroll")
#else
#define SPLAT_UNROLL
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SPLAT_INLINE SPLAT_HD inline __attribute__((always_inline))
#else
#define SPLAT_INLINE SPLAT_HD inline
#endif
