#include "io/splats/ksplat/ksplat.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/names.h"
#include "io/read_rows.h"
#include "io/splats/common/checks.h"
#include "io/splats/common/codec.h"
#include "splat/core/half.h"
#include "splat/core/memory_guard.h"
#include "splat/core/parallel.h"

namespace io {

namespace {

constexpr size_t kHeaderBytes = 4096, kSectionHeaderBytes = 1024;
constexpr size_t kBucketBytes = 12;  // a centre
constexpr float kDefaultHarmonicRange = 1.5f;
constexpr uint32_t kDefaultSteps = 32767;
constexpr int kMaxDegree = 2;
constexpr size_t kChunkRows = size_t(1) << 14;  // read and decoded by one thread at a time

struct Header {
  uint8_t major = 0, minor = 0;
  uint32_t sections = 0;
  int level = 0;  // of compression
  float sh_low = 0, sh_high = 0;
};

Header parse_header(const char* bytes) {
  Header header;
  header.major = uint8_t(bytes[0]);
  header.minor = uint8_t(bytes[1]);
  header.sections = load<uint32_t>(bytes + 4);
  header.level = load<uint16_t>(bytes + 20);
  header.sh_low = load<float>(bytes + 36);
  header.sh_high = load<float>(bytes + 40);
  if (header.sh_low == 0) header.sh_low = -kDefaultHarmonicRange;  // older files say nothing
  if (header.sh_high == 0) header.sh_high = kDefaultHarmonicRange;
  return header;
}

struct Section {
  uint64_t splats = 0, room = 0;  // room: records that it takes in the file
  uint32_t bucket_capacity = 0, buckets = 0, full_buckets = 0, partial_buckets = 0;
  float block_size = 0;
  uint32_t bucket_bytes = 0, steps = 0;
  int sh_degree = 0;
  uint64_t start = 0;  // in the file
  size_t record_bytes = 0;
  std::vector<uint32_t> partial_ends{};  // splats before the end of each bucket that is not full
  std::vector<std::array<float, 3>> centres{};

  uint64_t records() const { return start + partial_buckets * 4ull + uint64_t(bucket_bytes) * buckets; }
  uint64_t end() const { return records() + room * record_bytes; }
};

size_t record_bytes(int level, int sh_degree) {
  constexpr std::array<size_t, 3> kBytes{44, 24, 24}, kHarmonicBytes{4, 2, 1};
  return kBytes[size_t(level)] + kHarmonicBytes[size_t(level)] * 3 * size_t(splat::sh_coefficients(sh_degree) - 1);
}

Section parse_section(const char* bytes) {
  Section section;
  section.splats = load<uint32_t>(bytes);
  section.room = load<uint32_t>(bytes + 4);
  section.bucket_capacity = load<uint32_t>(bytes + 8);
  section.buckets = load<uint32_t>(bytes + 12);
  section.block_size = load<float>(bytes + 16);
  section.bucket_bytes = load<uint16_t>(bytes + 20);
  section.steps = load<uint32_t>(bytes + 24);
  section.full_buckets = load<uint32_t>(bytes + 32);
  section.partial_buckets = load<uint32_t>(bytes + 36);
  section.sh_degree = load<uint16_t>(bytes + 40);
  if (section.steps == 0) section.steps = kDefaultSteps;
  if (section.splats == 0) section.splats = section.room;  // some writers fill in the room alone
  return section;
}

class KsplatReader {
 public:
  explicit KsplatReader(ByteStream& stream) : stream_(stream) {}

  Result<SplatFile> read() {
    SPLAT_TRY(read_headers());
    SplatFile file;
    file.kind = SplatFormat::kKsplat;
    file.format = "KSPLAT version " + std::to_string(header_.major) + "." + std::to_string(header_.minor) +
                  " (compression level " + std::to_string(header_.level) + ")";
    uint64_t splats = 0;
    for (Section& section : sections_) {
      if (header_.level > 0 && section.splats > 0) SPLAT_TRY(read_buckets(section));
      splats += section.splats;
      file.stored_sh_degree = std::max(file.stored_sh_degree, section.sh_degree);
    }
    file.gaussians.sh_degree = file.stored_sh_degree;
    splat::MemoryGuard::ask_for_model(size_t(splats), file.gaussians.sh_degree);
    file.gaussians.resize(size_t(splats));
    size_t row = 0;
    for (const Section& section : sections_) {
      SPLAT_TRY(read_records(section, row, file.gaussians));
      row += size_t(section.splats);
    }
    check_splats(file);
    return file;
  }

