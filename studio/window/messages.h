// What concerns the program as a whole: work in progress, notices, settings, the end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "devices/registry.h"
#include "splat/model/image.h"

namespace viewer {

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
};

// An error also pops up. Done: what the user asked for, shown over the scene for a moment; the log has it already.
enum class NoticeKind { kInfo, kWarning, kError, kDone };

struct Notice {
  NoticeKind kind = NoticeKind::kInfo;
  std::string text;  // one sentence
};

// One option of training with its help.
struct SettingRow {
  std::string name, placeholder, help;
  std::string default_value;         // "automatic": decided by the run's length or its photos
  std::vector<std::string> choices;  // where there are only these
  bool fine = false;                 // one that only --help-all lists

  bool is_flag() const { return placeholder.empty(); }
};

// A splat format that can be written.
struct FormatRow {
  std::string name, extension, loss;    // "SPZ", ".spz", a sentence on what it does not keep; empty: keeps everything
  std::vector<std::string> extensions;  // all that name it, ".gltf" too, which is only read
};

struct Devices {  // what the program can do on this machine, once at its start
  std::vector<splat::BackendStatus> backends;
  std::vector<SettingRow> settings;
  std::vector<FormatRow> formats;
};

struct QuitDone {};  // everything is saved: the window may close

}  // namespace viewer
