// An X server without a screen (Xvfb) for tests that open a window: started by the constructor, ended by the
// destructor.
#pragma once

#include <sys/types.h>

#include <string>

#include "splat/model/image.h"
#include "tests/support/temp_folder.h"

namespace test {

class VirtualDisplay {
 public:
  VirtualDisplay(int width, int height);  // px
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  void crash();  // the server is killed; whatever is connected loses it

  bool running() const { return !name_.empty(); }
  const std::string& name() const { return name_; }  // ":99"; empty: there is no Xvfb here, or it did not start
  splat::Image8 picture() const;                     // what is on the screen, RGB; empty when it cannot be read

 private:
  void end_by(int signal);

  splat::test::TempFolder folder_;  // Xvfb keeps its screen in a file there
  pid_t process_ = -1;
  std::string name_;
};

}  // namespace test
