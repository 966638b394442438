#include "app/settings/bench_scenes.h"

#include <fmt/format.h>

#include "app/settings/row.h"

namespace app {

using splat::Error;
using splat::Result;
using splat::bench::SceneSize;

namespace {

constexpr int64_t kMaxSplats = 1'000'000'000, kMaxSide = 65'535;

// "500" from 1 to `most`, or 0.
int64_t count_up_to(std::string_view text, int64_t most) {
  const std::optional<int64_t> value = parse_integer(text);
  return value && *value >= 1 && *value <= most ? *value : 0;
}

Result<SceneSize> parse_scene(const std::string& text) {
  const size_t at = std::min(text.find('@'), text.size()), cross = std::min(text.find('x', at), text.size());
  const auto part = [&](size_t begin, size_t end) {
    return begin < end ? std::string_view(text).substr(begin, end - begin) : std::string_view();
  };
  const int64_t splats = count_up_to(part(0, at), kMaxSplats), width = count_up_to(part(at + 1, cross), kMaxSide),
                height = count_up_to(part(cross + 1, text.size()), kMaxSide);
  if (splats && width && height) return SceneSize{size_t(splats), int(width), int(height)};
  return Error{
      fmt::format("--bench-scenes needs SPLATS@WIDTHxHEIGHT such as 100000@500x375 (at most {} splats, sides of "
                  "at most {} px), not '{}'",
                  kMaxSplats, kMaxSide, text)};
}

}  // namespace

Result<std::vector<SceneSize>> parse_bench_scenes(const std::string& text) {
  std::vector<SceneSize> scenes;
  for (const std::string& part : split_list(text)) {
    SPLAT_ASSIGN_OR_RETURN(const SceneSize scene, parse_scene(part));
    scenes.push_back(scene);
  }
  if (scenes.empty()) return Error{"--bench-scenes needs scenes separated by commas, and got none"};
  return scenes;
}

std::string scene_name(const SceneSize& size) { return fmt::format("{}@{}x{}", size.splats, size.width, size.height); }

}  // namespace app
