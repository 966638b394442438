#include "io/dataset/held_out.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "io/dataset/panorama.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/model/camera_models.h"
#include "splat/model/stray_views.h"

namespace io {

using splat::Dataset, splat::DatasetView, splat::Error, splat::Status;

namespace {

// Length of the common beginning and of the common end: enough to find a name with a wrong extension or folder.
size_t likeness(const std::string& a, const std::string& b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t front = 0, back = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return front + back;
}

bool is_face_of(const DatasetView& view, const std::string& name) {
  const auto faces = panorama_faces();
  return camera_model_info(view.source.model).is_panorama() &&
         std::any_of(faces.begin(), faces.end(), [&](const auto& face) { return face_name(view.name, face) == name; });
}

// Calls mark(view) for each; the photo, or one of its faces, has this name.
template <class Mark>
Status mark_by_name(std::vector<DatasetView>& views, const std::vector<std::string>& names,
                    const std::vector<std::string>& unusable, const char* purpose, const Mark& mark) {
  for (const std::string& name : names) {
    const auto found = std::find_if(views.begin(), views.end(), [&](const DatasetView& view) {
      return view.name == name || is_face_of(view, name);
    });
    if (found != views.end()) {
      mark(*found);
      continue;
    }
    if (std::find(unusable.begin(), unusable.end(), name) != unusable.end()) continue;
    const auto nearest = std::max_element(views.begin(), views.end(), [&](const DatasetView& a, const DatasetView& b) {
      return likeness(a.name, name) < likeness(b.name, name);
    });
    return Error{"there is no photo '" + name + "' to " + purpose + ": did you mean '" + nearest->name + "'?"};
  }
  return {};
}

// After holding out, so that which photos are held out does not depend on it.
Status leave_out(Dataset& dataset, const std::vector<std::string>& names, const std::vector<std::string>& unusable) {
  SPLAT_TRY(mark_by_name(dataset.views, names, unusable, "leave out (--leave-out)",
                         [](DatasetView& view) { view.left_out = true; }));
  if (dataset.training_views().empty())
    return Error{"without the photos that are left out '" + dataset.root.string() + "' has none to train on"};
  return {};
}

}  // namespace

Status hold_out(Dataset& dataset, const std::vector<std::optional<bool>>& split,
                const std::vector<std::string>& unusable, const DatasetOptions& options) {
  std::vector<DatasetView>& views = dataset.views;
  const bool own_split = std::any_of(split.begin(), split.end(), [](const auto& side) { return side.value_or(false); });
  if (!options.test_images.empty()) {
    SPLAT_TRY(mark_by_name(views, options.test_images, unusable, "hold out (--test-images)",
                           [](DatasetView& view) { view.held_out = true; }));
  } else if (options.eval && own_split) {
    for (size_t i = 0; i < views.size(); ++i) views[i].held_out = split[i].value_or(false);
    dataset.notes.push_back("the held-out views are the test split that comes with the data");
  } else if (options.eval) {
    if (options.test_every < 2) return Error{"--test-every must be at least 2, or nothing is left to train on"};
    for (size_t i = 0; i < views.size(); ++i) views[i].held_out = i % size_t(options.test_every) == 0;
  }
  if (dataset.training_views().empty())
    return Error{"all " + std::to_string(views.size()) + " photos of '" + dataset.root.string() +
                 "' are held out for evaluation and none is left to train on"};
  return leave_out(dataset, options.leave_out, unusable);
}

std::vector<int> leave_out_strays(Dataset& dataset) {
  std::vector<int> strays = far_views(dataset).strays;
  if (strays.empty()) return strays;
  std::vector<DatasetView> as_they_were = dataset.views;
  std::vector<std::string> names;
  for (const int view : strays) {
    dataset.views[size_t(view)].left_out = true;
    names.push_back(dataset.views[size_t(view)].name);
  }
  if (dataset.training_views().empty()) {
    dataset.views = std::move(as_they_were);
    return {};
  }
  std::vector<splat::Rigid3> others;
  for (const DatasetView& view : dataset.views)
    if (!view.left_out) others.push_back(view.cam_from_world);
  const splat::MainPart part = splat::main_part(others);
  const auto first = dataset.views[size_t(strays.front())].cam_from_world.origin_in_source();
  std::ostringstream text;
  text.precision(3);
  text << splat::counted(strays.size(), "camera lies", "cameras lie") << " far outside of all others and "
       << (strays.size() == 1 ? "shows nothing of the scene: its photo is"
                              : "show nothing of the scene: their photos are")
       << " left out: " << first_names(names) << " (the first is "
       << std::hypot(first[0] - part.middle[0], first[1] - part.middle[1], first[2] - part.middle[2])
       << " units away from the middle of the others, which lie within " << part.radius << ')';
  dataset.warnings.push_back(text.str());
  return strays;
}

}  // namespace io
