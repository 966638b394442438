// A run that trains a part of a scene: some of its views, splats to start from in place of the points, and others that
// are drawn around them and stay as they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/model/dataset.h"

namespace app {

struct ScenePart {
  struct Colour {
    std::string view;
    splat::PhotoColour colour;
  };
  std::vector<std::string> views;  // names, sorted
  splat::Gaussians start, fixed;   // fixed: seen, never changed, not in what the run writes
  std::vector<Colour> colours;     // of the photos, found for the whole scene and held; empty: as the options say
};

// Leaves those views of the dataset that the part names, and no points. An error where one is not there.
splat::Status keep_views_of(const ScenePart& part, splat::Dataset& dataset);

// By view of the dataset; empty where the part has none.
std::vector<splat::PhotoColour> held_colours(const ScenePart& part, const splat::Dataset& dataset);

// The photos with a mask for what `start` cannot explain (splat/blocks/shares.h). The backend's model is lost. Cost: a
// small view drawn for each.
std::unique_ptr<splat::ImageSource> photos_of_part(const ScenePart& part, splat::Backend& backend,
                                                   const splat::Dataset& dataset,
                                                   std::unique_ptr<splat::ImageSource> photos);

}  // namespace app
