#include "io/splats/predicted_size.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/system_file.h"
#include "splat/model/gaussian_rows.h"

namespace io {

namespace fs = std::filesystem;
using splat::Gaussians;
using splat::Result;

namespace {

constexpr size_t kRun = 256, kRuns = 32;  // rows that stay together, as in a chunk of a compressed PLY; of a sample

Gaussians half_of(const Gaussians& sample) {  // every second run
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < sample.size(); ++row)
    if (row / kRun % 2 == 0) rows.push_back(uint32_t(row));
  return splat::gather_rows(sample, rows);
}

// By a random name, under which no other user can have laid a link: the folder is shared.
fs::path temporary_file(std::string_view extension) {
  std::error_code code;
  std::random_device random;
  return fs::temp_directory_path(code) /
         ("hipsplat-size-" + std::to_string(system_file::process_id()) + "-" + std::to_string(random()) + "-" +
          std::to_string(random()) + std::string(extension));
}

Result<uint64_t> written_bytes(const SplatFormatEntry& format, const Gaussians& splats, size_t of, int max_sh_degree) {
  std::error_code code;
  const fs::path path = temporary_file(format.output_extensions.front());
  const auto report = format.write(path, splats, {}, {.max_sh_degree = max_sh_degree, .sample_of = of});
  const uintmax_t bytes = report ? fs::file_size(path, code) : 0;
  fs::remove(path, code);
  if (!report) return report.error();
  return uint64_t(bytes);
}

}  // namespace

SizeSample size_sample(const Gaussians& model, const std::function<bool(size_t row)>& written) {
  SizeSample sample;
  for (size_t row = 0; row < model.size(); ++row) sample.of += written(row);
  const size_t runs = (sample.of + kRun - 1) / kRun, taken = std::min(runs, kRuns);
  std::vector<uint32_t> rows;
  for (size_t row = 0, place = 0, run = 0; row < model.size() && run < taken; ++row) {
    if (!written(row)) continue;
    const size_t first = run * runs / taken * kRun;
    if (place >= first) rows.push_back(uint32_t(row));
    if (++place == first + kRun) ++run;
  }
  sample.splats = splat::gather_rows(model, rows);
  return sample;
}

Result<uint64_t> predicted_bytes(const SplatFormatEntry& format, const SizeSample& sample, int max_sh_degree) {
  const size_t rows = sample.splats.size();
  SPLAT_ASSIGN_OR_RETURN(const uint64_t all, written_bytes(format, sample.splats, sample.of, max_sh_degree));
  if (rows >= sample.of) return all;
  const Gaussians half = half_of(sample.splats);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t less, written_bytes(format, half, sample.of, max_sh_degree));
  const double each = (double(all) - double(less)) / double(rows - half.size());
  return all + uint64_t(std::max(each, 0.0) * double(sample.of - rows));
}

}  // namespace io
