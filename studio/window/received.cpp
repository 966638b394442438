#include "studio/window/received.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>

namespace studio {
namespace {

constexpr size_t kMaxLogLines = 2000;

std::string clock_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

}  // namespace

std::filesystem::path Received::scene_path() const {
  if (dataset) return dataset->path;
  return !splats ? "" : splats->city.empty() ? splats->path : splats->city;
}

bool Received::has_splats() const { return (splats && !training_active() ? splat_rows : training.splats) > 0; }

int Received::sh_degree() const { return !training_active() && splats ? splat_degree : training.sh_degree; }

const Continuation* Received::continuation() const {
  if (training_active()) return nullptr;
  if (training.status != RunStatus::kNone) return training.continuation ? &*training.continuation : nullptr;
  if (splats) return splats->continuation ? &*splats->continuation : nullptr;
  return dataset && stopped_run ? &*stopped_run : nullptr;
}

std::filesystem::path Received::run_folder() const {
  if (shows_run()) return training.output;
  const Continuation* run = splats ? continuation() : nullptr;
  return run ? run->output : "";
}

const std::vector<PhotoCamera>& Received::cameras() const {
  static const std::vector<PhotoCamera> none;
  return dataset ? dataset->cameras : splats ? splats->cameras : none;
}

bool Received::shows_run() const {
  return training.status != RunStatus::kNone && !training.never_began() && !(dataset && dataset->growing);
}

void Received::take_thumbnail(Thumbnail&& thumbnail) {
  if (dataset && dataset->growing) {
    const auto found = std::find_if(cameras().begin(), cameras().end(),
                                    [&](const PhotoCamera& camera) { return camera.name == thumbnail.name; });
    if (found == cameras().end()) return;
    thumbnail.view = int(found - cameras().begin());
  }
  thumbnails[thumbnail.view].set(thumbnail.picture);
}

void Received::take_bookmark_picture(const BookmarkPicture& made) {
  const EngineImage& picture = made.picture;
  if (picture.rgba.empty()) return;
  PictureTexture& shown = made.bookmark == kResultPicture ? result_picture : bookmark_pictures[made.bookmark];
  shown.set(picture.width, picture.height, 4, picture.rgba.data());
}

void Received::keep_thumbnails(const std::vector<PhotoCamera>& now) {
  auto before = std::exchange(thumbnails, {});
  std::map<std::string, int> views;
  for (size_t i = 0; i < cameras().size(); ++i) views[cameras()[i].name] = int(i);
  for (size_t i = 0; i < now.size(); ++i) {
    const auto found = views.find(now[i].name);
    auto kept = found != views.end() ? before.extract(found->second) : decltype(before)::node_type();
    if (kept.empty()) continue;
    kept.key() = int(i);
    thumbnails.insert(std::move(kept));
  }
}

void Received::add_log_line(NoticeKind kind, std::string text) {
  message = kind == NoticeKind::kInfo ? "" : text;
  log.push_back({kind, std::move(text), clock_time()});
  if (log.size() > kMaxLogLines) log.pop_front();
}

}  // namespace studio
