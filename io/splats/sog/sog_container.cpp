#include "io/splats/sog/sog_container.h"

#include <algorithm>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/json.h"
#include "io/names.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxMetaBytes = uint64_t(16) << 20;

std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

std::string folder_in(const std::string& entry) { return entry.substr(0, entry.find_last_of('/') + 1); }

bool describes_splats(const std::string& meta) {
  const auto root = parse_json(meta, "meta.json");
  return root && root->is_object() && root->contains("means");
}

}  // namespace

bool is_streamed_sog(std::string_view meta) {
  return meta.find("\"lodLevels\"") != std::string_view::npos && meta.find("\"filenames\"") != std::string_view::npos;
}

Result<SogContainer> SogContainer::open(ByteStream& stream) {
  SogContainer container;
  container.name_ = stream.name();
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(4));
  if (!start.starts_with("PK")) {
    if (stream.size() > kMaxMetaBytes) return Error{"'" + stream.name() + "' is too large for the meta.json of a SOG"};
    SPLAT_ASSIGN_OR_RETURN(const std::string_view text, stream.peek(size_t(stream.remaining())));
    container.meta_ = text;
    container.folder_ = fs::path(stream.name()).parent_path();
    container.streamed_ = is_streamed_sog(text);
    return container;
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes, stream.peek(size_t(stream.remaining())));
  SPLAT_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::open(bytes, stream.name()));
  std::vector<std::string> found = zip.find("lod-meta.json");
  container.streamed_ = !found.empty();
  if (found.empty()) found = zip.find("meta.json");
  if (found.empty()) return Error{"'" + stream.name() + "' is a zip archive without meta.json: not a SOG file"};
  for (const std::string& entry : found) {
    SPLAT_ASSIGN_OR_RETURN(container.meta_, zip.read(entry));
    container.prefix_ = folder_in(with_slashes(entry));
    if (container.streamed_ || describes_splats(container.meta_)) break;
  }
  container.zip_ = std::make_shared<const ZipReader>(std::move(zip));
  return container;
}

Result<SogContainer> SogContainer::at(const std::string& meta_file) const {
  SogContainer part = *this;
  part.streamed_ = false;
  SPLAT_ASSIGN_OR_RETURN(part.meta_, read(meta_file));
  const std::string folder = folder_in(with_slashes(meta_file));
  part.prefix_ += folder;
  part.folder_ /= folder;
  part.name_ += ", " + in_quotes(meta_file);
  return part;
}

Result<std::string> SogContainer::read(const std::string& named) const {
  const std::string file = with_slashes(named);
  if (!stays_below(file))
    return Error{"'" + name_ + "': meta.json names the file " + in_quotes(named) +
                 ", which is not one beside it or below its folder"};
  if (zip_) return zip_->read(prefix_ + file);
  Result<std::string> bytes = read_file(folder_ / file);
  if (bytes) *bytes_beside_ += bytes->size();
  return bytes;
}

std::vector<std::string> SogContainer::others(const std::vector<std::string>& read) const {
  std::vector<std::string> names;
  if (!zip_) return names;
  for (const std::string& entry : zip_->names()) {
    const std::string file = with_slashes(entry);
    const fs::path path = file;
    const bool passed_over = std::any_of(path.begin(), path.end(), [](const fs::path& part) {
      return is_passed_over(part.string()) || part.empty();  // empty: behind the last slash of a folder
    });
    const bool is_read = std::any_of(read.begin(), read.end(),
                                     [&](const std::string& name) { return file == prefix_ + with_slashes(name); });
    if (!passed_over && !is_read && last_part(file) != "meta.json") names.push_back("the file " + in_quotes(file));
  }
  return names;
}

}  // namespace io
