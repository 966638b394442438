#include "io/dataset/training_image.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "io/dataset/depth_map.h"
#include "io/dataset/panorama.h"
#include "io/files_below.h"
#include "io/image_file.h"
#include "io/images/exif.h"
#include "io/images/resize.h"
#include "io/images/upright.h"
#include "splat/core/check.h"
#include "splat/math/background.h"

namespace io {

using splat::DatasetView, splat::Error, splat::Image8, splat::Lens, splat::Result, splat::TrainingImage;

namespace {

constexpr uint8_t kCounts = 128;  // value of a mask from which a pixel counts

// How much smaller a JPEG may be decoded: exactly to the training size, or to about twice of it, so that reducing the
// rest by area stays sharp.
int usable_reduction(double factor_x, double factor_y) {
  for (int candidate : {8, 4, 2})
    if ((factor_x == candidate && factor_y == candidate) || std::min(factor_x, factor_y) >= 1.9 * candidate)
      return candidate;
  return 1;
}

bool has_alpha(const Image8& image) { return image.channels == 2 || image.channels == 4; }

// An alpha channel that is the same everywhere says nothing, unless the picture has nothing else to say: a photo that
// the object is not in.
bool alpha_says_something(const Image8& image) {
  const size_t channels = size_t(image.channels);
  bool same_alpha = true, same_colour = true;
  for (size_t i = channels; i < image.pixels.size(); ++i) {
    const bool same = image.pixels[i] == image.pixels[i - channels];
    (i % channels == channels - 1 ? same_alpha : same_colour) &= same;
  }
  return !same_alpha || (same_colour && image.pixels[channels - 1] == 0);
}

Image8 repeated_grey(const Image8& grey_and_alpha) {
  Image8 image{grey_and_alpha.width, grey_and_alpha.height, 4, {}};
  image.pixels.reserve(2 * grey_and_alpha.pixels.size());
  for (size_t i = 0; i < grey_and_alpha.pixels.size(); i += 2) {
    image.pixels.insert(image.pixels.end(), 3, grey_and_alpha.pixels[i]);
    image.pixels.push_back(grey_and_alpha.pixels[i + 1]);
  }
  return image;
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

// Lays the picture over the background and returns what its alpha was.
std::vector<uint8_t> compose(Image8& image, const Background& background) {
  if (image.channels == 2) image = repeated_grey(image);
  std::vector<uint8_t> alpha = split_alpha(image);
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const double over =
        splat::math::over_background(double(image.pixels[i]), double(alpha[i / 3]), double(background[i % 3]));
    image.pixels[i] = uint8_t(over + 0.5);
  }
  return alpha;
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

// Whether each pixel of a mask counts: white does. Some programs write labels, 0 and 1, in place of black and
// white; in the dynamic_mask_*.png of instant-ngp white is what does not count.
std::vector<bool> what_counts(const Image8& mask, const std::filesystem::path& file) {
  const std::vector<uint8_t> grey = grey_of(mask);
  const uint8_t least = *std::max_element(grey.begin(), grey.end()) == 1 ? 1 : kCounts;
  const bool white = white_counts(file);
  std::vector<bool> counts(grey.size());
  for (size_t i = 0; i < grey.size(); ++i) counts[i] = (grey[i] >= least) == white;
  return counts;
}

// Excludes pixels that do not lie wholly in the circle that a fisheye lens draws: beyond it most photos are black, and
// those on its rim are a mixture.
void crop_to_circle(const DatasetView& view, SourcePhoto& photo) {
  if (view.crop_radius_px <= 0) return;
  const int width = photo.picture.width, height = photo.picture.height;
  if (photo.keep.empty()) photo.keep.assign(size_t(width) * size_t(height), 255);
  const double scale_x = double(view.source.width) / width, scale_y = double(view.source.height) / height;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (std::hypot((std::abs(x + 0.5 - 0.5 * width) + 0.5) * scale_x,
                     (std::abs(y + 0.5 - 0.5 * height) + 0.5) * scale_y) > view.crop_radius_px)
        photo.keep[size_t(y) * size_t(width) + size_t(x)] = 0;
}

TrainingImage planar(SourcePhoto photo) {
  const Image8& image = photo.picture;
  const size_t pixels = size_t(image.width) * size_t(image.height), channels = size_t(image.channels);
  TrainingImage result{image.width, image.height, std::vector<uint8_t>(3 * pixels), std::move(photo.keep)};
  result.alpha = std::move(photo.alpha);
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
  if (has_alpha(read.image) && !alpha_says_something(read.image)) split_alpha(read.image);
  return read;
}

// Without the lens being touched, and without the mask; `reduce` brings a picture to the size that is wanted. Alpha
// that means empty is taken out first, so that every step from here on is that of an opaque photo. Colours become sRGB:
// of the smaller picture, which costs less, unless the background, which is, has to be mixed into them.
template <class Reduce>
Result<SourcePhoto> prepared(ReducedImage read, const DatasetView& view, const Background& background,
                             const Reduce& reduce) {
  SourcePhoto photo;
  const bool mixed = has_alpha(read.image) && !view.ignores_transparent;
  if (mixed) {
    turn_to_srgb(read, read.image);
    const int width = read.image.width, height = read.image.height;
    photo.alpha = reduce(Image8{width, height, 1, compose(read.image, background)}).pixels;
  }
  photo.picture = reduce(std::move(read.image));
  if (!mixed) turn_to_srgb(read, photo.picture);
  if (has_alpha(photo.picture)) {
    photo.keep = split_alpha(photo.picture);
    for (uint8_t& value : photo.keep) value = value >= kCounts ? 255 : 0;
  }
  SPLAT_TRY(apply_mask(view, photo.picture.width, photo.picture.height, photo.keep));
  crop_to_circle(view, photo);
  return photo;
}

// The photo at the training size, without distortion being touched.
Result<SourcePhoto> read_reduced(const DatasetView& view, int width, int height, const Background& background) {
  const double factor_x = double(view.file_width) / width, factor_y = double(view.file_height) / height;
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, read_photo(view, usable_reduction(factor_x, factor_y)));
  const int reduction = read.reduction;
  return prepared(std::move(read), view, background, [&](Image8 image) {
    if (image.width == width && image.height == height) return image;
    return reduce_area(image, factor_x / reduction, factor_y / reduction, width, height);
  });
}

// A panorama no coarser than the middle of its faces, at a whole fraction of its size, so that its ends still meet.
Result<SourcePhoto> read_panorama(const DatasetView& view, const Background& background) {
  const double factor = view.file_width / (2 * std::numbers::pi * view.camera.fx);
  int reduction = usable_reduction(factor, factor);
  while (view.file_width % reduction != 0 || view.file_height % reduction != 0) reduction /= 2;
  SPLAT_ASSIGN_OR_RETURN(ReducedImage read, read_photo(view, reduction));
  return prepared(std::move(read), view, background, [](Image8 image) { return image; });
}

// What the lens or the panorama left of it.
void finish(const Background& background, TrainingImage& image) {
  image.background = background;
  if (std::all_of(image.alpha.begin(), image.alpha.end(), [](uint8_t alpha) { return alpha == 255; }))
    image.alpha.clear();
}

// Where the photo shows nothing its depth does not count either.
splat::Status add_depth(const DatasetView& view, const Remap* remap, TrainingImage& image) {
  if (view.depth_path.empty()) return {};
  SPLAT_ASSIGN_OR_RETURN(image.depth, load_depth_map(view, remap));
  for (size_t i = 0; i < image.depth.size(); ++i)
    if (!image.shows(i)) image.depth[i] = 0;
  return {};
}

}  // namespace

bool white_counts(const std::filesystem::path& mask) {
  return !lower(mask.filename().string()).starts_with("dynamic_mask");
}

splat::Status apply_mask(const DatasetView& view, int width, int height, std::vector<uint8_t>& keep) {
  if (view.mask_path.empty()) return {};
  SPLAT_ASSIGN_OR_RETURN(Image8 mask, read_image(view.mask_path));
  turn(mask, orientation_beside(view.mask_path, {mask.width, mask.height}, {view.file_width, view.file_height},
                                view.photo_orientation));
  const std::vector<bool> counts = what_counts(mask, view.mask_path);
  if (keep.empty()) keep.assign(size_t(width) * size_t(height), 255);
  const double step_x = double(mask.width) / width, step_y = double(mask.height) / height;
  for (int y = 0; y < height; ++y) {
    const size_t row = size_t(std::min(int((y + 0.5) * step_y), mask.height - 1)) * size_t(mask.width);
    for (int x = 0; x < width; ++x)
      if (!counts[row + size_t(std::min(int((x + 0.5) * step_x), mask.width - 1))])
        keep[size_t(y) * size_t(width) + size_t(x)] = 0;
  }
  return {};
}

Result<double> excluded_share(const std::filesystem::path& mask) {
  SPLAT_ASSIGN_OR_RETURN(const Image8 image, read_image(mask));
  const std::vector<bool> counts = what_counts(image, mask);
  return double(std::count(counts.begin(), counts.end(), false)) / double(counts.size());
}

Lens training_lens(const DatasetView& view) {
  const int width = view.camera.width, height = view.camera.height;
  return scaled(lens_of(view.source), double(width) / view.source.width, double(height) / view.source.height, width,
                height);
}

Result<TrainingImage> load_training_image(const DatasetView& view, const Background& background, const Remap* remap) {
  if (view.panorama_face >= 0) {
    const DatasetView* const face = &view;
    SPLAT_ASSIGN_OR_RETURN(std::vector<TrainingImage> faces, load_panorama_faces({&face, 1}, background));
    return std::move(faces.front());
  }
  const Lens lens = training_lens(view);
  SPLAT_ASSIGN_OR_RETURN(SourcePhoto photo, read_reduced(view, lens.width, lens.height, background));
  std::optional<Remap> own;
  if (lens.has_distortion() && !remap) remap = &own.emplace(make_remap(lens, view.camera));
  TrainingImage out = lens.has_distortion() ? undistort(photo, *remap) : planar(std::move(photo));
  finish(background, out);
  SPLAT_TRY(add_depth(view, lens.has_distortion() ? remap : nullptr, out));
  return out;
}

Result<std::vector<TrainingImage>> load_panorama_faces(std::span<const DatasetView* const> views,
                                                       const Background& background) {
  SPLAT_ASSIGN_OR_RETURN(const SourcePhoto photo, read_panorama(*views.front(), background));
  std::vector<TrainingImage> faces;
  for (const DatasetView* view : views) {
    SPLAT_CHECK(view->image_path == views.front()->image_path);
    faces.push_back(cut_panorama_face(photo, panorama_faces()[size_t(view->panorama_face)], view->camera));
    finish(background, faces.back());
  }
  return faces;
}

}  // namespace io
