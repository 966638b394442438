#include "app/jobs/training/disk_plan.h"

#include <sys/statvfs.h>

#include <limits>

#include "io/io.h"
#include "io/splats/formats.h"
#include "splat/model/gaussians.h"

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kStatisticsBytes = 12;       // of a splat in a checkpoint
constexpr uint64_t kCheckpointBytes = 20'000;   // settings and history
constexpr uint64_t kBytesPerPoint = 27;         // of input.ply
constexpr uint64_t kBytesPerView = 400;         // of cameras.json
constexpr uint64_t kSmallFilesBytes = 8'000;    // config.json, cfg_args, log.txt
constexpr uint64_t kReportBytes = 2'000'000;    // with pictures of held-out views
constexpr uint64_t kCompactBytesPerSplat = 64;  // of formats that round; most take less

uint64_t splat_file_bytes(const RunOutput& output, uint64_t splats, int sh_degree) {
  const uint64_t ply = (3 + uint64_t(splat::parameters_per_splat(sh_degree))) * sizeof(float);  // and a normal
  if (!output.single_file()) return splats * ply;
  const auto format = io::splat_format_by_extension(output.target());
  const bool exact = format && *format && io::splat_format(**format).loss.empty();
  return splats * (exact ? ply : kCompactBytesPerSplat);
}

uint64_t checkpoint_bytes(uint64_t splats, int sh_degree) {
  return kCheckpointBytes +
         splats * (3 * uint64_t(splat::parameters_per_splat(sh_degree)) * sizeof(float) + kStatisticsBytes);
}

}  // namespace

uint64_t free_disk_bytes(const fs::path& path) {
  std::error_code code;
  fs::path existing = path.empty() ? fs::path(".") : path;
  while (!fs::exists(existing, code)) {
    const fs::path parent = existing.parent_path();
    existing = parent.empty() || parent == existing ? fs::path(".") : parent;
  }
  struct statvfs disk {};
  if (::statvfs(existing.c_str(), &disk) != 0 || disk.f_blocks == 0) return std::numeric_limits<uint64_t>::max();
  return uint64_t(disk.f_bavail) * disk.f_frsize;
}

DiskPlan plan_disk(const RunOutput& output, const splat::Dataset& dataset, const DiskNeed& need) {
  DiskPlan plan;
  plan.free_bytes = free_disk_bytes(output.target());
  plan.first_bytes = splat_file_bytes(output, need.starting_splats, need.sh_degree);
  plan.most_bytes = need.splat_files * splat_file_bytes(output, need.most_splats, need.sh_degree);
  if (output.single_file()) return plan;
  const uint64_t small =
      kSmallFilesBytes + dataset.points.size() * kBytesPerPoint + dataset.views.size() * kBytesPerView;
  plan.first_bytes += small + checkpoint_bytes(need.starting_splats, need.sh_degree);
  plan.most_bytes += small + kReportBytes + need.checkpoints * checkpoint_bytes(need.most_splats, need.sh_degree);
  return plan;
}

}  // namespace app
