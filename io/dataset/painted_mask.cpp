#include "io/dataset/painted_mask.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "io/atomic_file.h"
#include "io/dataset/beside_photos.h"
#include "io/dataset/photo_places.h"
#include "io/dataset/training_image.h"
#include "io/files_below.h"
#include "io/image_file.h"
#include "splat/core/check.h"

namespace io {

namespace fs = std::filesystem;
using splat::DatasetView, splat::Error, splat::Image8, splat::MaskChange, splat::Result, splat::Status;

Status check_paintable(const DatasetView& view) {
  if (view.panorama_face >= 0)
    return Error{"'" + view.photo + "' is a panorama: its mask cannot be painted here, but in an image editor"};
  if (!view.mask_path.empty() && lower(view.mask_path.extension().string()) != ".png")
    return Error{"'" + view.mask_path.string() + "' is no PNG and is not painted on: convert it to PNG first"};
  return {};
}

splat::PinholeCamera painted_camera(const DatasetView& view) {
  splat::PinholeCamera camera = view.camera;
  const float x = float(view.file_width) / float(camera.width), y = float(view.file_height) / float(camera.height);
  camera.width = view.file_width, camera.height = view.file_height;
  camera.fx *= x, camera.cx *= x, camera.fy *= y, camera.cy *= y;
  return camera;
}

Result<Image8> changed_mask(const DatasetView& view, std::span<const MaskChange> changes, splat::ThreadPool* pool) {
  SPLAT_TRY(check_paintable(view));
  DatasetView full = view;
  full.camera = painted_camera(view);
  const splat::Lens lens = training_lens(full);
  const size_t width = size_t(view.file_width), height = size_t(view.file_height);
  SPLAT_CHECK_EQ(changes.size(), width * height);
  std::vector<uint8_t> mask(width * height, 255);
  SPLAT_TRY(apply_mask(view, view.file_width, view.file_height, mask));
  const std::vector<uint32_t> places =
      lens.has_distortion() ? places_in_pinhole(lens, full.camera, pool) : std::vector<uint32_t>();
  splat::for_each(pool, height, [&](size_t row, int) {
    for (size_t pixel = row * width; pixel < (row + 1) * width; ++pixel) {
      const size_t place = places.empty() ? pixel : places[pixel];
      if (place != kOutside) mask[pixel] = counts_after(changes[place], mask[pixel] != 0) ? 255 : 0;
    }
  });
  return Image8{view.file_width, view.file_height, 1, std::move(mask)};
}

namespace {

// The folder that the mask of a photo was found in by its usual name, and not by what the dataset says; empty: none.
fs::path usual_folder_of(const DatasetView& view, const fs::path& root) {
  for (fs::path folder = view.mask_path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (is_usual_mask_folder(folder) &&
        (folder.parent_path() == root || is_below(view.image_path, folder.parent_path())))
      return folder;
  return {};
}

}  // namespace

Result<fs::path> mask_file(const splat::Dataset& dataset, const DatasetView& view, const fs::path& masks_folder) {
  if (!view.mask_path.empty()) return view.mask_path;
  fs::path folder = dataset.root / "masks";
  if (!masks_folder.empty()) {
    SPLAT_ASSIGN_OR_RETURN(folder, named_folder(dataset.root, masks_folder, "--masks"));
  } else {
    for (const DatasetView& other : dataset.views)
      if (const fs::path used = usual_folder_of(other, dataset.root); !used.empty()) {
        folder = used;
        break;
      }
  }
  return folder / fs::path(view.photo_name() + ".png");
}

Status write_mask(const fs::path& file, Image8 mask, bool keeps) {
  std::error_code code;
  fs::create_directories(file.parent_path(), code);
  if (code)
    return Error{"cannot make the folder '" + file.parent_path().string() + "' for masks (" + code.message() +
                 "): the dataset must be where it can be written"};
  if (keeps && fs::exists(file, code)) {
    fs::path kept = file.string() + ".before";
    for (int i = 2; fs::exists(kept, code); ++i) kept = file.string() + ".before" + std::to_string(i);
    fs::copy_file(file, kept, code);
    if (code) return Error{"cannot keep '" + file.string() + "' as '" + kept.string() + "' (" + code.message() + ")"};
  }
  if (!white_counts(file))
    for (uint8_t& value : mask.pixels) value = uint8_t(255 - value);
  return write_file_atomically(file, encode_png(mask));
}

}  // namespace io
