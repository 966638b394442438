#include "io/dataset/training_image.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "io/dataset/depth_map.h"
#include "io/dataset/panorama.h"
#include "io/image_file.h"
#include "io/images/resize.h"
#include "io/images/upright.h"
#include "splat/core/check.h"

namespace io {

using splat::DatasetView, splat::Error, splat::Image8, splat::Lens, splat::Result, splat::TrainingImage;

namespace {

constexpr uint8_t kCounts = 128;  // alpha or mask value from which a pixel counts

// How much smaller a JPEG may be decoded: exactly to the training size, or to about twice of it, so that reducing the
// rest by area stays sharp.
int usable_reduction(double factor_x, double factor_y) {
  for (int candidate : {8, 4, 2})
    if ((factor_x == candidate && factor_y == candidate) || std::min(factor_x, factor_y) >= 1.9 * candidate)
      return candidate;
  return 1;
}

bool has_alpha(const Image8& image) { return image.channels == 2 || image.channels == 4; }

bool alpha_is_constant(const Image8& image) {
  const size_t channels = size_t(image.channels);
  for (size_t i = channels - 1; i < image.pixels.size(); i += channels)
    if (image.pixels[i] != image.pixels[channels - 1]) return false;
  return true;
}

// Takes the alpha channel out of the picture and returns it.
std::vector<uint8_t> split_alpha(Image8& image) {
  const size_t channels = size_t(image.channels), colours = channels - 1;
  const size_t pixels = size_t(image.width) * size_t(image.height);
  std::vector<uint8_t> alpha(pixels);
  for (size_t i = 0; i < pixels; ++i) {
    alpha[i] = image.pixels[i * channels + colours];
    for (size_t c = 0; c < colours; ++c) image.pixels[i * colours + c] = image.pixels[i * channels + c];
  }
  image.channels = int(colours);
  image.pixels.resize(pixels * colours);
  return alpha;
}

void turn(Image8& image, int orientation) {
  if (orientation != 1) image.pixels = upright(image.pixels, image.width, image.height, image.channels, orientation);
}

// One value a pixel: grey, or the mean of the colours; alpha is ignored.
std::vector<uint8_t> grey_of(const Image8& image) {
  const size_t channels = size_t(image.channels), pixels = size_t(image.width) * size_t(image.height);
  std::vector<uint8_t> grey(pixels);
  for (size_t i = 0; i < pixels; ++i) {
    const uint8_t* p = &image.pixels[i * channels];
    grey[i] = channels < 3 ? p[0] : uint8_t((p[0] + p[1] + p[2]) / 3);
  }
  return grey;
}

// Some programs write labels, 0 and 1, in place of black and white.
uint8_t least_that_counts(const std::vector<uint8_t>& mask) {
  return *std::max_element(mask.begin(), mask.end()) == 1 ? 1 : kCounts;
}

// Excludes what the mask file marks black from `keep`, [H,W] of the training size. The mask spans the whole photo,
// whatever its own size.
splat::Status apply_mask(const DatasetView& view, int width, int height, std::vector<uint8_t>& keep) {
  SPLAT_ASSIGN_OR_RETURN(Image8 mask, read_image(view.mask_path));
  if (lies_as_stored(mask.width, mask.height, view.file_width, view.file_height, view.photo_orientation))
    turn(mask, view.photo_orientation);
  const std::vector<uint8_t> grey = grey_of(mask);
  const uint8_t threshold = least_that_counts(grey);
  if (keep.empty()) keep.assign(size_t(width) * size_t(height), 255);
  const double step_x = double(mask.width) / width, step_y = double(mask.height) / height;
  for (int y = 0; y < height; ++y) {
    const size_t row = size_t(std::min(int((y + 0.5) * step_y), mask.height - 1)) * size_t(mask.width);
    for (int x = 0; x < width; ++x)
      if (grey[row + size_t(std::min(int((x + 0.5) * step_x), mask.width - 1))] < threshold)
        keep[size_t(y) * size_t(width) + size_t(x)] = 0;
  }
  return {};
}

TrainingImage planar(const Image8& image, std::vector<uint8_t> keep) {
  const size_t pixels = size_t(image.width) * size_t(image.height), channels = size_t(image.channels);
  TrainingImage result{image.width, image.height, std::vector<uint8_t>(3 * pixels), std::move(keep)};
  for (size_t c = 0; c < 3; ++c) {
    const uint8_t* source = image.pixels.data() + (channels == 3 ? c : 0);
    uint8_t* plane = result.rgb.data() + c * pixels;
    for (size_t i = 0; i < pixels; ++i) plane[i] = source[i * channels];
  }
  if (std::find(result.mask.begin(), result.mask.end(), 0) == result.mask.end()) result.mask.clear();
  return result;
}

Result<ReducedImage> read_photo(const DatasetView& view, int max_reduction) {
  // The last pixel of a reduced picture may cover less than the others: it must not become the first.
  if (view.photo_orientation != 1)
    while (view.file_width % max_reduction != 0 || view.file_height % max_reduction != 0) max_reduction /= 2;
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, read_reduced_image(view.image_path, max_reduction));
  turn(read.image, view.photo_orientation);
  if (swaps_sides(view.photo_orientation)) std::swap(read.full_width, read.full_height);
  if (read.full_width != view.file_width || read.full_height != view.file_height)
    return Error{"'" + view.image_path.string() + "' is now " + std::to_string(read.full_width) + "x" +
                 std::to_string(read.full_height) + " pixels, it was " + std::to_string(view.file_width) + "x" +
                 std::to_string(view.file_height) + " before: the dataset must not change while it is read"};
  // An alpha channel that is the same everywhere says nothing, and 0 would weigh the colours away.
  if (has_alpha(read.image) && alpha_is_constant(read.image)) split_alpha(read.image);
  return read;
}

// The photo at the training size, without distortion being touched.
Result<Image8> read_reduced(const DatasetView& view, int width, int height) {
  const double factor_x = double(view.file_width) / width, factor_y = double(view.file_height) / height;
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, read_photo(view, usable_reduction(factor_x, factor_y)));
  if (read.image.width == width && read.image.height == height) return std::move(read.image);
  return reduce_area(read.image, factor_x / read.reduction, factor_y / read.reduction, width, height);
}

