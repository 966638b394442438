#include "io/splats/common/zip_archive.h"

#include <zip.h>

#include <algorithm>

#include "io/names.h"
#include "io/text.h"

namespace io {

namespace {

std::string text_of(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

void ZipReader::Close::operator()(zip* archive) const { zip_discard(archive); }

Result<ZipReader> ZipReader::open(std::string_view bytes, const std::string& name) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!archive) {
    if (source) zip_source_free(source);
    return Error{"'" + name + "' is no usable zip archive (" + text_of(error) + "): truncated or corrupt"};
  }
  zip_error_fini(&error);
  return ZipReader(archive, bytes.size(), name);
}

std::vector<std::string> zip_names(const std::filesystem::path& path) {
  std::vector<std::string> names;
  int code = 0;
  zip_t* archive = zip_open(path.string().c_str(), ZIP_RDONLY, &code);
  if (!archive) return names;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i)
    if (const char* name = zip_get_name(archive, zip_uint64_t(i), 0)) names.emplace_back(name);
  zip_discard(archive);
  return names;
}

std::vector<std::string> ZipReader::find(std::string_view file_name) const {
  std::vector<std::string> found;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* raw = zip_get_name(archive_.get(), zip_uint64_t(i), ZIP_FL_ENC_RAW);
    if (!raw) continue;
    const std::string_view entry = raw;
    const size_t slash = entry.find_last_of("/\\");
    if (entry.substr(slash == std::string_view::npos ? 0 : slash + 1) == file_name) found.emplace_back(entry);
  }
  return found;
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i)
    if (const char* name = zip_get_name(archive_.get(), zip_uint64_t(i), ZIP_FL_ENC_RAW)) names.emplace_back(name);
  return names;
}

Result<std::string> ZipReader::read(const std::string& entry) const {
  const auto refused = [&](const std::string& why) {
    return Error{"'" + name_ + "': the entry " + in_quotes(entry) + " of the zip archive " + why};
  };
  zip_stat_t stat;
  zip_stat_init(&stat);
  std::string windows = entry;
  std::replace(windows.begin(), windows.end(), '/', '\\');
  if (zip_stat(archive_.get(), entry.c_str(), ZIP_FL_ENC_RAW, &stat) != 0 &&
      zip_stat(archive_.get(), windows.c_str(), ZIP_FL_ENC_RAW, &stat) != 0)
    return refused("is missing");
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE)
    return refused("is encrypted");
  constexpr uint64_t kMostUnpacked = 16, kSlackBytes = uint64_t(1) << 20;
  if (!(stat.valid & ZIP_STAT_SIZE) || stat.size > kMostUnpacked * archive_bytes_ + kSlackBytes)
    return refused("claims to be absurdly large");
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive_.get(), stat.index, 0));
  if (!file) return refused("cannot be read (" + std::string(zip_strerror(archive_.get())) + ")");
  std::string bytes(size_t(stat.size), '\0');
  for (size_t have = 0; have < bytes.size();) {
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + have, bytes.size() - have);
    if (got <= 0) return refused("is truncated or corrupt");
    have += size_t(got);
  }
  char after = 0;  // reading on to the end makes libzip compare the checksum
  if (zip_fread(file.get(), &after, 1) != 0) return refused("is corrupt: its checksum does not fit");
  return bytes;
}

namespace {

bool add_entry(zip_t* archive, const ZipEntry& entry) {
  zip_source_t* source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
  if (!source) return false;
  const zip_int64_t index = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  constexpr zip_uint16_t kFirstDay = (1 << 5) | 1;  // 1 January 1980: the date must not make two runs differ
  return zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, zip_uint64_t(index), 0, kFirstDay, 0) == 0;
}

Result<std::string> bytes_of(zip_source_t* source) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0) return Error{"libzip lost its archive"};
  std::string bytes(size_t(stat.size), '\0');
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got < 0 || uint64_t(got) != bytes.size()) return Error{"libzip lost its archive"};
  return bytes;
}

}  // namespace

Result<std::string> make_zip(const std::vector<ZipEntry>& entries) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_TRUNCATE, &error) : nullptr;
  if (!archive) {
    if (source) zip_source_free(source);
    return Error{"no zip archive can be made: " + text_of(error)};
  }
  zip_error_fini(&error);
  zip_source_keep(source);  // survives zip_close()
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(source, zip_source_free);
  bool good = true;
  for (const ZipEntry& entry : entries) good = good && add_entry(archive, entry);
  if (!good || zip_close(archive) != 0) {
    const std::string why = zip_strerror(archive);
    zip_discard(archive);
    return Error{"no zip archive can be made: " + why};
  }
  return bytes_of(source);
}

}  // namespace io
