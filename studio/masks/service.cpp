#include "studio/masks/service.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/jobs/training/report/pictures.h"
#include "app/jobs/training/run_output.h"
#include "io/dataset/painted_mask.h"
#include "io/dataset/training_image.h"
#include "splat/core/log.h"
#include "splat/core/parallel.h"
#include "studio/documents/result_place.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

MaskService::MaskService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<WantMaskPhoto>([this](WantMaskPhoto&& wanted) { show(wanted.view); });
  requests.on<KeepPaint>([this](KeepPaint&& paint) { keep(std::move(paint)); });
  requests.on<FindPaint>([this](FindPaint&&) { find(); });
  requests.on<SaveMask>([this](SaveMask&& painted) { save(std::move(painted)); });
}

void MaskService::show(int index) {
  const auto view = context_.documents.photo_view(index);
  if (!view) return;
  context_.openings.add([this, view = *view, index] {
    MaskPhoto answer;
    answer.view = index;
    answer.file = view.mask_path.string();
    if (const auto status = read(view, answer); !status) log::error(status.error().message);
    answer.kept = keeper_.kept(view);
    context_.report(std::move(answer));
  });
}

splat::Status MaskService::read(const splat::DatasetView& view, MaskPhoto& answer) const {
  SPLAT_TRY(io::check_paintable(view));
  const auto behind = context_.documents.background_as_trained();
  splat::DatasetView bare = view;
  bare.mask_path.clear();
  SPLAT_ASSIGN_OR_RETURN(splat::TrainingImage photo, io::load_training_image(bare, behind));
  answer.counts = answer.usable = std::exchange(photo.mask, {});
  if (!view.mask_path.empty()) {
    SPLAT_ASSIGN_OR_RETURN(splat::TrainingImage masked, io::load_training_image(view, behind));
    answer.counts = std::move(masked.mask);
  }
  answer.picture = to_image8(photo);
  return {};
}

void MaskService::keep(KeepPaint&& paint) {
  const auto view = context_.documents.photo_view(paint.view);
  if (!view) return;
  context_.openings.add([this, view = *view, steps = std::move(paint.steps)] {
    if (const auto status = keeper_.keep(view, steps); !status) log::warning(status.error().message);
  });
}

void MaskService::find() {
  context_.openings.add([this] {
    const auto photos = context_.documents.with(
        [](const OpenScene& scene) { return scene.photos ? scene.photos->views : std::vector<splat::DatasetView>(); });
    if (const auto found = keeper_.find(photos)) context_.report(PaintFound{int(*found), photos[*found].photo_name()});
  });
}

void MaskService::save(SaveMask&& painted) {
  const auto view = context_.documents.photo_view(painted.view);
  if (!view) return;
  auto place = place_of(*view);
  context_.writings.add([this, view = *view, place = std::move(place), painted = std::move(painted)]() mutable {
    MaskSaved saved{painted.view, false, {}};
    if (place && !place->elsewhere.empty() && !check_writable_folder(place->file.parent_path(), true)) {
      saved.masks = place->elsewhere;
      place->file = saved.masks / (view.photo_name() + ".png");
    }
    const splat::Status status = place ? write(view, place->file, painted.steps) : splat::Status(place.error());
    if (!status) {
      log::error(status.error().message);
      return context_.report(MaskSaved{painted.view, false, {}});
    }
    context_.documents.with([&](OpenScene& scene) {
      if (!scene.photos) return;
      for (splat::DatasetView& open : scene.photos->views)
        if (open.image_path == view.image_path) open.mask_path = place->file;
    });
    const std::string sentence = "mask of '" + view.photo_name() + "' written to '" + place->file.string() +
                                 "'; the next run leaves out what it covers";
    saved.masks.empty() ? log::info(sentence) : context_.say_done(sentence, place->file);
    saved.ok = true;
    context_.report(std::move(saved));
  });
}

splat::Result<MaskService::Place> MaskService::place_of(const splat::DatasetView& view) const {
  Place place;
  std::vector<fs::path> masks;
  fs::path root, named;
  const splat::Status known = context_.documents.with([&](const OpenScene& scene) -> splat::Status {
    if (!scene.photos)
      return splat::Error{"the mask of '" + view.photo_name() + "' is not saved: its photos were left"};
    root = scene.photos->root;
    named = (scene.run ? scene.run->dataset : context_.options.dataset).masks_folder;
    for (const splat::DatasetView& one : scene.photos->views) masks.push_back(one.mask_path);
    SPLAT_ASSIGN_OR_RETURN(place.file, io::mask_file(*scene.photos, view, named));
    return {};
  });
  SPLAT_TRY(known);
  const fs::path elsewhere = masks_place(root);
  const auto would_be_lost = [&](const fs::path& mask) {  // a run would look for masks elsewhere alone
    return !mask.empty() && !mask.string().starts_with(elsewhere.string());
  };
  const bool stays = !is_lost_at_the_next_start(elsewhere);
  if (stays && named.empty() && std::none_of(masks.begin(), masks.end(), would_be_lost)) place.elsewhere = elsewhere;
  return place;
}

splat::Status MaskService::write(const splat::DatasetView& view, const fs::path& file,
                                 const std::vector<PaintStep>& steps) {
  splat::ThreadPool pool(context_.options.device.threads);
  const MaskChanges changes = painted(steps, view.file_width, view.file_height);
  SPLAT_ASSIGN_OR_RETURN(splat::Image8 mask, io::changed_mask(view, changes.of, &pool));
  SPLAT_TRY(io::write_mask(file, std::move(mask), !written_.contains(file)));
  written_.insert(file);
  return {};
}

}  // namespace studio
