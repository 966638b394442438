// The numerical conventions, each once, as in the reference implementation (Kerbl et al. 2023, "3D Gaussian Splatting
// for Real-Time Radiance Field Rendering") unless a source is named, so that results compare.
#pragma once

namespace splat::math {

inline constexpr double kNearPlane = 0.01;        // world units; gsplat (INRIA's 0.2 cuts into small scenes)
inline constexpr double kLowPass = 0.3;           // px^2 added to the 2D covariance's diagonal
inline constexpr double kAlphaMin = 1.0 / 255.0;  // smaller contributions are skipped
inline constexpr double kLog2E = 1.44269504088896341;
inline constexpr double kLog2AlphaMin = -7.99435343685885794;  // log2(kAlphaMin)
inline constexpr double kAlphaMax = 0.99;
inline constexpr double kTransmittanceStop = 1e-4;  // a splat that would take T below this is not blended any more
inline constexpr double kJacobianMargin = 0.15;     // of the image size beyond its border: clamp of x/z, y/z
inline constexpr double kInriaMargin = 1.3;         // of tan(fov / 2): INRIA's clamp of the same
inline constexpr double kDeterminantMin = 1e-12;    // px^4; flatter projected covariances are dropped
inline constexpr double kDeterminantMax = 1e36;     // px^4; larger ones (a splat around the camera) overflow float
inline constexpr double kMipSmall = 1e-6;           // px^4; Mip-Splatting's rasteriser: project.h
inline constexpr double kLeastRatio = 2.5e-5;       // of determinants in INRIA's compensation
inline constexpr double kMostExtent = 3.33;         // standard deviations: gsplat's radii
inline constexpr double kLeastAlpha = 1e-10;        // that a sum of depths is divided by
inline constexpr double kMaxMeanPx = 1e7;           // px; centres further out are dropped (float keeps 1 px there)
inline constexpr double kMaxFinite = 1e30;          // larger magnitudes, infinities and NaN make a splat invisible
inline constexpr double kQuatNormMin = 1e-30;       // squared length; shorter quaternions mean "no rotation"
inline constexpr int kTileSize = 16;                // px
inline constexpr int kSsimWindow = 11;              // px, Wang et al. 2004
inline constexpr double kSsimSigma = 1.5;           // px
inline constexpr double kSsimC1 = 0.01 * 0.01;      // values in [0,1]
inline constexpr double kSsimC2 = 0.03 * 0.03;

}  // namespace splat::math
