// What concerns the program as a whole: work in progress, notices, settings, the end.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "devices/registry.h"
#include "splat/model/image.h"
#include "studio/names.h"

namespace studio {

// ---- requests

struct CancelWork {};  // what is opened, found or made: what was open, and what an alignment has done, stays
struct SaveSettings {  // of the window, as the application keeps them
  std::string text;
};
struct SavePicture {  // as PNG
  std::filesystem::path path;
  splat::Image8 picture;
};
struct Quit {               // stops everything, saving a checkpoint of a run in progress; answered by a QuitDone
  bool keep_edits = false;  // those that are not saved, for the next start; else they are lost
};

// ---- reports

struct WorkProgress {
  using OnlyNewest = void;
  std::string what;     // "reading photos"; empty: nothing is going on
  float fraction = -1;  // [0,1]; negative: unknown
  bool can_cancel = false;
  std::string if_closed{};  // what becomes of it then, in a sentence: the window asks first; empty: it does not matter
};

// An error also pops up. Done: what the user asked for, shown over the scene for a moment; the log has it already.
enum class NoticeKind { kInfo, kWarning, kError, kDone };

struct Notice {
  NoticeKind kind = NoticeKind::kInfo;
  std::string text;                 // one sentence
  std::string mended_by{};          // of an error: the name of the action that helps; empty: none is known
  std::filesystem::path saved{};    // of what is done: the file or folder that was written; empty: none
  std::filesystem::path refused{};  // of an error: the folder in which a file could not be written; empty: none
};

// A splat format that can be written.
struct FormatRow {
  std::string name, extension, loss;    // "SPZ", ".spz", a sentence on what it does not keep; empty: keeps everything
  std::string loses, opened_by;         // in some words; programs
  bool compressed = false;              // sizes are predicted, and not exact
  std::vector<std::string> extensions;  // all that name it, ".gltf" too, which is only read
};

struct Abilities {  // what the program can do on this machine, once at its start
  std::vector<splat::BackendStatus> backends;
  std::vector<FormatRow> formats;
  // Endings of the files that hold splats, and of those that can be opened: with meshes, videos and parts of datasets.
  std::vector<std::string> splat_endings, endings;
};

struct QuitDone {};  // everything is saved: the window may close

}  // namespace studio