 private:
  Error corrupt(const std::string& problem) const {
    return Error{"'" + stream_.name() + "' is no usable KSPLAT file: " + problem + " (truncated or corrupt)"};
  }

  // Everything that the sizes of later reads depend on is checked against the file's size here.
  Status read_headers() {
    std::vector<char> scratch;
    SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream_.peek_header(kHeaderBytes));
    header_ = parse_header(start.data());
    if (header_.major != 0 || header_.minor < 1)
      return Error{"'" + stream_.name() + "' is a KSPLAT file of version " + std::to_string(header_.major) + "." +
                   std::to_string(header_.minor) + "; hipsplat knows version 0.1"};
    if (header_.level > 2) return corrupt("compression level " + std::to_string(header_.level) + " is unknown");
    if (!std::isfinite(header_.sh_low) || !std::isfinite(header_.sh_high))
      return corrupt("the range of its spherical harmonics is not finite");
    uint64_t position = kHeaderBytes + uint64_t(header_.sections) * kSectionHeaderBytes;
    if (position > stream_.size()) return corrupt("its " + std::to_string(header_.sections) + " sections do not fit");
    for (uint32_t i = 0; i < header_.sections; ++i) {
      SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes,
                             stream_.read_at(kHeaderBytes + i * kSectionHeaderBytes, kSectionHeaderBytes, scratch));
      Section section = parse_section(bytes.data());
      section.start = position;
      SPLAT_TRY(check_section(section, i));
      position = section.end();
      sections_.push_back(std::move(section));
    }
    return {};
  }

  Status check_section(Section& section, uint32_t index) const {
    const std::string name = "section " + std::to_string(index);
    if (section.sh_degree > kMaxDegree)
      return corrupt(name + " has spherical harmonics of degree " + std::to_string(section.sh_degree));
    section.record_bytes = record_bytes(header_.level, section.sh_degree);
    if (section.splats > section.room) return corrupt(name + " claims more splats than it has room for");
    if (section.end() > stream_.size()) return corrupt("the file ends inside " + name);
    if (header_.level == 0 || section.splats == 0) return {};
    if (section.bucket_bytes < kBucketBytes || section.bucket_capacity == 0 || !std::isfinite(section.block_size) ||
        uint64_t(section.full_buckets) + section.partial_buckets > section.buckets)
      return corrupt(name + " has buckets that make no sense");
    return {};
  }

  Status read_buckets(Section& section) const {
    std::vector<char> scratch;
    const size_t bytes = size_t(section.records() - section.start);
    SPLAT_ASSIGN_OR_RETURN(const std::string_view table, stream_.read_at(section.start, bytes, scratch));
    uint64_t splats = uint64_t(section.full_buckets) * section.bucket_capacity;
    for (uint32_t i = 0; i < section.partial_buckets; ++i) {
      splats += load<uint32_t>(table.data() + 4 * i);
      section.partial_ends.push_back(uint32_t(std::min<uint64_t>(splats, std::numeric_limits<uint32_t>::max())));
    }
    if (splats < section.splats) return corrupt("its buckets hold fewer splats than its sections");
    const char* centres = table.data() + 4 * size_t(section.partial_buckets);
    for (uint32_t i = 0; i < section.buckets; ++i) {
      std::array<float, 3> centre{};
      std::memcpy(centre.data(), centres + size_t(i) * section.bucket_bytes, sizeof centre);
      section.centres.push_back(centre);
    }
    return {};
  }

