// HEIC and AVIF through libheif, where its header was there when hipsplat was built; the library is loaded when the
// first such file is read. Debian's brings an encoder under the GPL along, so that no package of ours holds it. What a
// file says about turning and cropping is part of the picture and is carried out; the orientation in its Exif repeats
// that and means nothing.
#include "io/images/codecs.h"
#include "io/images/colour_profile.h"
#include "io/images/heif_references.h"
#include "splat/core/printable.h"

#ifdef HIPSPLAT_HEIF
#include <libheif/heif.h>

#include <memory>
#if !defined(_WIN32)
#include <dlfcn.h>
#endif
#endif

namespace io::codec {

using splat::Error, splat::Image8, splat::Result;

bool is_heif(std::string_view bytes) {
  if (bytes.size() < 12 || bytes.substr(4, 4) != "ftyp") return false;
  const std::string_view brand = bytes.substr(8, 4);
  for (const char* known : {"heic", "heix", "heim", "heis", "mif1", "msf1", "avif"})
    if (brand == known) return true;
  return false;
}

#ifdef HIPSPLAT_HEIF

namespace {

#define HIPSPLAT_HEIF_FUNCTIONS(F)                \
  F(context_alloc);                               \
  F(context_free);                                \
  F(context_set_maximum_image_size_limit);        \
  F(context_read_from_memory_without_copy);       \
  F(context_get_primary_image_handle);            \
  F(image_handle_release);                        \
  F(image_release);                               \
  F(image_handle_get_width);                      \
  F(image_handle_get_height);                     \
  F(image_handle_has_alpha_channel);              \
  F(decode_image);                                \
  F(image_get_plane_readonly);                    \
  F(image_get_width);                             \
  F(image_get_height);                            \
  F(image_handle_get_list_of_metadata_block_IDs); \
  F(image_handle_get_metadata_size);              \
  F(image_handle_get_metadata);                   \
  F(image_handle_get_color_profile_type);         \
  F(image_handle_get_raw_color_profile_size);     \
  F(image_handle_get_raw_color_profile);          \
  F(image_handle_get_nclx_color_profile);         \
  F(nclx_color_profile_free)

struct LibHeif {
#define HIPSPLAT_F(name) decltype(&::heif_##name) name = nullptr
  HIPSPLAT_HEIF_FUNCTIONS(HIPSPLAT_F);
#undef HIPSPLAT_F
  bool there = true;
};

LibHeif load_heif() {
  LibHeif heif;
#if defined(_WIN32)
#define HIPSPLAT_F(name) heif.name = &::heif_##name
#else
  void* const library = ::dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto find = [&]<class F>(const char* name, F& function) {
    if (library) function = F(::dlsym(library, name));
    heif.there = heif.there && function;
  };
#define HIPSPLAT_F(name) find("heif_" #name, heif.name)
#endif
  HIPSPLAT_HEIF_FUNCTIONS(HIPSPLAT_F);
#undef HIPSPLAT_F
  return heif;
}
const LibHeif& heif() {
  static const LibHeif loaded = load_heif();
  return loaded;
}

struct FreeHeif {
  void operator()(heif_context* context) const { heif().context_free(context); }
  void operator()(heif_image_handle* handle) const { heif().image_handle_release(handle); }
  void operator()(heif_image* image) const { heif().image_release(image); }
};
using HeifContext = std::unique_ptr<heif_context, FreeHeif>;
using HeifHandle = std::unique_ptr<heif_image_handle, FreeHeif>;
using HeifPicture = std::unique_ptr<heif_image, FreeHeif>;

// libheif's messages may hold the bytes that it did not understand.
Error heif_problem(const std::string& name, const heif_error& error) {
  const std::string message = splat::printable(error.message);
  if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype)
    return Error{"'" + name + "' needs a decoder that libheif lacks here (" + message +
                 "): on Ubuntu install libheif-plugin-libde265, or convert it to JPEG"};
  return broken(name, "HEIC", message);
}

struct HeifFile {
  std::unique_ptr<std::string> mended;  // the bytes where they had to be changed
  HeifContext context;                  // refers to the bytes
  HeifHandle picture;                   // the main one
};

heif_error read_heif(std::string_view bytes, HeifFile& file) {
  file.picture.reset();
  file.context.reset(heif().context_alloc());
  heif().context_set_maximum_image_size_limit(file.context.get(), kMaxSide);
  heif_error error =
      heif().context_read_from_memory_without_copy(file.context.get(), bytes.data(), bytes.size(), nullptr);
  heif_image_handle* handle = nullptr;
  if (error.code == heif_error_Ok) error = heif().context_get_primary_image_handle(file.context.get(), &handle);
  file.picture.reset(handle);
  return error;
}

Result<HeifFile> open_heif(std::string_view bytes, const std::string& name) {
  if (!heif().there)
    return Error{"'" + name +
                 "' is a HEIC or AVIF picture, which needs libheif: install it (on Debian or Ubuntu: sudo apt install "
                 "libheif1), or convert the picture to JPEG"};
  HeifFile file;
  heif_error error = read_heif(bytes, file);
  if (error.code != heif_error_Ok &&
      std::string_view(error.message).find("Too many auxiliary image references") != std::string_view::npos)
    if (auto mended = with_single_auxiliary_references(bytes)) {
      file.mended = std::make_unique<std::string>(std::move(*mended));
      error = read_heif(*file.mended, file);
    }
  if (error.code != heif_error_Ok) return heif_problem(name, error);
  return file;
}

ColourSpace colours_of(const heif_image_handle* picture) {
  ColourSpace colours;
  const heif_color_profile_type type = heif().image_handle_get_color_profile_type(picture);
  if (type == heif_color_profile_type_nclx) {
    heif_color_profile_nclx* numbers = nullptr;
    if (heif().image_handle_get_nclx_color_profile(picture, &numbers).code == heif_error_Ok && numbers)
      colours.rgb = rgb_of_code_points(int(numbers->color_primaries), int(numbers->transfer_characteristics));
    heif().nclx_color_profile_free(numbers);
  } else if (type != heif_color_profile_type_not_present) {
    const size_t bytes = heif().image_handle_get_raw_color_profile_size(picture);
    if (bytes <= size_t(kMostProfileBytes)) colours.icc.resize(bytes);
    if (!colours.icc.empty() &&
        heif().image_handle_get_raw_color_profile(picture, colours.icc.data()).code != heif_error_Ok)
      colours.icc.clear();
  }
  return colours;
}

ImageSize size_of_heif(const heif_image_handle* picture) {
  return {heif().image_handle_get_width(picture), heif().image_handle_get_height(picture),
          heif().image_handle_has_alpha_channel(picture) ? 4 : 3};
}

}  // namespace

