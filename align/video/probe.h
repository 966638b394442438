// What ffprobe knows about a video, and the programs that read videos.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "splat/core/result.h"

namespace align {

struct VideoTools {
  std::filesystem::path ffmpeg, ffprobe;  // empty: not installed
};
VideoTools find_video_tools();
std::string missing_video_tools();  // a sentence that names the tool to install; empty: both are installed
std::string version_of_ffmpeg(const std::filesystem::path& program);  // "5.1.9"; empty: unknown

struct VideoInfo {
  int width = 0, height = 0;  // px, as stored: a turned phone's video is turned by ffmpeg
  double fps = 0, seconds = 0;
  bool hdr = false;  // PQ or HLG
  int stream = 0;    // of the file, as ffmpeg counts: not the first where that is a cover picture
};

std::vector<std::string> probe_arguments(const std::filesystem::path& video);            // of ffprobe
splat::Result<VideoInfo> parse_probe(const std::string& json, const std::string& name);  // the output of ffprobe
splat::Result<VideoInfo> probe_video(const std::filesystem::path& video);                // runs ffprobe

}  // namespace align
