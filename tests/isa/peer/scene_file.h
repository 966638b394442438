// What peer_scene writes and a peer's driver reads: the scene of splat/bench as arrays, and what our CPU makes of it.
#pragma once

#include <cstdint>
#include <vector>

namespace peer {

inline constexpr uint32_t kShValues = 48;  // of degree 3

struct Header {
  uint32_t splats, width, height;
  float fx, fy, cx, cy;  // px; the camera looks along z from the origin
};

struct SceneFile {
  Header header;
  std::vector<float> means, quats, scales, opacities, sh;  // [N,3], [N,4] wxyz, [N,3], [N], [N,16,3]
  std::vector<float> picture, v_picture;                   // [H,W,3], the latter the gradient to go back with
  std::vector<float> v_logits, v_sh;                       // [N], [N,16,3]

  // Calls use(values, count) for each array in the order of the file.
  template <class Use>
  void each(const Use& use) {
    const size_t n = header.splats, pixels = size_t(3) * header.width * header.height;
    use(means, 3 * n), use(quats, 4 * n), use(scales, 3 * n), use(opacities, n), use(sh, kShValues * n);
    use(picture, pixels), use(v_picture, pixels);
    use(v_logits, n), use(v_sh, kShValues * n);
  }
};

}  // namespace peer
