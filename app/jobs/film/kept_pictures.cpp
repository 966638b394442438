#include "app/jobs/film/kept_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "align/external_tool.h"
#include "app/jobs/film/film_target.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"
#include "io/image_file.h"

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kComment = "hipsplat film of training ";

align::ToolCommand reading(const FilmPlace& place, std::vector<std::string> format) {
  align::ToolCommand command;
  command.program = place.ffmpeg;
  command.arguments = {"-nostdin", "-v", "error", "-i", align::ffmpeg_name(place.output)};
  command.arguments.insert(command.arguments.end(), format.begin(), format.end());
  command.arguments.emplace_back("-");
  command.grace_seconds = 0;
  return command;
}

// The length of the run that this film shows, in iterations; 0: the file is no film of the run.
int iterations_of(const ResumedFilm& film, const FilmPlace& place, const splat::StopAsked& stopped) {
  constexpr size_t kMost = size_t(1) << 20;
  std::string text;
  align::ToolCommand command = reading(place, {"-f", "ffmetadata"});
  command.on_bytes = [&](std::string_view bytes) { text += bytes.substr(0, kMost - std::min(kMost, text.size())); };
  command.cancelled = stopped;
  align::run_tool(command);
  const std::string wanted = film_comment(film.film, 0), begin = wanted.substr(0, wanted.rfind(' ') + 1);
  const size_t at = text.find(begin);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + begin.size());
}

// What a picture shows is nearer to what is due than the state there is now.
bool is_nearer(const ResumedFilm& film, int picture, int iterations) {
  const int due = iteration_of(picture, film.pictures, film.iterations);
  const int shown = iteration_of(picture, film.pictures, iterations);
  return due < film.now && std::abs(shown - due) <= film.now - due;
}

}  // namespace

int iteration_of(int picture, int pictures, int iterations) {
  const int64_t last = std::max(pictures - 1, 1);
  return int((int64_t(picture) * iterations + last - 1) / last);
}

std::string film_comment(const nlohmann::json& film, int iterations) {
  nlohmann::json same = film;
  same.erase("iterations");
  uint64_t sum = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : json_line(same)) sum = (sum ^ uint8_t(c)) * 0x100000001b3;
  return fmt::format("{}{:016x} {}", kComment, sum, iterations);
}

int keep_pictures(const ResumedFilm& film) {
  const int noted = number_noted(film.folder, "iterations");
  if (film_note(film.folder, film.film) != FilmNote::kSame || noted == 0 || noted == film.iterations) return 0;
  int others = 0;
  for (int i = 0; i < film.pictures; ++i) {
    std::error_code code;
    const fs::path picture = picture_file(film.folder, i);
    const int due = iteration_of(i, film.pictures, film.iterations);
    if (due == iteration_of(i, film.pictures, noted) || !fs::exists(picture, code)) continue;
    if (is_nearer(film, i, noted))
      ++others;
    else
      fs::remove(picture, code);
  }
  return others;
}

int take_pictures_back(const ResumedFilm& film, const FilmPlace& place, const splat::StopAsked& stopped) {
  std::error_code code;
  if (!fs::is_regular_file(place.output, code)) return 0;
  const int iterations = iterations_of(film, place, stopped);
  if (iterations == 0) return 0;
  const size_t bytes_each = size_t(film.width) * size_t(film.height) * 3;
  int next = 0, taken = 0;
  std::string waiting;
  splat::Status written;
  const auto due_before = [&](int picture) {
    return picture < film.pictures && iteration_of(picture, film.pictures, film.iterations) < film.now;
  };
  align::ToolCommand command =
      reading(place, {"-sws_flags", "bicubic+accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", "rgb24"});
  command.cancelled = [&] { return !written || !due_before(next) || (stopped && stopped()); };
  command.on_bytes = [&](std::string_view bytes) {
    waiting += bytes;
    for (; waiting.size() >= bytes_each && written && due_before(next); ++next) {
      splat::Image8 image{film.width, film.height, 3, {waiting.begin(), waiting.begin() + ptrdiff_t(bytes_each)}};
      waiting.erase(0, bytes_each);
      const fs::path picture = picture_file(film.folder, next);
      if (fs::exists(picture, code) || !is_nearer(film, next, iterations)) continue;
      written = io::write_file_atomically(picture, io::encode_png(image));
      taken += written.ok();
    }
    if (!due_before(next)) waiting.clear();
  };
  align::run_tool(command);
  return taken;
}

}  // namespace app
