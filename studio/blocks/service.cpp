#include "studio/blocks/service.h"

#include <tuple>
#include <utility>

#include "splat/core/log.h"
#include "studio/blocks/city_scene.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr auto kLook = std::chrono::seconds(1);  // between two looks at the files

}  // namespace

BlocksService::BlocksService(Context& context) : context_(context) {
  context_.documents.open_city = [this](const fs::path& folder) { begin(folder, {}); };
  context_.bridge.requests.on<OpenCityPart>([this](OpenCityPart&& wanted) {
    context_.jobs.cancel();
    begin(wanted.city, wanted.part);
  });
}

void BlocksService::begin(const fs::path& folder, std::optional<int> part) {
  is_open_ = true;
  Job& job = context_.jobs.begin(folder.filename().string());
  context_.openings.add([this, folder, part, number = ++number_, &job] { open(folder, part, number, job); });
}

void BlocksService::leave_scene(std::optional<PathKind> next) {
  training_.stop();
  if (!is_open_ || next == PathKind::kCity) return;
  is_open_ = false;
  ++number_;
  context_.watching.add([this] {
    on_show_.reset();
    context_.report(CityScene{});
  });
}

std::optional<std::chrono::milliseconds> BlocksService::turn() {
  if (!is_open_) return std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  if (now >= look_at_) {
    look_at_ = now + kLook;
    context_.watching.add([this] { look(); });
  }
  return kLook;
}

void BlocksService::open(const fs::path& folder, std::optional<int> part, uint64_t number, Job& job) {
  const MarkDone mark_done(job);
  auto city = read_city(folder);
  if (!city) return log::error(city.error().message);
  if (city->blocks.empty())
    return log::error(
        "the plan of '" + folder.string() +
        "' is not complete: what began it goes on with it, hipsplat blocks plan or 'Train in blocks' of the "
        "dataset, with the same choices");
  const bool merged = !file_of_part(*city, kCityMerged).empty();
  const int chosen = part.value_or(merged ? kCityMerged : kCityScaffold);
  splat::ThreadPool pool(context_.options.device.threads);
  auto opened = open_city_part(*city, chosen, pool, job.watch);
  if (job.watch.cancelled) return;
  if (!opened) return part ? log::warning(opened.error().message) : log::error(opened.error().message);
  auto on_show = std::make_unique<OnShow>();
  on_show->boxes = boxes_of(*city, opened->for_window);
  on_show->city = std::move(*city);
  on_show->shown = chosen;
  Documents::SplatsToShow as{folder};
  context_.documents.show_splats(std::move(*opened), as);
  context_.watching.add([this, number, on_show = std::move(on_show)]() mutable {
    if (number != number_) return;  // something else was opened meanwhile
    on_show_ = std::move(on_show);
    reported_ = {};
    look();
  });
}

void BlocksService::look() {
  if (!on_show_) return;
  CityScene scene = city_scene(on_show_->city);
  scene.boxes = on_show_->boxes;
  scene.shown = on_show_->shown;
  scene.work = training_.now();
  scene.merges = training_.merges();
  const auto as_shown = [](const CityScene& s) { return std::tie(s.blocks, s.merged, s.work, s.merges); };
  if (as_shown(scene) == as_shown(reported_)) return;
  reported_ = scene;
  context_.report(std::move(scene));
}

}  // namespace studio
