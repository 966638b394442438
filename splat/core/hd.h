// Host/device annotations: the whole portability layer that headers of splat/math may rely on.
#pragma once

#if defined(__HIPCC__) || defined(__CUDACC__)
#define SPLAT_HD __host__ __device__
#else
#define SPLAT_HD
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SPLAT_INLINE SPLAT_HD inline __attribute__((always_inline))
#else
#define SPLAT_INLINE SPLAT_HD inline
#endif
