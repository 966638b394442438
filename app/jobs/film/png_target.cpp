#include <fmt/format.h>

#include <algorithm>

#include "app/jobs/film/film_folder.h"
#include "app/jobs/film/film_mark.h"
#include "app/jobs/film/film_target.h"
#include "app/jobs/training/run_output.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "io/whole_file.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
using splat::Status;

namespace {

class PngTarget final : public FilmTarget {
 public:
  PngTarget(const TargetSettings& settings, const FilmPlan& plan, const FilmSettings& choices)
      : settings_(settings), plan_(plan), choices_(choices), depth_(choices.depth) {}

  // Pictures of an earlier film in the same folder may go; others stay.
  Status check() const override {
    SPLAT_TRY(check_writable_folder(settings_.output));
    if (settings_.force) return {};
    SPLAT_TRY(check_film_folder(settings_.output));
    const FilmNote note = film_note(settings_.output, settings_.film);
    if (note == FilmNote::kForeign) return taken(settings_.output / "film.json");
    for (int i = 0; note == FilmNote::kNone && i < plan_.pictures; ++i)
      for (const bool depth : {false, true})
        if (fs::exists(file(i, depth))) return taken(file(i, depth));
    return {};
  }

  splat::Result<std::vector<int>> begin() override {
    std::error_code code;
    fs::create_directories(settings_.output, code);  // an error shows when the first file is written
    io::remove_dead_partial_files(settings_.output, "");
    const FilmNote note = film_note(settings_.output, settings_.film);
    if (note != FilmNote::kSame || settings_.anew) {
      // Where there is none, nothing is removed: other parts of this film may be starting at the same time.
      constexpr int kMost = 10'000'000;  // a film has no more
      const int there = std::max(plan_.pictures, std::min(kMost, number_noted(settings_.output, "pictures")));
      for (int i = 0; (note != FilmNote::kNone || settings_.force) && i < there; ++i)
        for (const bool depth : {false, true}) fs::remove(file(i, depth), code);
      SPLAT_TRY(write_film_note(settings_.output, settings_.film));
    }
    std::vector<int> missing;
    const auto [from, to] = task_part(plan_.end - plan_.first, choices_);
    for (int i = plan_.first + from; i < plan_.first + to; ++i)
      if (!is_there(i, false) || (depth_ && !is_there(i, true))) missing.push_back(i);
    return missing;
  }

  Status write(PictureQueue& queue) override {
    const std::string xmp = png_mark(mark_of(choices_.projection), plan_.width, plan_.height);
    while (const auto picture = queue.take()) {
      if (depth_) {
        const io::Grey16 depth{picture->image.width, picture->image.height, picture->depth};
        SPLAT_TRY(io::write_file_atomically(file(picture->index, true), io::encode_grey16_png(depth)));
      }
      SPLAT_TRY(
          io::write_file_atomically(file(picture->index, false), io::with_xmp(io::encode_png(picture->image), xmp)));
    }
    return {};
  }

  Status finish() override { return {}; }

 private:
  static splat::Error taken(const fs::path& there) {
    return {fmt::format("'{}' is there already and belongs to no film: choose another folder, or give --force",
                        there.string())};
  }
  // Whole: a damaged one is drawn again.
  bool is_there(int index, bool depth) const {
    std::error_code code;
    const fs::path picture = file(index, depth);
    if (!fs::exists(picture, code)) return false;
    const bool whole = io::is_whole_png(picture, plan_.width, plan_.height);
    if (!whole) splat::log::warning(fmt::format("'{}' is damaged, and drawn again", picture.string()));
    return whole;
  }
  fs::path file(int index, bool depth) const {
    return depth ? settings_.output / fmt::format("depth_{:06}.png", index) : picture_file(settings_.output, index);
  }

  TargetSettings settings_;
  const FilmPlan& plan_;
  const FilmSettings& choices_;
  bool depth_;
};

}  // namespace

fs::path picture_file(const fs::path& folder, int index) { return folder / fmt::format("picture_{:06}.png", index); }

std::unique_ptr<FilmTarget> png_target(const TargetSettings& settings, const FilmPlan& plan,
                                       const FilmSettings& choices) {
  return std::make_unique<PngTarget>(settings, plan, choices);
}

}  // namespace app
