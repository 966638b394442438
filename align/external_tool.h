// Runs another program: its output is reported as it comes, cancelling reaches the whole process group, and however the
// run ends, nothing of the program stays behind. A keeper process between us and the program leads its own process
// group: a Ctrl-C of the terminal does not reach it, and when hipsplat dies, by SIGKILL too, the keeper ends the group.
// The calling thread waits in run_tool() and calls the callbacks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"

namespace align {

struct ToolCommand {
  std::filesystem::path program;  // with a folder; see find_program()
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // "NAME=value", beside our own
  std::filesystem::path folder;          // where it runs; empty: here
  // stdout and stderr, see LineSplitter; stderr alone where on_bytes takes stdout.
  std::function<void(std::string_view line, bool continued)> on_line;
  std::function<void(std::string_view bytes)> on_bytes;
  // What the program reads: asked for the next bytes, which stay where they are until it is asked again; none: the end.
  // May wait for them. Without it the program reads nothing.
  std::function<std::string_view()> input;
  std::function<void()> on_tick;    // every 100 ms or so
  std::function<bool()> cancelled;  // once true: SIGINT to the group, after grace_seconds SIGKILL
  double grace_seconds = 5;
  std::filesystem::path log;  // every byte of the lines is appended there; empty: nowhere
};

enum class ToolEnd {
  kExited,       // by itself, with `code`
  kSignalled,    // by signal `code`: it crashed, or somebody ended it
  kOutOfMemory,  // the system ended it, or an allocation failed
  kDiskFull,     // it said that nothing is left on the device
  kCancelled,    // by us
  kNotStarted,   // `problem` says why
};

struct ToolResult {
  ToolEnd end = ToolEnd::kNotStarted;
  int code = 0;
  std::string problem;                  // of kNotStarted
  std::vector<std::string> last_lines;  // the last 40
  double seconds = 0;
  uint64_t peak_bytes = 0;  // physical memory of the program
  bool ok() const { return end == ToolEnd::kExited && code == 0; }
};

ToolResult run_tool(const ToolCommand& command);

// "colmap mapper ended with exit code 1; its last lines: ...": for anything but success.
std::string tool_failure(const std::string& name, const ToolResult& result);

// A file's name for ffmpeg and ffprobe, which take "a:b" for a protocol and "-a" for an option.
std::string ffmpeg_name(const std::filesystem::path& file);

// The executable `name` on PATH, or `name` itself where it has a folder; empty: none.
std::filesystem::path find_program(const std::string& name);

}  // namespace align
