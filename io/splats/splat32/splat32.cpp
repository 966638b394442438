#include "io/splats/splat32/splat32.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "io/atomic_file.h"
#include "io/names.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/codec.h"
#include "splat/core/memory_guard.h"
#include "splat/core/parallel.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr size_t kBlockRows = size_t(1) << 15;  // 1 MB of records
constexpr size_t kChunkRows = size_t(1) << 12;  // a thread's share

struct Record {
  float mean[3], scale[3];
  uint8_t rgba[4], quat[4];
};
static_assert(sizeof(Record) == kSplat32Bytes);

void decode(const Record& record, Gaussians& model, size_t row) {
  for (size_t i = 0; i < 3; ++i) {
    model.means[3 * row + i] = record.mean[i];
    model.log_scales[3 * row + i] = std::log(record.scale[i]);
    model.sh[3 * row + i] = (float(record.rgba[i]) / 255.0f - 0.5f) / kSh0;
  }
  model.logit_opacities[row] = logit_of_byte(record.rgba[3]);
  std::array<float, 4> quat{};
  for (size_t i = 0; i < 4; ++i) quat[i] = (float(record.quat[i]) - 128.0f) / 128.0f;
  quat = normalised(quat.data());
  std::copy(quat.begin(), quat.end(), model.quats.begin() + ptrdiff_t(4 * row));
}

Record encode(const Gaussians& model, size_t row) {
  Record record{};
  const float* colour = model.sh.data() + row * size_t(model.coefficients()) * 3;
  const std::array<float, 4> quat = normalised(model.quats.data() + 4 * row);
  for (size_t i = 0; i < 3; ++i) {
    record.mean[i] = model.means[3 * row + i];
    record.scale[i] = std::exp(without_infinity(model.log_scales[3 * row + i]));
    record.rgba[i] = to_byte(0.5f + kSh0 * colour[i]);
  }
  record.rgba[3] = to_byte(sigmoid(model.logit_opacities[row]));
  for (size_t i = 0; i < 4; ++i)
    record.quat[i] = uint8_t(std::clamp(std::round(quat[i] * 128.0f) + 128.0f, 0.0f, 255.0f));
  return record;
}

// Rows by falling volume times opacity; equal ones stay in their order.
std::vector<uint32_t> by_importance(const Gaussians& model, const WritableRows& rows, splat::ThreadPool& pool) {
  std::vector<float> importance(rows.size());
  pool.for_chunks(rows.size(), kChunkRows, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      const float* scale = model.log_scales.data() + 3 * rows[i];
      importance[i] =
          scale[0] + scale[1] + scale[2] + std::log(sigmoid(without_infinity(model.logit_opacities[rows[i]])));
    }
  });
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return importance[a] > importance[b]; });
  return order;
}

// Whether a splat could be so: a finite place that floats can tell from its neighbours, a size, and about a unit
// quaternion. Text and other programs' data are not.
bool is_plausible(const Record& record) {
  constexpr float kFarthest = 1e9f, kLargest = 1e6f;
  float largest = 0;
  int length = 0;  // squared, of the quaternion in 1/128
  for (size_t i = 0; i < 3; ++i) {
    if (!(std::abs(record.mean[i]) < kFarthest) || !(record.scale[i] >= 0 && record.scale[i] < kLargest)) return false;
    largest = std::max(largest, record.scale[i]);
  }
  for (const uint8_t byte : record.quat) length += (int(byte) - 128) * (int(byte) - 128);
  constexpr int kShort = 77 * 77, kLong = 141 * 141;  // 0.6 to 1.1: not every program makes it a unit
  return largest > 0 && length > kShort && length < kLong;
}

// A file of this format has no mark: that most of its records could be splats is all that tells it from any bytes.
Status check_plausible(size_t plausible, SplatFile& file, const std::string& name) {
  const size_t rows = file.gaussians.size();
  if (2 * plausible < rows)
    return Error{"'" + name +
                 "' does not look like splats, whatever its name says: " + std::to_string(rows - plausible) +
                 " of its " + std::to_string(rows) + " records have positions, sizes or rotations that no splat has"};
  if (rows - plausible > rows / 10)
    file.warnings.push_back(std::to_string(rows - plausible) + " of " + std::to_string(rows) +
                            " splats have positions, sizes or rotations that no program writes: the file may be "
                            "damaged, or no .splat");
  return {};
}

}  // namespace

Result<SplatFile> read_splat32(ByteStream& stream) {
  if (stream.size() % kSplat32Bytes != 0)
    return Error{"'" + stream.name() + "' is not a .splat file: its " + std::to_string(stream.size()) +
                 " bytes are no multiple of 32, the size of a splat (truncated, or another format)"};
  SplatFile file;
  file.kind = SplatFormat::kSplat;
  file.format = ".splat (32 bytes a splat)";
  Gaussians& model = file.gaussians;
  splat::MemoryGuard::ask_for_model(size_t(stream.size() / kSplat32Bytes), model.sh_degree);
  model.resize(size_t(stream.size() / kSplat32Bytes));
  splat::ThreadPool pool;
  std::vector<size_t> plausible(size_t(pool.threads()));
  for (size_t row = 0; row < model.size();) {
    const size_t rows = std::min(kBlockRows, model.size() - row);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes, stream.peek(rows * kSplat32Bytes));
    pool.for_chunks(rows, kChunkRows, [&](size_t begin, size_t end, int thread) {
      for (size_t i = begin; i < end; ++i) {
        Record record;
        std::memcpy(&record, bytes.data() + i * kSplat32Bytes, sizeof record);
        decode(record, model, row + i);
        plausible[size_t(thread)] += is_plausible(record);
      }
    });
    stream.advance(bytes.size());
    row += rows;
  }
  SPLAT_TRY(check_plausible(std::accumulate(plausible.begin(), plausible.end(), size_t(0)), file, stream.name()));
  check_splats(file);
  return file;
}

Result<SplatWriteReport> write_splat32(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                       const SplatWriteOptions& options) {
  const WritableRows rows(model);
  splat::ThreadPool pool(options.threads);
  const std::vector<uint32_t> order = by_importance(model, rows, pool);
  AtomicFile file(path);
  std::vector<Record> block(std::min(kBlockRows, rows.size()));
  for (size_t i = 0; i < rows.size() && !file.failed();) {
    const size_t count = std::min(kBlockRows, rows.size() - i);
    pool.for_chunks(count, kChunkRows, [&](size_t begin, size_t end, int) {
      for (size_t k = begin; k < end; ++k) block[k] = encode(model, rows[order[i + k]]);
    });
    file.write(std::as_bytes(std::span(block.data(), count)));
    i += count;
    if (options.progress) options.progress(double(i) / double(rows.size()));
  }
  SPLAT_TRY(file.commit());
  SplatWriteReport report = rows.report();
  constexpr float kMostColour = 0.5f / kSh0, kHalfStep = kMostColour / 255;
  note_clamped(model, rows,
               {.colour = {-kMostColour, kMostColour, kHalfStep}, .harmonics = {}, .log_scale = {}, .sh_degree = 0},
               ".splat", report);
  note_lost_info(info, {}, ".splat", report);
  return report;
}

}  // namespace io