Result<ImageSize> heif_size(std::string_view bytes, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const HeifFile file, open_heif(bytes, name));
  ImageSize size = size_of_heif(file.picture.get());
  size.odd_profile = !can_turn_to_srgb(colours_of(file.picture.get()), size.channels);
  return size;
}

Result<Image8> decode_heif(std::string_view bytes, const std::string& name, ColourSpace* colours) {
  SPLAT_ASSIGN_OR_RETURN(const HeifFile file, open_heif(bytes, name));
  if (colours) *colours = colours_of(file.picture.get());
  const ImageSize size = size_of_heif(file.picture.get());
  SPLAT_TRY(check_size(size, name));
  heif_image* decoded = nullptr;
  const heif_error error =
      heif().decode_image(file.picture.get(), &decoded, heif_colorspace_RGB,
                          size.channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, nullptr);
  const HeifPicture picture(decoded);
  if (error.code != heif_error_Ok) return heif_problem(name, error);
  int stride = 0;
  const uint8_t* rows = heif().image_get_plane_readonly(decoded, heif_channel_interleaved, &stride);
  if (!rows || heif().image_get_width(decoded, heif_channel_interleaved) != size.width ||
      heif().image_get_height(decoded, heif_channel_interleaved) != size.height)
    return broken(name, "HEIC", "its picture is not of the size that it claims");
  Image8 image{size.width, size.height, size.channels, {}};
  const size_t row = size_t(size.width) * size_t(size.channels);
  image.pixels.reserve(row * size_t(size.height));
  for (int y = 0; y < size.height; ++y)
    image.pixels.insert(image.pixels.end(), rows + y * ptrdiff_t(stride), rows + y * ptrdiff_t(stride) + row);
  return image;
}

std::string exif_of_heif(std::string_view bytes) {
  const auto file = open_heif(bytes, "");
  if (!file) return {};
  heif_item_id id = 0;
  if (heif().image_handle_get_list_of_metadata_block_IDs(file->picture.get(), "Exif", &id, 1) != 1) return {};
  std::string block(heif().image_handle_get_metadata_size(file->picture.get(), id), '\0');
  if (block.size() < 4 || heif().image_handle_get_metadata(file->picture.get(), id, block.data()).code != heif_error_Ok)
    return {};
  uint32_t skipped = 0;  // up to the TIFF structure: usually "Exif\0\0"
  for (size_t i = 0; i < 4; ++i) skipped = skipped << 8 | uint8_t(block[i]);
  return skipped <= block.size() - 4 ? block.substr(4 + size_t(skipped)) : std::string();
}

#else

Result<ImageSize> heif_size(std::string_view, const std::string& name) {
  return Error{"'" + name +
               "' is a HEIC or AVIF picture, which this hipsplat was built without (libheif): convert it to JPEG"};
}

Result<Image8> decode_heif(std::string_view bytes, const std::string& name, ColourSpace*) {
  return heif_size(bytes, name).error();
}

std::string exif_of_heif(std::string_view) { return {}; }

#endif

}  // namespace io::codec

bool io::reads_heif() {
#ifdef HIPSPLAT_HEIF
  return codec::heif().there;
#else
  return false;
#endif
}
