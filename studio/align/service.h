// Photos and videos without cameras: the question about them, and finding their cameras while the window shows what is
// found.
#pragma once

#include <filesystem>

#include "studio/align/messages.h"
#include "studio/context.h"
#include "studio/service.h"

namespace studio {

class AlignService final : public Service {
 public:
  explicit AlignService(Context& context);

 private:
  void ask(const std::filesystem::path& input);
  void start(StartAlignment&& wanted);
  void align(const StartAlignment& wanted, Job& job);
  // `more`: it was shown before. False: not shown.
  bool show_growing(const std::filesystem::path& model, const std::filesystem::path& scene_folder, const Job& job,
                    bool more);

  Context& context_;
};

}  // namespace studio
