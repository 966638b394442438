// Photos beside what the splats show from their places, and the figures of the difference.
#pragma once

#include "studio/compare/messages.h"
#include "studio/context.h"
#include "studio/service.h"

namespace studio {

class CompareService final : public Service {
 public:
  explicit CompareService(Context& context);

 private:
  void compare_with_run(int view, const std::string& name);
  void compare_with_file(int view, const splat::DatasetView& photo);

  Context& context_;
};

}  // namespace studio
