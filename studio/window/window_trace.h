// The trace that tests follow a window by (WindowOptions::trace): a line for whatever changed, and the time of frames.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "studio/window/viewport.h"
#include "studio/window/window.h"
#include "studio/window/window_layout.h"
#include "studio/window/workspace.h"
#include "viewer/widgets/button_places.h"

namespace studio {

class WindowTrace {
 public:
  // write: none: nothing is traced.
  WindowTrace(std::function<void(const std::string&)> write, const Workspace& work, Viewport& viewport,
              const WindowLayout& layout)
      : write_(std::move(write)), work_(work), viewport_(viewport), layout_(layout) {}

  ButtonPlaces* places() { return write_ ? &places_ : nullptr; }  // where widgets note theirs; null: they need not
  void frame_is_shown();
  void frame_took(const FrameTime& time) const;
  void end(const WindowResult& result) const;

 private:
  void trace(const std::string& line) const;
  void trace_buttons();
  void trace_engine_picture();
  nlohmann::json state() const;

  const std::function<void(const std::string&)> write_;
  const Workspace& work_;
  Viewport& viewport_;
  const WindowLayout& layout_;
  int frames_ = 0;
  std::string traced_;
  uint64_t pictures_ = 0;
  ButtonPlaces places_;
  std::map<std::string, std::array<int, 2>> traced_places_;
};

}  // namespace studio
