#include "align/photos/working_folder.h"

#include <cstdio>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/files_below.h"
#include "io/image_file.h"
#include "io/images/exif.h"

namespace align {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status;

namespace {

constexpr int kQuality = 95;  // of JPEGs made from other formats

enum class Kind { kJpeg, kPng, kOther };

Kind kind_of(const fs::path& path) {
  const std::string extension = io::lower(path.extension().string());
  for (const char* jpeg : {".jpg", ".jpeg", ".jpe", ".jfif"})
    if (extension == jpeg) return Kind::kJpeg;
  return extension == ".png" ? Kind::kPng : Kind::kOther;
}

Status convert(const fs::path& source, const fs::path& target) {
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, io::read_file(source));
  SPLAT_ASSIGN_OR_RETURN(io::ReducedImage read, io::decode_reduced_image(bytes, source.string(), 1));
  splat::Image8& image = read.image;
  io::turn_to_srgb(read, image);
  if (image.channels == 2 || image.channels == 4) {  // without alpha
    const size_t colours = size_t(image.channels) - 1, count = image.pixels.size() / size_t(image.channels);
    for (size_t i = 0; i < count; ++i)
      for (size_t c = 0; c < colours; ++c) image.pixels[i * colours + c] = image.pixels[i * (colours + 1) + c];
    image.channels = int(colours);
    image.pixels.resize(count * colours);
  }
  return io::write_file_atomically(target, io::with_exif_of(bytes, io::encode_jpeg(image, kQuality)));
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

}  // namespace

std::string working_name(const PhotoSet& set, size_t index) {
  char text[32];
  std::snprintf(text, sizeof text, "%06zu%s", index + 1,
                kind_of(set.photos[index].name) == Kind::kPng ? ".png" : ".jpg");
  return text;
}

Status link_or_copy(const fs::path& target, const fs::path& link) {
  std::error_code code;
  const fs::path absolute = fs::weakly_canonical(target, code);
  if (code) return Error{"'" + target.string() + "' cannot be reached: " + code.message()};
  if (fs::is_symlink(fs::symlink_status(link, code))) fs::remove(link, code);
  if (is_there(link)) return {};
  fs::create_symlink(absolute, link, code);
  if (code && !fs::is_directory(absolute)) fs::create_hard_link(absolute, link, code);
  if (code) fs::copy(absolute, link, fs::copy_options::recursive, code);
  if (code) return Error{"'" + link.string() + "' cannot be made: " + code.message()};
  return {};
}

Status make_working_folder(const PhotoSet& set, const fs::path& folder) {
  std::error_code code;
  const fs::path photos = folder / "photos", masks = folder / "masks";
  fs::create_directories(photos, code);
  fs::create_directories(masks, code);
  if (code) return Error{"the folder '" + photos.string() + "' cannot be made: " + code.message()};
  for (size_t i = 0; i < set.photos.size(); ++i) {
    const fs::path source = set.root / set.photos[i].name, target = photos / working_name(set, i);
    if (kind_of(source) != Kind::kOther) {
      SPLAT_TRY(link_or_copy(source, target));
    } else if (!is_there(target)) {
      SPLAT_TRY(convert(source, target));
    }
    if (!set.photos[i].mask.empty())
      SPLAT_TRY(link_or_copy(set.photos[i].mask, masks / (working_name(set, i) + ".png")));  // the name COLMAP wants
  }
  return {};
}

}  // namespace align
