#include "align/video/probe.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

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

nlohmann::json field(const nlohmann::json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : nlohmann::json();
}

// A stream of pictures as ffprobe lists it.
struct Stream {
  const nlohmann::json* json = nullptr;
  int index = 0;
  double pixels = 0, seconds = 0;  // seconds 0: not said
};

// The largest of those that last: cover pictures, previews and a still among them are passed over, and of a drone's two
// cameras the one that sees more. Null: there is none.
std::optional<Stream> chosen_stream(const nlohmann::json& streams) {
  std::vector<Stream> found;
  double longest = 0;
  for (size_t i = 0; i < streams.size(); ++i) {
    const nlohmann::json& json = streams[i];
    const bool cover = number_of(field(field(json, "disposition"), "attached_pic")) > 0;
    const bool still = number_of(field(json, "nb_frames")) == 1 && streams.size() > 1;
    Stream stream{&json, int(i), number_of(field(json, "width")) * number_of(field(json, "height")),
                  number_of(field(json, "duration"))};
    if (const nlohmann::json index = field(json, "index"); index.is_number_integer()) stream.index = index.get<int>();
    if (cover || still || stream.pixels <= 0) continue;
    longest = std::max(longest, stream.seconds);
    found.push_back(stream);
  }
  std::erase_if(found, [&](const Stream& stream) { return stream.seconds > 0 && stream.seconds < longest / 2; });
  const auto best = std::max_element(found.begin(), found.end(),
                                     [](const Stream& a, const Stream& b) { return a.pixels < b.pixels; });
  return best == found.end() ? std::nullopt : std::optional(*best);
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
  if (streams == parsed->end() || !streams->is_array()) return none;
  const auto chosen = chosen_stream(*streams);
  if (!chosen) return none;
  const nlohmann::json& stream = *chosen->json;
  VideoInfo info;
  info.stream = chosen->index;
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
  return {"-v",
          "error",
          "-select_streams",
          "v",
          "-show_entries",
          "stream=index,width,height,avg_frame_rate,color_transfer,nb_frames,duration:stream_disposition=attached_pic:"
          "format=duration",
          "-of",
          "json",
          ffmpeg_name(video)};
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
