#include "splat/train/confirmation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "splat/metrics/image_metrics.h"
#include "splat/metrics/quantised.h"
#include "splat/model/pixel.h"

namespace splat {
namespace {

constexpr int kEnough = 2;        // photos: more are not distinguished
constexpr double kEndless = 1e9;  // world units

// Whether the picture has that depth at a pixel or at one of the eight around it.
bool has_depth(const PinholeCamera& camera, std::span<const float> depth, const Pixel& pixel, bool endless) {
  const int x = int(pixel.x), y = int(pixel.y);
  for (int row = std::max(y - 1, 0); row <= std::min(y + 1, camera.height - 1); ++row)
    for (int column = std::max(x - 1, 0); column <= std::min(x + 1, camera.width - 1); ++column) {
      const double there = double(depth[size_t(row) * size_t(camera.width) + size_t(column)]);
      if (endless ? there == 0 : std::abs(there - pixel.depth) <= kSameDepth * pixel.depth) return true;
    }
  return false;
}

}  // namespace

Result<Confirmation> Confirmation::of_held_out(Backend& backend, const Dataset& dataset, ImageSource& images,
                                               const RenderSettings& render) {
  Confirmation confirmation;
  ImageF picture;
  std::vector<float> depth;
  const std::vector<int> held_out = dataset.held_out_views();
  images.prefetch(held_out);
  for (const int index : held_out) {
    const DatasetView& held_out_view = dataset.views[size_t(index)];
    const View view = held_out_view.view();
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, images.get(index));
    backend.forward(view, render);
    backend.read_image(picture);
    backend.read_depth(DepthKind::kMedian, depth);
    confirmation.pictures_.push_back({index, held_out_view.name, cells_of(view, picture, *photo, depth)});
  }
  return confirmation;
}

std::vector<Confirmation::Cell> Confirmation::cells_of(const View& view, const ImageF& render,
                                                       const TrainingImage& photo, std::span<const float> depth) {
  const int width = photo.width, height = photo.height;
  const int side = (std::max(width, height) + kCellsAlong - 1) / kCellsAlong;
  std::vector<Cell> cells;
  for (int top = 0; top < height; top += side)
    for (int left = 0; left < width; left += side) {
      const int bottom = std::min(top + side, height), right = std::min(left + side, width);
      const int x_middle = (left + right) / 2, y_middle = (top + bottom) / 2;
      const float there = depth[size_t(y_middle) * size_t(width) + size_t(x_middle)];
      Cell cell;
      cell.endless = there == 0;
      cell.place = point_at(view, {x_middle + 0.5, y_middle + 0.5, cell.endless ? kEndless : double(there)});
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
          const size_t pixel = size_t(y) * size_t(width) + size_t(x);
          if (!photo.counts(pixel)) continue;
          ++cell.pixels;
          cell.squared_error += squared_error_at(render, photo, pixel);
        }
      if (cell.pixels > 0) cells.push_back(cell);
    }
  return cells;
}

void Confirmation::add(const View& drawn, const TrainingImage& photo, std::span<const float> depth) {
  for (Picture& picture : pictures_)
    for (Cell& cell : picture.cells) {
      if (cell.photos == kEnough) continue;
      const auto pixel = pixel_in_frame(drawn, cell.place);
      if (!pixel) continue;
      if (!photo.counts(size_t(pixel->y) * size_t(photo.width) + size_t(pixel->x))) continue;
      if (has_depth(drawn.camera, depth, *pixel, cell.endless)) ++cell.photos;
    }
}

std::vector<ViewConfirmation> Confirmation::views() const {
  std::vector<ViewConfirmation> views;
  for (const Picture& picture : pictures_) {
    std::array<size_t, kEnough + 1> pixels{};  // by the number of photos that confirm them
    double squared_error = 0;
    for (const Cell& cell : picture.cells) {
      pixels[size_t(cell.photos)] += cell.pixels;
      if (cell.photos == kEnough) squared_error += cell.squared_error;
    }
    ViewConfirmation view{picture.view, picture.name, 0, 0, {}};
    const double all = double(std::max<size_t>(pixels[0] + pixels[1] + pixels[kEnough], 1));
    view.by_none = double(pixels[0]) / all;
    view.by_one = double(pixels[1]) / all;
    if (pixels[kEnough] > 0) view.psnr = psnr_of(squared_error / (3.0 * double(pixels[kEnough])));
    views.push_back(view);
  }
  return views;
}

ViewConfirmation mean_confirmation(std::span<const ViewConfirmation> views) {
  ViewConfirmation mean;
  double psnr = 0;
  size_t with_psnr = 0;
  for (const ViewConfirmation& view : views) {
    mean.by_none += view.by_none / double(views.size());
    mean.by_one += view.by_one / double(views.size());
    if (!view.psnr) continue;
    psnr += *view.psnr;
    ++with_psnr;
  }
  if (with_psnr > 0) mean.psnr = psnr / double(with_psnr);
  return mean;
}

}  // namespace splat
