// Films, decoded by the ffmpeg on PATH.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace app::test {

inline std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[65536];
  for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, count);
  pclose(pipe);
  return text;
}

inline bool has_ffmpeg() { return std::system("command -v ffmpeg ffprobe > /dev/null 2>&1") == 0; }

// The pictures of a film, one behind the other: [N,H,W,3], or of 4 with alpha.
inline std::string decoded(const std::filesystem::path& film, const std::string& format = "rgb24") {
  // The decoder that knows VP9's alpha has to be asked for.
  const std::string decoder = film.extension() == ".webm" ? " -c:v libvpx-vp9" : "";
  return output_of("ffmpeg -nostdin -v error" + decoder + " -i '" + film.string() + "' -f rawvideo -pix_fmt " + format +
                   " -");
}

inline double psnr(const std::string& a, const std::string& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double difference = double(uint8_t(a[i])) - double(uint8_t(b[i]));
    sum += difference * difference;
  }
  return sum == 0 ? 100 : 10 * std::log10(255. * 255 * double(a.size()) / sum);
}

}  // namespace app::test
