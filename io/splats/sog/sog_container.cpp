#include "io/splats/sog/sog_container.h"

#include <algorithm>

#include "io/bytes.h"
#include "io/names.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxMetaBytes = uint64_t(16) << 20;

// meta.json names files beside it, nothing else: a file from elsewhere must not be opened.
bool is_plain_name(const std::string& file) {
  const auto odd = [](unsigned char c) { return c < ' ' || c == '/' || c == '\\' || c == ':'; };
  return !file.empty() && file != "." && file != ".." && std::none_of(file.begin(), file.end(), odd);
}

}  // namespace

Result<SogContainer> SogContainer::open(ByteStream& stream) {
  SogContainer container;
  container.name_ = stream.name();
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(4));
  if (!start.starts_with("PK")) {
    if (stream.size() > kMaxMetaBytes) return Error{"'" + stream.name() + "' is too large for the meta.json of a SOG"};
    SPLAT_ASSIGN_OR_RETURN(const std::string_view text, stream.peek(size_t(stream.remaining())));
    container.meta_ = text;
    container.folder_ = fs::path(stream.name()).parent_path();
    return container;
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string_view bytes, stream.peek(size_t(stream.remaining())));
  SPLAT_ASSIGN_OR_RETURN(container.zip_, ZipReader::open(bytes, stream.name()));
  const std::optional<std::string> meta = container.zip_->find("meta.json");
  if (!meta) {
    const bool streamed = container.zip_->find("lod-meta.json").has_value();
    return Error{
        "'" + stream.name() + "' is a zip archive without meta.json" +
        (streamed ? ", a streamed SOG of several levels of detail; export it as a single SOG" : ": not a SOG file")};
  }
  container.prefix_ = meta->substr(0, meta->size() - std::string_view("meta.json").size());
  SPLAT_ASSIGN_OR_RETURN(container.meta_, container.zip_->read(*meta));
  return container;
}

Result<std::string> SogContainer::read(const std::string& file) const {
  if (!is_plain_name(file))
    return Error{"'" + name_ + "': meta.json names the file " + in_quotes(file) + ", which is not one beside it"};
  return zip_ ? zip_->read(prefix_ + file) : read_file(folder_ / file);
}

}  // namespace io
