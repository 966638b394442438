// Photos without cameras in the window: whether and how they are to be found. The scene grows meanwhile as any dataset.
#pragma once

#include "studio/align/messages.h"
#include "studio/feature.h"
#include "studio/window/workspace.h"

namespace studio {

class AlignFeature final : public Feature {
 public:
  explicit AlignFeature(Workspace& shared);
  void draw_dialogs() override;

 private:
  UnalignedPhotos photos_;
  AlignmentRequest request_;
  bool asks_ = false;  // the dialog is open
};

}  // namespace studio
