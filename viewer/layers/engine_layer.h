// The scene as the engine draws it: asks for pictures of the view, and shows the newest that came.
#pragma once

#include <cstdint>
#include <optional>

#include "viewer/draw/canvas.h"
#include "viewer/layers/full_screen.h"
#include "viewer/layers/layer.h"
#include "viewer/live/engine_image.h"
#include "viewer/mailbox.h"

namespace viewer {

class EngineLayer final : public Layer {
 public:
  using Requests = Mailbox<std::optional<RenderRequest>>;  // nullopt: it draws for nobody
  explicit EngineLayer(Requests& requests) : requests_(requests) {}

  void clear();  // another model is open
  void set(EngineImage image);
  void ask_nothing();

  splat::Status build() override;
  bool update(const splat::View& view) override;
  bool settled() const override;
  Pass pass() const override { return Pass::kScene; }
  bool drawn() const override { return look.shown && !texture_.empty(); }
  void draw(const splat::View& view) override;

  const EngineImage& newest() const { return newest_; }  // without its pixels
  uint64_t pictures() const { return pictures_; }        // so far

  struct Look {
    bool shown = false;
    DisplaySettings settings;
    ShownMove moved;
  } look;

 private:
  Requests& requests_;
  FullScreen opaque_, see_through_;
  PictureTexture texture_;
  EngineImage newest_;
  std::optional<RenderRequest> asked_;
  uint64_t pictures_ = 0;
};

}  // namespace viewer
