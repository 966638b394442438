// Where the pictures of a film go: a folder of PNG files, or a film that ffmpeg encodes, in pieces of a few seconds
// that are joined at the end. What is finished stays, whatever happens, and is not made again by the same command;
// film.json beside it says of which film it is. Files appear whole or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/jobs/film/picture_queue.h"
#include "app/settings/film.h"
#include "splat/core/result.h"
#include "splat/core/stop.h"

namespace app {

struct TargetSettings {
  std::filesystem::path output;
  std::filesystem::path ffmpeg;  // of a film
  nlohmann::json film;           // all that its pictures depend on
  bool force = false;
  bool anew = false;           // pictures already written are drawn again, even if they belong to the same film
  splat::StopAsked stopped{};  // once true, writing ends as soon as it can
  std::string comment{};       // that a film carries; empty: none
};

class FilmTarget {
 public:
  virtual ~FilmTarget() = default;
  // Before anything is drawn: whether it may be written. Nothing is changed yet.
  virtual splat::Status check() const = 0;
  // Creates folders and removes files of another film. Returns the pictures that are still missing, in order.
  virtual splat::Result<std::vector<int>> begin() = 0;
  // Writes the missing pictures; runs on its own thread. An error ends the film; a closed queue is not an error.
  virtual splat::Status write(PictureQueue& queue) = 0;
  virtual splat::Status finish() = 0;  // after the last picture; an error if the film was stopped
};

// Which film the film.json in `folder` describes: none, the same film (also of a run of another length) or another one.
// Foreign: a file of that name that hipsplat has not written.
enum class FilmNote { kNone, kSame, kOther, kForeign };
FilmNote film_note(const std::filesystem::path& folder, const nlohmann::json& film);
int number_noted(const std::filesystem::path& folder, const char* name);  // "pictures" of film.json; 0: none
splat::Status write_film_note(const std::filesystem::path& folder, const nlohmann::json& film);

std::filesystem::path picture_file(const std::filesystem::path& folder, int index);
std::unique_ptr<FilmTarget> png_target(const TargetSettings& settings, const FilmPlan& plan,
                                       const FilmSettings& choices);
std::unique_ptr<FilmTarget> encoded_target(const TargetSettings& settings, const FilmPlan& plan,
                                           const FilmSettings& choices);

inline constexpr uint64_t kBytesPerFilmPixel = 60;  // of memory: drawn, and in the pictures that wait
// Approximate memory of ffmpeg 5.1 while it encodes: x264 and VP9 look ahead at pictures, ProRes does not.
uint64_t encoder_bytes(const std::filesystem::path& film, uint64_t pixels);

// ffmpeg's arguments between its input and its output, by the ending of the film's name.
std::vector<std::string> encoder_arguments(const std::string& ending, const FilmSettings& choices);

inline constexpr int kPiecePictures = 60;

inline int pieces_of(const FilmPlan& plan) { return (plan.end - plan.first + kPiecePictures - 1) / kPiecePictures; }

// Which of `count` pieces or pictures the task of `choices` makes: first .. second - 1.
inline std::pair<int, int> task_part(int count, const FilmSettings& choices) {
  if (choices.tasks == 0) return {0, count};
  const auto begin = [&](int64_t task) { return int(count * task / choices.tasks); };
  return {begin(choices.task), begin(choices.task + 1)};
}

}  // namespace app
