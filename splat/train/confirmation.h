// How much of what held-out views draw the photos trained on confirm. Training had to invent what none of them shows,
// and what one alone shows may lie at any depth: PSNR there says more about where photos are missing than about
// training. A held-out picture is cut into square cells. A photo confirms what lies in the middle of a cell, by its
// median depth, where that is in frame, not masked, and as far away as what the same splats draw for the photo at that
// pixel or beside it (kSameDepth). Where nothing is drawn it lies endlessly far away. So a cell before which a floater
// stands is confirmed by none, whatever photos show behind. Our own measure. Cost: a forward and a depth map a held-out
// view, 0.5 MB for each; for each photo the cells that fewer than two have confirmed by then.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace splat {

inline constexpr int kCellsAlong = 96;      // cells along the longer side of a picture, at most
inline constexpr double kSameDepth = 0.05;  // of the depth

struct ViewConfirmation {
  int view = 0;  // index in the dataset
  std::string name;
  double by_none = 0, by_one = 0;  // shares of the pixels that count, [0,1]
  std::optional<double> psnr;      // dB, of what two photos or more confirm; none where nothing is
};

class Confirmation {
 public:
  // Draws the held-out views. An error where a photo cannot be decoded.
  static Result<Confirmation> of_held_out(Backend& backend, const Dataset& dataset, ImageSource& images,
                                          const RenderSettings& render);

  bool empty() const { return pictures_.empty(); }  // no view is held out

  // A photo trained on, the view it was drawn with and the median depths of that, [H,W].
  void add(const View& drawn, const TrainingImage& photo, std::span<const float> depth);
  std::vector<ViewConfirmation> views() const;

 private:
  struct Cell {
    std::array<double, 3> place{};  // in the world, of what its middle shows
    bool endless = false;           // nothing is drawn there
    size_t pixels = 0;              // that count
    double squared_error = 0;       // sum over the channels of those
    int photos = 0;                 // that confirm it; not counted beyond two
  };
  struct Picture {
    int view = 0;
    std::string name;
    std::vector<Cell> cells;
  };
  static std::vector<Cell> cells_of(const View& view, const ImageF& render, const TrainingImage& photo,
                                    std::span<const float> depth);

  std::vector<Picture> pictures_;
};

// Means over the views; of the PSNR over those that have one. No view, no name.
ViewConfirmation mean_confirmation(std::span<const ViewConfirmation> views);

}  // namespace splat
