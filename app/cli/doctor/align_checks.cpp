#include "app/cli/doctor/align_checks.h"

#include <fmt/format.h>

#include "align/colmap/colmap.h"
#include "align/video/probe.h"

namespace app {
namespace {

Check colmap_check() {
  const auto colmap = align::Colmap::find();
  if (!colmap)
    return {"colmap", false, "photos without cameras (align) need it: " + colmap.error().message,
            "sudo apt install colmap"};
  const std::string advice = colmap->advice();
  return {"colmap", true,
          fmt::format("{}, {}{}", colmap->version(), colmap->program().string(), advice.empty() ? "" : "; " + advice),
          ""};
}

Check video_check(const char* name, const std::filesystem::path& program) {
  if (program.empty()) return {name, false, "not installed; videos (align, train) need it", "sudo apt install ffmpeg"};
  return {name, true, fmt::format("{}, {}", align::version_of_ffmpeg(program), program.string()), ""};
}

}  // namespace

Checks align_checks() {
  const align::VideoTools tools = align::find_video_tools();
  return {colmap_check(), video_check("ffmpeg", tools.ffmpeg), video_check("ffprobe", tools.ffprobe)};
}

}  // namespace app
