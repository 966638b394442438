#include "align/video/probe.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "align/external_tool.h"
#include "io/json.h"

namespace align {

using splat::Error, splat::Result;

namespace {

// "30000/1001", "25", "12.48"; 0 for anything else. ffprobe writes all its fractions and most numbers as text.
double number_of(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return 0;
  const std::string text = value.get<std::string>();
  const size_t slash = text.find('/');
  const double above = std::atof(text.c_str());
  const double below = slash == std::string::npos ? 1 : std::atof(text.c_str() + slash + 1);
  const double number = below != 0 ? above / below : 0;
  return std::isfinite(number) && number > 0 ? number : 0;
}

}  // namespace

VideoTools find_video_tools() { return {find_program("ffmpeg"), find_program("ffprobe")}; }

std::string missing_video_tools() {
  const VideoTools tools = find_video_tools();
  if (!tools.ffmpeg.empty() && !tools.ffprobe.empty()) return {};
  return "ffmpeg and ffprobe, which read videos, are not installed; on Debian or Ubuntu: sudo apt install ffmpeg";
}

std::string version_of_ffmpeg(const std::filesystem::path& program) {
  std::string first;
  ToolCommand command;
  command.program = program;
  command.arguments = {"-version"};
  command.on_line = [&](std::string_view line, bool) {
    if (first.empty()) first = line;
  };
  run_tool(command);
  const size_t at = first.find("version ");
  if (at == std::string::npos) return {};
  return first.substr(at + 8, first.find_first_of(" -", at + 8) - at - 8);
}

Result<VideoInfo> parse_probe(const std::string& json, const std::string& name) {
  const auto parsed = io::parse_json(json, name);
  const Error none{"'" + name + "' holds no video that ffmpeg can read"};
  if (!parsed || !parsed->is_object()) return none;
  const auto streams = parsed->find("streams");
  if (streams == parsed->end() || !streams->is_array() || streams->empty() || !(*streams)[0].is_object()) return none;
  const nlohmann::json& stream = (*streams)[0];
  VideoInfo info;
  const auto field = [&](const nlohmann::json& object, const char* key) {
    return object.is_object() && object.contains(key) ? object[key] : nlohmann::json();
  };
  info.width = int(std::min(number_of(field(stream, "width")), 1e6));
  info.height = int(std::min(number_of(field(stream, "height")), 1e6));
  info.fps = number_of(field(stream, "avg_frame_rate"));
  info.seconds = number_of(field(field(*parsed, "format"), "duration"));
  const nlohmann::json transfer = field(stream, "color_transfer");
  info.hdr = transfer == "smpte2084" || transfer == "arib-std-b67";
  if (info.width <= 0 || info.height <= 0) return none;
  if (info.seconds <= 0)
    return Error{"'" + name + "' does not say how long it is: rewrite it with ffmpeg -i IN -c copy OUT"};
  if (info.fps <= 0) info.fps = 25;
  return info;
}

std::vector<std::string> probe_arguments(const std::filesystem::path& video) {
  return {"-v",  "error",         "-select_streams",
          "v:0", "-show_entries", "stream=width,height,avg_frame_rate,color_transfer:format=duration",
          "-of", "json",          ffmpeg_name(video)};
}

Result<VideoInfo> probe_video(const std::filesystem::path& video) {
  std::string json;
  ToolCommand command;
  command.program = find_video_tools().ffprobe;
  command.arguments = probe_arguments(video);
  command.on_bytes = [&](std::string_view bytes) { json += bytes; };
  const ToolResult result = run_tool(command);
  if (!result.ok()) return Error{tool_failure("ffprobe", result)};
  return parse_probe(json, video.string());
}

}  // namespace align
