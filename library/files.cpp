#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/io.h"
#include "library/splat_arrays.h"
#include "library/structs.h"

struct hs_file {
  io::SplatFile file;
  std::string warnings;
  uint64_t identity = 0;
};

namespace library {
namespace {

// Never the same twice.
uint64_t next_identity() {
  static std::atomic<uint64_t> last{uint64_t(1) << 32};  // callers' own numbers are smaller, as a rule
  return ++last;
}

std::unique_ptr<hs_file> load(const char* path) {
  auto file = std::make_unique<hs_file>();
  file->file = value_or_throw(io::read_splat_file(path), HS_ERROR_FILE);
  std::vector<std::string> warnings = file->file.warnings;
  for (const std::string& name : file->file.unread) warnings.push_back("not read: " + name);
  file->warnings = lines_of(warnings);
  file->identity = next_identity();
  return file;
}

hs_splats splats_of(const hs_file& from) {
  const io::SplatFile& file = from.file;
  hs_splats splats{};
  splats.count = file.gaussians.size();
  splats.sh_degree = file.gaussians.sh_degree;
  splats.antialiased = file.antialiased ? 1 : 0;
  splats.means = file.gaussians.means.data();
  splats.quats = file.gaussians.quats.data();
  splats.log_scales = file.gaussians.log_scales.data();
  splats.logit_opacities = file.gaussians.logit_opacities.data();
  splats.sh = file.gaussians.sh.data();
  if (file.view_up) std::copy_n(file.view_up->begin(), 3, splats.up);
  std::copy_n(file.frame.origin.begin(), 3, splats.origin);
  splats.metres_per_unit = file.frame.metres_per_unit;
  splats.epsg = file.frame.epsg;
  splats.flat = file.flat ? 1 : 0;
  splats.identity = from.identity;
  splats.low_pass = low_pass_field(file.low_pass);
  return splats;
}

io::SplatFileInfo info_of(const hs_splats& splats) {
  io::SplatFileInfo info;
  info.antialiased = splats.antialiased == 1;
  info.flat = splats.flat == 1;
  std::array<double, 3> up{};
  std::copy_n(splats.up, 3, up.begin());
  if (up != std::array<double, 3>{}) info.view_up = up;
  std::copy_n(splats.origin, 3, info.frame.origin.begin());
  info.frame.metres_per_unit = splats.metres_per_unit;
  info.frame.epsg = splats.epsg;
  info.low_pass = low_pass_of(splats);
  return info;
}

io::SplatWriteOptions checked(const hs_save_options* given) {
  io::SplatWriteOptions options;
  if (!given) return options;
  const hs_save_options asked = read_struct(given, "options");
  check_threads(asked.threads);
  if (asked.spz_version != 0 && asked.spz_version != 3 && asked.spz_version != 4)
    refuse("spz_version is " + std::to_string(asked.spz_version) + "; it is 3, 4 or 0 (the default)");
  if (asked.spz_version != 0) options.spz_version = asked.spz_version;
  options.threads = asked.threads;
  return options;
}

hs_save_report report_of(const io::SplatWriteReport& done) {
  hs_save_report report{};
  report.written = done.written;
  report.dropped = done.dropped;
  report.adjusted = done.adjusted;
  report.sh_degree = done.sh_degree;
  write_text(report.losses, lines_of(done.losses));
  return report;
}

io::SplatWriteReport save(const char* path, const hs_splats& splats, const io::SplatWriteOptions& options) {
  const io::SplatRows rows{splats.count, splats.sh_degree, [&](size_t first, size_t count, splat::Gaussians& block) {
                             copy_rows(splats, first, count, block);
                           }};
  return value_or_throw(io::write_splat_file(path, rows, info_of(splats), options), HS_ERROR_FILE);
}

}  // namespace
}  // namespace library

extern "C" {

hs_status hs_load(const char* path, hs_file** file) {
  return library::guarded([&] {
    library::check_pointer(file, "file");
    *file = nullptr;
    library::check_pointer(path, "path");
    *file = library::load(path).release();
  });
}

hs_status hs_file_splats(hs_file* file, hs_splats* splats) {
  return library::guarded([&] {
    library::check_pointer(file, "file");
    library::write_struct(splats, library::splats_of(*file), "splats");
  });
}

hs_status hs_file_describe(hs_file* file, hs_file_info* info) {
  return library::guarded([&] {
    library::check_pointer(file, "file");
    const io::SplatFile& of = file->file;
    library::write_struct(info, {0, of.format.c_str(), of.producer.c_str(), file->warnings.c_str(), of.invalid_rows},
                          "info");
  });
}

void hs_file_free(hs_file* file) { delete file; }

hs_status hs_save(const char* path, const hs_splats* splats, const hs_save_options* options, hs_save_report* report) {
  return library::guarded([&] {
    library::check_pointer(path, "path");
    if (report) library::check_size(report, "report");
    const io::SplatWriteReport done = library::save(path, library::checked_splats(splats), library::checked(options));
    if (report) library::write_struct(report, library::report_of(done), "report");
  });
}
}
