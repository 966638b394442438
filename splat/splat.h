// hipsplat's engine: training and rendering of 3D Gaussian splats. No files, no windows.
//
// Shapes in comments, e.g. `// [N,3]`, use these letters everywhere:
//   N     Gaussians ("splats") of the model
//   V     those visible in a view
//   I     instances: (tile, splat) pairs
//   P     pixels
//   H, W  image height and width
//   T     16x16 tiles
//   K     spherical-harmonic coefficients, (degree+1)^2
//   M     points of a point cloud
// Frames: world = the input's, untouched (COLMAP's convention: a camera looks along +z, x right, y down). `b_from_a`
// maps coordinates of frame a into frame b. Pixels: the centre of the top-left pixel is (0.5, 0.5). Units: `_px`
// pixels, `_deg` degrees; `log_scale` is ln(standard deviation in world units); `logit_opacity` is ln(o/(1-o));
// quaternions are wxyz and need not be normalised; SH is coefficient-major [N,K,3]. The gradient of the loss by x is
// called `v_x`; the adjoint of a function `f` is `f_vjp` and stands right below it.
#pragma once
