// Draws a model in every mode by a backend of its own, which is made when first needed; keeps the variant of the model
// (model_variant.h) that it uploaded last, and how the states of its rows are shown. Belongs to one thread. prepare(),
// draw() and seeing() throw what the backend throws (DeviceError, std::bad_alloc); release() is in order then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/edit/edited_model.h"
#include "viewer/live/engine_image.h"
#include "viewer/live/model_variant.h"
#include "viewer/live/shown_states.h"

namespace viewer {

class VariantDrawer {
 public:
  using MakeBackend = std::function<splat::Result<std::unique_ptr<splat::Backend>>()>;
  explicit VariantDrawer(MakeBackend make_backend) : make_backend_(std::move(make_backend)) {}

  // Whether the backend's memory is the host's, as the processor's is; made for that if need be. False as well: it
  // cannot be made, which prepare() will say.
  bool on_host();
  bool prepared_for(const DisplaySettings& settings) const { return uploaded_ == variant_for(settings); }
  // Uploads what these settings need of the model unless it is there. An error: the backend cannot be made.
  splat::Status prepare(const DisplaySettings& settings, const splat::Gaussians& model);
  // The same for a model that is edited. Another state of a row costs no upload.
  splat::Status prepare(const DisplaySettings& settings, const splat::Gaussians& model, const ShownRows& rows);
  // Rows that changed since edited.forget_changes(), of the model that it was last prepared for.
  void take_changes(const splat::edit::EditedModel& edited);
  // Draws those rows of it there from now on. Only the splats as they are: other variants stand still.
  void show_moved(const splat::edit::EditedModel& edited, const ShownMove& move);
  EngineImage draw(const RenderRequest& request, int divisor);  // prepared for its settings
  // Prepared for the splats as they are: the backend, whose last forward() shows this view. Nothing is drawn where the
  // last picture was just this one.
  splat::Backend& seeing(const splat::View& view, const splat::ScreenFilter& filter);
  splat::ImageF picture(const splat::View& view,
                        const splat::ScreenFilter& filter);  // likewise, as it is prepared, on black
  // Whether the last picture was this one at full size, but for the tints of the selection.
  bool has_drawn(const RenderRequest& request) const;

  void forget_model();  // it has changed
  void release();       // frees the backend and what it holds

 private:
  struct Drawn {
    splat::View view;
    splat::RenderSettings settings;
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };
  splat::Status make();
  void show(const ShownRows& rows, const DisplaySettings& settings);

  MakeBackend make_backend_;
  std::unique_ptr<splat::Backend> backend_;
  std::optional<ModelVariant> uploaded_;
  double times_ = 1;  // near_scale() of it, by which it is enlarged
  void put_back(const splat::edit::EditedModel& edited);
  void write_rows(const splat::edit::EditedModel& edited, const splat::Similarity& by);

  ShownMove shown_move_;                            // as drawn
  std::vector<uint32_t> moved_rows_;                // by it
  std::vector<uint8_t> looks_;                      // [N] math::RowLook that the backend has, or none
  splat::math::Tint tint_ = kSelectionTints.of[0];  // of a selection, likewise
  std::optional<Drawn> drawn_;                      // by the last forward, of the splats as they are
  PositionColours colours_;
};

}  // namespace viewer