  // The bucket of a section's splat; read_buckets() has seen to it that there is one.
  static size_t bucket_of(const Section& section, size_t splat) {
    if (splat / section.bucket_capacity < section.full_buckets) return splat / section.bucket_capacity;
    const auto& ends = section.partial_ends;
    return section.full_buckets + size_t(std::upper_bound(ends.begin(), ends.end(), splat) - ends.begin());
  }

  Status read_records(const Section& section, size_t first_row, Gaussians& model) {
    const RowRange records{section.records(), section.record_bytes, size_t(section.splats), kChunkRows};
    return read_rows(stream_, records, pool_, [&](const char* bytes, size_t first, size_t rows) {
      for (size_t i = 0; i < rows; ++i)
        decode(section, bytes + i * section.record_bytes, first + i, first_row + first + i, model);
    });
  }

  void decode(const Section& section, const char* record, size_t splat, size_t row, Gaussians& model) const {
    const bool whole = header_.level == 0;
    const size_t width = whole ? 4 : 2;  // bytes of a number
    const auto number = [&](size_t i) {
      return whole ? load<float>(record + 4 * i) : splat::float_from_half(load<uint16_t>(record + 2 * i));
    };
    float* mean = model.means.data() + 3 * row;
    float* sh = model.sh.data() + row * size_t(model.coefficients()) * 3;
    for (size_t i = 0; i < 3; ++i) {
      mean[i] = whole ? number(i) : position(section, splat, i, load<uint16_t>(record + 2 * i));
      model.log_scales[3 * row + i] = std::log(number(3 + i));
    }
    for (size_t i = 0; i < 4; ++i) model.quats[4 * row + i] = number(6 + i);  // wxyz
    const auto* rgba = reinterpret_cast<const uint8_t*>(record + 10 * width);
    for (size_t i = 0; i < 3; ++i) sh[i] = (float(rgba[i]) / 255.0f - 0.5f) / kSh0;
    model.logit_opacities[row] = logit_of_byte(rgba[3]);
    decode_harmonics(section.sh_degree, record + 10 * width + 4, sh);
  }

  float position(const Section& section, size_t splat, size_t axis, uint16_t stored) const {
    const float step = section.block_size / 2 / float(section.steps);
    return (float(stored) - float(section.steps)) * step + section.centres[bucket_of(section, splat)][axis];
  }

  // Band by band, each by channel; coefficient-major in memory.
  void decode_harmonics(int degree, const char* bytes, float* sh) const {
    size_t next = 0;
    for (int band = 1; band <= degree; ++band) {
      const size_t first = size_t(band * band), count = size_t(2 * band + 1);
      for (size_t channel = 0; channel < 3; ++channel)
        for (size_t k = 0; k < count; ++k) sh[3 * (first + k) + channel] = harmonic(bytes, next++);
    }
  }
  float harmonic(const char* bytes, size_t i) const {
    if (header_.level == 0) return load<float>(bytes + 4 * i);
    if (header_.level == 1) return splat::float_from_half(load<uint16_t>(bytes + 2 * i));
    return header_.sh_low + (header_.sh_high - header_.sh_low) * float(uint8_t(bytes[i])) / 255.0f;
  }

  ByteStream& stream_;
  splat::ThreadPool pool_;
  Header header_;
  std::vector<Section> sections_;
};

}  // namespace

bool looks_like_ksplat(std::string_view start, uint64_t file_bytes) {
  if (start.size() < kHeaderBytes + kSectionHeaderBytes) return false;
  const Header header = parse_header(start.data());
  if (header.major != 0 || header.minor != 1 || header.level > 2 || header.sections == 0) return false;
  if (start[2] != 0 || start[3] != 0 || header.sections > file_bytes / kSectionHeaderBytes) return false;
  Section section = parse_section(start.data() + kHeaderBytes);
  if (section.sh_degree > kMaxDegree) return false;
  section.start = kHeaderBytes + uint64_t(header.sections) * kSectionHeaderBytes;
  section.record_bytes = record_bytes(header.level, section.sh_degree);
  return section.splats <= section.room && section.end() <= file_bytes;
}

Result<SplatFile> read_ksplat(ByteStream& stream) { return KsplatReader(stream).read(); }

}  // namespace io
