// What the application reported last, as the window keeps it, and what follows from it alone. Written by the workspace,
// read by the panels and the viewport.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "studio/documents/messages.h"
#include "studio/model/messages.h"
#include "studio/window/messages.h"
#include "viewer/draw/canvas.h"
#include "viewer/draw/changed_rows.h"
#include "viewer/live/engine_image.h"

namespace studio {

struct LogLine {
  NoticeKind kind;
  std::string text, time;  // "14:03:07"
};

struct Received {
  std::optional<OpenedSplats> splats;
  std::optional<OpenedDataset> dataset;
  size_t splat_rows = 0;                 // of `splats` as they are now: edits add rows and take them away
  int splat_degree = 0;                  // of spherical harmonics, likewise
  std::deque<ChangedRows> changed_rows;  // by edits, that the viewport has not taken yet, oldest first
  uint64_t splats_loaded = 0;            // counts up with every new value of `splats`, and so on
  uint64_t dataset_loaded = 0, cameras_changed = 0;
  std::optional<Bounds> beside;  // what a feature shows beside splats and dataset, or alone
  TrainingState training;
  WorkProgress progress;
  std::optional<Abilities> devices;
  std::optional<EngineImage> engine_image;  // newest; moved to the GPU by the viewport
  std::deque<LogLine> log;
  std::string message;                                    // a warning or an error that nothing has followed yet
  std::string message_seen;                               // as of the last frame
  double message_at = 0;                                  // s, when that came
  std::deque<Notice> errors;                              // to be shown in a dialog, oldest first
  std::map<int, PictureTexture> thumbnails;               // by view
  std::map<std::string, PictureTexture> recent_pictures;  // by path
  std::map<int, PictureTexture> bookmark_pictures;        // by Navigator::bookmarks()
  PictureTexture result_picture;                          // of what the run that has ended came to
  Navigator::Bookmarks bookmarks_pictured;                // as these were asked for
  std::map<std::string, std::string> about_recent;        // of runs among them, and of their datasets: how far they are
  int photo_view = -1;                                    // of `photo`
  PictureTexture photo;

  std::optional<Continuation> stopped_run;  // the newest of the dataset that is open, where it was stopped

  bool has_splats() const;  // that can be saved: of the run while there is one, else those that are open
  bool anything_open() const { return splats || dataset || beside; }
  int sh_degree() const;                     // of the splats that are shown
  const Continuation* continuation() const;  // of the run that has ended, is open or was stopped; null: none
  std::filesystem::path scene_path() const;  // of what is open; empty: nothing
  std::filesystem::path run_folder() const;  // of the run that is shown, or that is open; empty: none

  // The photos' cameras: the dataset's, else those that the splats came with. Index = view everywhere.
  const std::vector<PhotoCamera>& cameras() const;
  bool has_photos() const { return dataset || (splats && splats->has_photos); }

  bool training_active() const { return training.active(); }
  bool live() const { return training.live(); }
  bool trains_now() const { return training.trains_now(); }
  bool shows_run() const;  // one that was begun with the dataset that is open

  void take_thumbnail(Thumbnail&& thumbnail);
  void take_bookmark_picture(const BookmarkPicture& made);
  // As cameras are found: each thumbnail stays with its photo, which may be another view among those of now.
  void keep_thumbnails(const std::vector<PhotoCamera>& now);
  void add_log_line(NoticeKind kind, std::string text);  // the oldest lines beyond 2000 are dropped
};

}  // namespace studio
