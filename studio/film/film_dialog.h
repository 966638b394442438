// What a film is to be made with, a picture of it and how long it will take, and what became of it. Asks the
// application for all of that; the film is one of the splats' file along the path that is edited.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "studio/film/messages.h"
#include "studio/film/path_editor.h"
#include "studio/window/left_alone.h"
#include "studio/window/workspace.h"
#include "viewer/draw/canvas.h"

namespace studio {

class FilmDialog {
 public:
  FilmDialog(Workspace& shared, const PathEditor& editor);

  bool possible() const;            // there is something to film, by some path, and nothing else is being made
  void take(const PathRead& read);  // the size and pace that a path's file asks for; with even sides, as of films
  void ask(double time);            // opens it; s of the path: of the picture that is shown
  void draw();                      // and the notice at the end of a film
  double frame() const { return 1 / settings.per_second; }  // s
  double shape() const { return double(settings.width) / settings.height; }
  bool previewed() const { return preview_ && preview_->problem.empty(); }
  const std::optional<FilmEnded>& ended() const { return ended_; }

  FilmSettings settings = FilmRequest::usual_film();

 private:
  std::filesystem::path source() const;  // the file that is filmed, or a run's folder; empty: none
  FilmRequest choices() const;
  void size_rows();
  void look_rows();
  void draw_preview();
  void want_preview();
  void draw_prediction();
  void ask_where();
  void draw_notice();

  Workspace& work_;
  const PathEditor& editor_;
  std::string ending_ = ".mp4";
  bool asks_ = false;
  double time_ = 0;
  LeftAlone<FilmRequest> considered_;   // that the dialog shows
  std::optional<FilmPreview> preview_;  // without its picture
  PictureTexture picture_;
  std::optional<FilmEnded> ended_;  // shown until it is read
};

}  // namespace studio
