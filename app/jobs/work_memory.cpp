#include "app/jobs/work_memory.h"

#include <fmt/format.h>

#include "app/jobs/memory_plan.h"

namespace app {

namespace {

// A splat in an SPZ file before it is packed has position, opacity, colour, sizes and rotation; a byte a coefficient.
uint64_t spz_row_bytes(const splat::Gaussians& model) { return 19 + 3 * uint64_t(model.coefficients() - 1); }

// Packers hold all rows as the file has them, and their parts packed; a page its text beside that, and the order of
// rows.
constexpr uint64_t kSpzBase = 15'000'000, kSogBase = 50'000'000, kPageBase = 11'000'000;
constexpr uint64_t kSogRow = 48, kSogHarmonics = 24, kOrderedRow = 20, kPageOrder = 30;
constexpr uint64_t kServedBase = 8'000'000, kServedRow = 12;
// What the picture shows of them takes 135 bytes a splat more; a view seldom shows all.
constexpr uint64_t kDrawnBase = 18'000'000, kDrawnRow = 80;
constexpr uint64_t kRegisteredBase = 25'000'000, kRegisteredRow = 12;  // most points are thinned out

}  // namespace

uint64_t bytes_to_write(io::SplatFormat format, const splat::Gaussians& model) {
  const uint64_t splats = model.size(), row = spz_row_bytes(model);
  switch (format) {
    case io::SplatFormat::kSpz:
      return kSpzBase + splats * 2 * row;
    case io::SplatFormat::kSog:
      return kSogBase + splats * (kSogRow + (model.sh_degree > 0 ? kSogHarmonics : 0));
    case io::SplatFormat::kHtml:
      return kPageBase + splats * (3 * row + kPageOrder);
    case io::SplatFormat::kCompressedPly:
      return splats * kOrderedRow;
    case io::SplatFormat::kSplat:
      return splats * kOrderedRow / 2;
    default:
      return 0;  // row by row
  }
}

uint64_t bytes_to_serve(const splat::Gaussians& model) {
  return kServedBase + model.size() * (kServedRow + spz_row_bytes(model) / 2);
}

uint64_t bytes_to_draw(const splat::BackendInfo& backend, const splat::Gaussians& model, uint64_t pixels) {
  const uint64_t picture = pixels * kBytesPerDrawnPixel;
  if (backend.device_total_bytes > 0) return picture;
  const uint64_t row = sizeof(float) * uint64_t(splat::parameters_per_splat(model.sh_degree));
  return kDrawnBase + model.size() * (row + kDrawnRow) + picture;
}

uint64_t bytes_to_register(const splat::Gaussians& moved, const splat::Gaussians& fixed) {
  return kRegisteredBase + (moved.size() + fixed.size()) * kRegisteredRow;
}

splat::Status check_work(const std::string& work, uint64_t bytes, const HostMemory& memory) {
  if (bytes <= memory.with_swap()) return {};
  return splat::Error{fmt::format("{} needs {} of memory more, and {} are available{}: {}", work, human_bytes(bytes),
                                  human_bytes(memory.with_swap()), limit_in_brackets(memory), kWhatFreesMemory)};
}

}  // namespace app
