// A scene in blocks: its parts are opened like splat files; how far the blocks are is read again and again.
#include <utility>

#include "app/window/city_scene.h"
#include "app/window/window_session_impl.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

void WindowSession::Impl::open_city(const fs::path& folder, std::optional<int> part, uint64_t number, Opening& mine) {
  const MarkDone mark_done(mine);
  auto city = read_city(folder);
  if (!city) return log::error(city.error().message);
  if (city->blocks.empty())
    return log::error("the plan of '" + folder.string() +
                      "' is not complete: the command that began it goes on with it");
  const bool merged = !file_of_part(*city, viewer::kCityMerged).empty();
  const int chosen = part.value_or(merged ? viewer::kCityMerged : viewer::kCityScaffold);
  splat::ThreadPool pool(options.device.threads);
  auto opened = open_city_part(*city, chosen, pool, mine.watch);
  if (mine.watch.cancelled) return;
  if (!opened) return part ? log::warning(opened.error().message) : log::error(opened.error().message);
  auto on_show = std::make_unique<CityOnShow>();
  on_show->boxes = boxes_of(*city, opened->for_window);
  on_show->city = std::move(*city);
  on_show->shown = chosen;
  show_splats(std::move(*opened), folder, mine);
  watching.add([this, number, on_show = std::move(on_show)]() mutable {
    if (number != city_number) return;  // something else was opened meanwhile
    city_on_show = std::move(on_show);
    city_seen.clear();
    look_at_city();
  });
}

void WindowSession::Impl::look_at_city() {
  if (!city_on_show) return;
  viewer::CityScene scene = city_scene(city_on_show->city);
  scene.boxes = city_on_show->boxes;
  scene.shown = city_on_show->shown;
  if (scene.blocks == city_seen && scene.merged == city_seen_merged) return;
  city_seen = scene.blocks;
  city_seen_merged = scene.merged;
  state.city.put(std::move(scene));
}

void WindowSession::Impl::look_at_city_when_due() {
  if (!city_open || std::chrono::steady_clock::now() < look_at_city_at) return;
  look_at_city_at = std::chrono::steady_clock::now() + kCityLook;
  watching.add([this] { look_at_city(); });
}

void WindowSession::Impl::begin_city(const fs::path& folder, std::optional<int> part) {
  city_open = true;
  begin_opening(folder.filename().string());
  openings.add(
      [this, folder, part, number = ++city_number, mine = opening] { open_city(folder, part, number, *mine); });
}

void WindowSession::Impl::close_city() {
  if (!city_open) return;
  city_open = false;
  ++city_number;
  watching.add([this] {
    city_on_show.reset();
    state.city.put({});
  });
}

void WindowSession::Impl::carry_out(viewer::OpenCityPart& command) {
  cancel_opening();
  begin_city(command.city, command.part);
}

}  // namespace app