// A panorama no coarser than the middle of its faces, at a whole fraction of its size, so that its ends still meet.
Result<Image8> read_panorama(const DatasetView& view) {
  const double factor = view.file_width / (2 * std::numbers::pi * view.camera.fx);
  int reduction = usable_reduction(factor, factor);
  while (view.file_width % reduction != 0 || view.file_height % reduction != 0) reduction /= 2;
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, read_photo(view, reduction));
  return std::move(read.image);
}

// What counts by alpha, which is taken out of the picture, and by the mask file; empty: everything.
Result<std::vector<uint8_t>> pixels_that_count(const DatasetView& view, Image8& image) {
  std::vector<uint8_t> keep;
  if (has_alpha(image)) keep = split_alpha(image);
  for (uint8_t& value : keep) value = value >= kCounts ? 255 : 0;
  if (!view.mask_path.empty()) SPLAT_TRY(apply_mask(view, image.width, image.height, keep));
  return keep;
}

// Where the photo does not count its depth does not either.
splat::Status add_depth(const DatasetView& view, const Remap* remap, TrainingImage& image) {
  if (view.depth_path.empty()) return {};
  SPLAT_ASSIGN_OR_RETURN(image.depth, load_depth_map(view, remap));
  for (size_t i = 0; i < image.mask.size(); ++i)
    if (image.mask[i] == 0) image.depth[i] = 0;
  return {};
}

}  // namespace

Result<double> excluded_share(const std::filesystem::path& mask) {
  SPLAT_ASSIGN_OR_RETURN(const Image8 image, read_image(mask));
  const std::vector<uint8_t> grey = grey_of(image);
  const uint8_t threshold = least_that_counts(grey);
  const auto excluded = std::count_if(grey.begin(), grey.end(), [&](uint8_t value) { return value < threshold; });
  return double(excluded) / double(grey.size());
}

Lens training_lens(const DatasetView& view) {
  const int width = view.camera.width, height = view.camera.height;
  return scaled(lens_of(view.source), double(width) / view.source.width, double(height) / view.source.height, width,
                height);
}

Result<TrainingImage> load_training_image(const DatasetView& view, const Remap* remap) {
  if (view.panorama_face >= 0) {
    const DatasetView* const face = &view;
    SPLAT_ASSIGN_OR_RETURN(std::vector<TrainingImage> faces, load_panorama_faces({&face, 1}));
    return std::move(faces.front());
  }
  const Lens lens = training_lens(view);
  SPLAT_ASSIGN_OR_RETURN(Image8 image, read_reduced(view, lens.width, lens.height));
  SPLAT_ASSIGN_OR_RETURN(std::vector<uint8_t> keep, pixels_that_count(view, image));
  std::optional<Remap> own;
  if (lens.has_distortion() && !remap) remap = &own.emplace(make_remap(lens, view.camera));
  TrainingImage out = lens.has_distortion() ? undistort(image, keep, *remap) : planar(image, std::move(keep));
  SPLAT_TRY(add_depth(view, lens.has_distortion() ? remap : nullptr, out));
  return out;
}

Result<std::vector<TrainingImage>> load_panorama_faces(std::span<const DatasetView* const> views) {
  SPLAT_ASSIGN_OR_RETURN(Image8 photo, read_panorama(*views.front()));
  SPLAT_ASSIGN_OR_RETURN(const std::vector<uint8_t> keep, pixels_that_count(*views.front(), photo));
  std::vector<TrainingImage> faces;
  for (const DatasetView* view : views) {
    SPLAT_CHECK(view->image_path == views.front()->image_path);
    faces.push_back(cut_panorama_face(photo, keep, panorama_faces()[size_t(view->panorama_face)], view->camera));
  }
  return faces;
}

}  // namespace io
