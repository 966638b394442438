#include "align/match/matches_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "splat/core/check.h"
#include "splat/core/system.h"

namespace align {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status;

namespace {

constexpr char kMagic[8] = {'h', 's', 'm', 'a', 't', 'c', 'h', '1'};
constexpr size_t kHeaderBytes = sizeof kMagic + sizeof(uint64_t);

struct Record {  // before the matches of a pair
  uint32_t first, second, count;
  uint32_t crc;  // of the matches
};
static_assert(sizeof(Record) == 16 && sizeof(Match) == 8);

uint32_t crc_of(std::span<const Match> matches) {
  return uint32_t(::crc32(0, reinterpret_cast<const Bytef*>(matches.data()), uInt(matches.size_bytes())));
}

std::string header(uint64_t key) {
  std::string bytes(kMagic, sizeof kMagic);
  bytes.append(reinterpret_cast<const char*>(&key), sizeof key);
  return bytes;
}

}  // namespace

Result<MatchesFile> MatchesFile::open(const fs::path& path, uint64_t key) {
  MatchesFile file;
  file.path_ = path;
  std::string begin(kHeaderBytes, '\0');
  std::ifstream stream;
  if (io::check_regular(path)) stream.open(path, std::ios::binary);
  if (!stream.read(begin.data(), std::streamsize(begin.size())) || begin != header(key)) {
    SPLAT_TRY(io::write_file_atomically(path, header(key)));
    file.end_ = kHeaderBytes;
    return file;
  }
  std::error_code code;
  const uint64_t bytes = fs::file_size(path, code);
  SPLAT_TRY(file.read_places(code ? 0 : bytes));
  if (file.end_ < bytes) fs::resize_file(path, file.end_, code);
  return file;
}

Status MatchesFile::read_places(uint64_t file_bytes) {
  std::ifstream stream(path_, std::ios::binary);
  end_ = kHeaderBytes;
  stream.seekg(std::streamoff(end_));
  std::vector<Match> matches;
  for (Record record; stream.read(reinterpret_cast<char*>(&record), sizeof record);) {
    const uint64_t after = end_ + sizeof record, size = uint64_t(record.count) * sizeof(Match);
    if (record.first >= record.second || size > file_bytes - after) break;
    matches.resize(record.count);
    if (!stream.read(reinterpret_cast<char*>(matches.data()), std::streamsize(size))) break;
    if (crc_of(matches) != record.crc) break;
    places_[{record.first, record.second}] = {after, record.count};
    end_ = after + size;
  }
  return {};
}

std::map<ImagePair, uint32_t> MatchesFile::counts() const {
  std::map<ImagePair, uint32_t> counts;
  for (const auto& [pair, place] : places_) counts.emplace_hint(counts.end(), pair, place.count);
  return counts;
}

Result<std::vector<Match>> MatchesFile::read(ImagePair pair) const {
  const Place place = places_.at(pair);
  std::vector<Match> matches(place.count);
  std::ifstream stream(path_, std::ios::binary);
  stream.seekg(std::streamoff(place.offset));
  if (!stream.read(reinterpret_cast<char*>(matches.data()), std::streamsize(matches.size() * sizeof(Match))))
    return Error{"'" + path_.string() + "' can no longer be read: was it changed while hipsplat ran?"};
  return matches;
}

Status MatchesFile::append(std::span<const ColmapDatabase::PairMatches> pairs) {
  std::string bytes;
  std::vector<std::pair<ImagePair, Place>> places;
  for (const ColmapDatabase::PairMatches& pair : pairs) {
    const Record record{pair.pair.first, pair.pair.second, uint32_t(pair.matches.size()), crc_of(pair.matches)};
    bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
    places.push_back({pair.pair, {end_ + bytes.size(), record.count}});
    bytes.append(reinterpret_cast<const char*>(pair.matches.data()), pair.matches.size_bytes());
  }
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  const ssize_t written = fd < 0 ? -1 : ::pwrite(fd, bytes.data(), bytes.size(), off_t(end_));
  const int error = written < 0 ? errno : ENOSPC;
  if (fd >= 0) ::close(fd);
  if (written != ssize_t(bytes.size()))
    return Error{"'" + path_.string() + "' cannot be written: " + splat::error_text(error)};
  places_.insert(places.begin(), places.end());
  end_ += bytes.size();
  return {};
}

}  // namespace align
