// Camera paths and films: reads and writes path files, draws a picture beforehand, makes the film on the thread of
// meshes, from the file of the splats, as the command line does.
#pragma once

#include <atomic>
#include <cstdint>

#include "studio/context.h"
#include "studio/film/messages.h"
#include "studio/service.h"

namespace studio {

class FilmService final : public Service {
 public:
  explicit FilmService(Context& context);
  void scene_changed(bool same) override;
  void wind_down() override { ++previews_; }

 private:
  void read(ReadPath&& wanted);
  void save(SavePath&& wanted);
  void make(MakeFilm&& wanted);
  void make_of(const FilmRequest& film, Job& job);
  void preview(WantFilmPreview&& wanted);
  FilmPreview preview_of(const WantFilmPreview& wanted, const splat::Gaussians& splats,
                         const splat::ScreenFilter& filter);

  Context& context_;
  std::atomic<uint64_t> previews_{0};  // counts up: what is older is not wanted
};

}  // namespace studio
