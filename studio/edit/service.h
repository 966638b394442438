// Editing: steps are carried out on the engine's thread, which then draws their result; files are added and saved.
// What is not saved is kept every few seconds, and offered when the window or the file is opened again.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "io/splats/predicted_size.h"
#include "studio/context.h"
#include "studio/edit/editing.h"
#include "studio/edit/messages.h"
#include "studio/service.h"

namespace studio {

class EditService final : public Service {
 public:
  explicit EditService(Context& context);

  // On the engine's thread: of the splats that are open.
  Editing& begin();

  void scene_changed(bool same) override;
  void splats_opened(const std::filesystem::path& path, bool restores) override;
  std::optional<std::chrono::milliseconds> turn() override;
  void wind_down() override;

 private:
  void carry_out(EditScene&& wanted);
  void report(const splat::edit::EditedModel& edited, EditedScene&& scene);
  void add(AddSplats&& wanted);
  void read_and_add(const AddSplats& wanted, Job& job);
  void restore(const std::filesystem::path& splats);
  void restore_or_open(const std::filesystem::path& splats);
  void save(const ExportSplats& wanted);
  void save_run(const ExportSplats& wanted);
  void save_opened(const ExportSplats& wanted, const splat::Gaussians& model, const splat::edit::EditedModel* edited);
  void note_saved(const std::filesystem::path& splats, splat::edit::EditedState&& state,
                  const std::filesystem::path& file, double units);
  io::PageContents page_of(const splat::Gaussians& model);
  void predict(const PredictSizes& wanted);
  void predict(const PredictSizes& wanted, const io::SizeSample& sample, int sh_degree);
  void save_box(SaveBox&& wanted);
  bool write(const ExportSplats& wanted, const splat::Gaussians& model, const io::SplatFileInfo& info);

  Context& context_;
  std::unique_ptr<Editing> editing_;                              // of the engine's thread; null: nothing was edited
  std::optional<std::chrono::steady_clock::time_point> keep_at_;  // of the dispatcher
};

}  // namespace studio
