#include "io/companion.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "io/byte_stream.h"
#include "io/bytes.h"
#include "io/names.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr size_t kNotedWithin = 4096;
constexpr size_t kStampedBytes = size_t(1) << 20;

uLong add_to_crc(uLong crc, std::string_view bytes) {
  return ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

std::string stamp_text(uint64_t bytes, uLong crc) { return fmt::format("{}-{:08x}", bytes, uint32_t(crc)); }

}  // namespace

Status check_place_of_file(const fs::path& target) {
  std::error_code code;
  const fs::file_status status = fs::status(target, code);
  if (!fs::exists(status) || fs::is_regular_file(status)) return {};
  const Error error = check_regular(target).error();
  return Error{error.message + ": choose another name for the output"};
}

std::string stamp_of(std::string_view bytes) { return stamp_text(bytes.size(), add_to_crc(0, bytes)); }

std::string stamp_of_file(const fs::path& path) {
  auto stream = ByteStream::open(path);
  if (!stream) return "";
  uLong crc = 0;
  while (stream->remaining() > 0) {
    const auto block = stream->peek(kStampedBytes);
    if (!block || block->empty()) return "";
    crc = add_to_crc(crc, *block);
    stream->advance(block->size());
  }
  return stamp_text(stream->size(), crc);
}

Error not_of(const fs::path& companion, const fs::path& main, const Beside& beside) {
  return Error{fmt::format(
      "'{}' is there already and was not written with '{}', which would replace it: move it away or choose another "
      "name{}",
      companion.string(), main.filename().string(), beside.otherwise)};
}

Status check_companion(const fs::path& companion, const fs::path& main, std::string_view stamp, const Beside& beside) {
  std::error_code code;
  const fs::file_status status = fs::status(companion, code);
  if (!fs::exists(status)) return {};
  SPLAT_TRY(check_regular(companion));
  if (beside.replace || fs::file_size(companion, code) == 0) return {};
  if (!stamp.empty() && stamp == stamp_of_file(companion)) return {};
  return not_of(companion, main, beside);
}

std::string noted_in(const fs::path& file, std::string_view before, char end) {
  auto stream = ByteStream::open(file);
  if (!stream) return "";
  const auto start = stream->peek(kNotedWithin);
  if (!start) return "";
  const size_t at = start->find(before);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = start->substr(at + before.size());
  return std::string(rest.substr(0, std::min(rest.find(end), rest.size())));
}

}  // namespace io
