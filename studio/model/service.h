// Pictures of the model on the screen as files, and the point of its surface under a pixel.
#pragma once

#include <filesystem>

#include "splat/model/image.h"
#include "studio/context.h"
#include "studio/model/messages.h"
#include "studio/service.h"

namespace studio {

class ModelService final : public Service {
 public:
  explicit ModelService(Context& context);

 private:
  void pick(const PickPoint& wanted);
  void save_rendering(SaveRendering&& wanted);
  void make_picture_to_copy(const splat::Image8& picture);                             // on the writing thread
  void save_picture(const std::filesystem::path& path, const splat::Image8& picture);  // on the writing thread

  Context& context_;
};

}  // namespace studio
