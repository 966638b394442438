#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "io/atomic_file.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/ply/ply.h"
#include "io/splats/ply/ply_splat.h"
#include "splat/core/state.h"

namespace io {

namespace fs = std::filesystem;
using splat::PointCloud;

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr size_t kBlockRows = 1024;  // 248 KB at SH degree 3: stays in the L2 cache

std::string header_of(size_t rows, int rest, const SplatFileInfo& info, int degree) {
  std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(rows) + "\n";
  text += ply_comments(info, degree);
  const auto property = [&](const std::string& name) { text += "property float " + name + "\n"; };
  for (const char* name : {"x", "y", "z"})
    text += std::string("property ") + (info.survey ? "double " : "float ") + name + "\n";
  for (const char* name : {"nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"}) property(name);
  for (int i = 0; i < rest; ++i) property("f_rest_" + std::to_string(i));
  for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
    property(name);
  return text + "end_header\n";
}

constexpr size_t kFloatsOfWide = 3 * sizeof(double) / sizeof(float);

float* put_position(const float* mean, const SplatFileInfo& info, float* out) {
  if (!info.survey) return std::copy_n(mean, 3, out);
  std::array<double, 3> wide;
  for (size_t i = 0; i < 3; ++i) wide[i] = double(mean[i]) + info.frame.origin[i];
  std::memcpy(out, wide.data(), sizeof(wide));
  return out + kFloatsOfWide;
}

// One row in INRIA's order; returns the end of it.
float* put_row(const Gaussians& model, size_t row, size_t coefficients, const SplatFileInfo& info, float* out) {
  const float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
  const float* scale = model.log_scales.data() + 3 * row;
  out = put_position(model.means.data() + 3 * row, info, out);
  out = std::fill_n(out, 3, 0.0f);  // the normal, which SIBR's fixed layout expects
  out = std::copy_n(sh, 3, out);
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t k = 1; k < coefficients; ++k) *out++ = sh[3 * k + channel];
  *out++ = without_infinity(model.logit_opacities[row]);
  out = std::transform(scale, scale + 3, out, without_infinity);
  return std::copy_n(model.quats.data() + 4 * row, 4, out);
}

// The header, then rows of one model after another.
class PlyWriter {
 public:
  PlyWriter(const fs::path& path, size_t rows, int degree, const SplatFileInfo& info, const SplatWriteOptions& options)
      : file_(path),
        info_(info),
        options_(options),
        total_(rows),
        coefficients_(size_t(splat::sh_coefficients(degree))) {
    const size_t rest = 3 * (coefficients_ - 1), row_floats = 14 + rest + (info.survey ? kFloatsOfWide : 3);
    const std::string header = header_of(rows, int(rest), info, degree);
    file_.expect(header.size() + uint64_t(rows) * row_floats * sizeof(float));
    file_.write(header);
    block_.resize(kBlockRows * row_floats);
  }

  void write(const Gaussians& model, const WritableRows& rows) {
    for (size_t i = 0; i < rows.size() && !file_.failed();) {
      float* out = block_.data();
      const size_t first = i;
      for (const size_t end = std::min(i + kBlockRows, rows.size()); i < end; ++i)
        out = put_row(model, rows[i], coefficients_, info_, out);
      file_.write(std::as_bytes(std::span(block_.data(), out)));
      written_ += i - first;
      if (options_.progress) options_.progress(double(written_) / double(total_));
    }
  }
  bool failed() const { return file_.failed(); }
  Status commit() { return file_.commit(); }

 private:
  AtomicFile file_;
  const SplatFileInfo& info_;
  const SplatWriteOptions& options_;
  size_t total_, coefficients_, written_ = 0;
  std::vector<float> block_;
};

// Calls visit(block) for one block of rows after another, as long as it returns true.
template <class Visit>
void for_each_block(const SplatRows& splats, const Visit& visit) {
  Gaussians block;
  const size_t at_once = size_t(splat::rows_at_once(splats.count));
  bool go_on = true;
  for (size_t first = 0; go_on && first < splats.count; first += at_once) {
    splats.read(first, std::min(at_once, splats.count - first), block);
    go_on = visit(block);
  }
}

}  // namespace

Result<SplatWriteReport> write_splat_ply(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                         const SplatWriteOptions& options) {
  const WritableRows rows(model);
  PlyWriter writer(path, rows.size(), std::min(model.sh_degree, options.max_sh_degree), info, options);
  writer.write(model, rows);
  SPLAT_TRY(writer.commit());
  return rows.report();
}

Result<SplatWriteReport> write_splat_ply(const fs::path& path, const SplatRows& splats, const SplatFileInfo& info,
                                         const SplatWriteOptions& options) {
  SplatWriteReport report;
  for_each_block(splats, [&](const Gaussians& block) {
    const WritableRows rows(block);
    const SplatWriteReport& part = rows.report();
    report.written += part.written;
    report.dropped += part.dropped;
    report.adjusted += part.adjusted;
    return true;
  });
  if (report.written == 0 && splats.count > 0) return nothing_writable(path, splats.count);
  PlyWriter writer(path, report.written, std::min(splats.sh_degree, options.max_sh_degree), info, options);
  for_each_block(splats, [&](const Gaussians& block) {
    writer.write(block, WritableRows(block));
    return !writer.failed();
  });
  SPLAT_TRY(writer.commit());
  return report;
}

Status write_point_cloud_ply(const fs::path& path, const PointCloud& points) {
  AtomicFile file(path);
  std::string header = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(points.size()) + "\n";
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) header += "property float " + std::string(name) + "\n";
  for (const char* name : {"red", "green", "blue"}) header += "property uchar " + std::string(name) + "\n";
  file.write(header + "end_header\n");
  constexpr size_t kRowBytes = 6 * sizeof(float) + 3;
  std::array<char, kRowBytes> row{};  // normals stay 0
  for (size_t i = 0; i < points.size(); ++i) {
    std::memcpy(row.data(), points.xyz.data() + 3 * i, 3 * sizeof(float));
    std::memcpy(row.data() + 6 * sizeof(float), points.rgb.data() + 3 * i, 3);
    file.write(std::string_view(row.data(), row.size()));
  }
  return file.commit();
}

}  // namespace io
