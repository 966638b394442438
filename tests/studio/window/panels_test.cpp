// What panels and dialogs say and where, without a window.
#include "studio/window/panels.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "studio/align/messages.h"
#include "studio/blocks/messages.h"
#include "studio/cleanup/cleanup_panel.h"
#include "studio/compare/messages.h"
#include "studio/mesh/messages.h"
#include "studio/runs/messages.h"
#include "studio/runs/run_curves.h"
#include "studio/window/clicked.h"
#include "studio/window/features.h"
#include "studio/window/scene_overlay.h"
#include "studio/window/window_actions.h"
#include "tests/studio/drawn.h"

namespace studio {
namespace {

class Panels : public DrawnTest {
 protected:
  Panels() { add_features(work_); }
  void draw_dialogs() {
    work_.all([](Feature& feature) { feature.draw_dialogs(); });
  }
  std::string words_of_dialogs() {
    return words_of([this] { draw_dialogs(); });
  }
  // A section of a column that is so wide.
  void draw_section(Column column, const std::string& title, float width) {
    ImGui::SetNextWindowSize({width, 600});
    ImGui::Begin("panel");
    std::vector<PanelSection> sections;
    work_.all([&](Feature& feature) { feature.add_sections(column, sections); });
    for (const PanelSection& section : sections)
      if (section.title == title) section.draw();
    ImGui::End();
  }
  static testing::AssertionResult has(const std::string& words, const std::string& part) {
    if (words.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << part << "' is not in: " << words;
  }

  Bridge bridge_;
  Workspace work_{bridge_};
};

TEST_F(Panels, TheListOfActionsShowsTheirKeysWhole) {
  work_.dialogs.show_palette = true;
  const std::string words = words_of([this] { draw_palette(work_); });
  EXPECT_TRUE(has(words, "Ctrl+Shift+O"));
  const ImGuiWindow* list = nullptr;
  for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
    if (one->WasActive && std::string(one->Name).find("/actions") != std::string::npos) list = one;
  ASSERT_TRUE(list);
  EXPECT_GT(list->ScrollMax.y, 0) << "it is longer than what is seen of it";
  EXPECT_LE(list->ContentSize.x, list->InnerRect.GetWidth()) << "keys end within it, beside its scroll bar";
}

TEST_F(Panels, TheMenuOfAPhotoEndsWhenItsNumberIsAnothers) {
  auto& cameras = work_.received.dataset.emplace().cameras;
  cameras.resize(2);
  cameras[0].name = "a.jpg", cameras[1].name = "b.jpg";
  const auto menu = [this] { draw_clicked_menu(work_); };
  ask_menu(work_, photo_clicked(work_, 1));
  EXPECT_TRUE(has(words_of(menu), "Look from this photo"));
  std::swap(cameras[0].name, cameras[1].name);
  EXPECT_FALSE(has(words_of(menu), "Look from this photo"));
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

TEST_F(Panels, TheSheetOfKeysHasColumnsAsWideAsItsWords) {
  work_.dialogs.show_keys = true;
  words_of([this] { draw_popups(work_); });
  const ImGuiTable* sheet = ImGui::GetCurrentContext()->Tables.TryGetMapData(0);
  ASSERT_TRUE(sheet && sheet->ColumnsCount == 2);
  for (const ImGuiTableColumn& column : sheet->Columns)
    EXPECT_GT(column.WorkMaxX - column.WorkMinX, 20 * ImGui::GetFontSize()) << "an action's name stands in one line";
}

TEST_F(Panels, TheQuestionAboutPhotosSaysHowManyAndHowLong) {
  UnalignedPhotos photos;
  photos.input = "/photos/garden", photos.scene = "/photos/garden_scene";
  const auto asked = [&](size_t count) {
    photos.photos = count;
    photos.holds = std::to_string(count) + " photos";
    bridge_.reports.put(photos);
    work_.receive();
    return words_of_dialogs();
  };
  EXPECT_TRUE(has(asked(48), "holds 48 photos"));
  EXPECT_TRUE(has(asked(48), "It takes about a minute"));
  EXPECT_FALSE(has(asked(48), "So few photos"));
  EXPECT_TRUE(has(asked(200), "ten minutes and more"));
  EXPECT_TRUE(has(asked(3), "So few photos"));
  EXPECT_TRUE(has(asked(1), "One photo shows no depth"));
  photos.begun = true;
  EXPECT_TRUE(has(asked(48), "goes on where it was"));
}

TEST_F(Panels, DatasetsAmongPhotosAreOffered) {
  UnalignedPhotos photos;
  photos.input = "/data", photos.photos = 63, photos.holds = "63 photos in 5 folders and 2 datasets (banana, plush)";
  photos.datasets = {"/data/banana", "/data/plush"};
  bridge_.reports.put(photos);
  work_.receive();
  words_of_dialogs();
  const std::string after = click("Open 'plush'", [this] { draw_dialogs(); });
  const auto opened = bridge_.requests.take<OpenPath>();
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->path, "/data/plush");
  EXPECT_FALSE(has(after, "From where each photo")) << "the question is answered";
}

TEST_F(Panels, ClosingSaysWhatBecomesOfTheWorkUntilThatIsDone) {
  work_.received.progress = {"placing photos", 0.5f, true, "What was found is kept."};
  const auto draw = [this] { draw_popups(work_); };
  const auto words = [&] { return words_of(draw); };
  EXPECT_TRUE(has(words(), "Placing photos"));
  EXPECT_TRUE(has(words(), "50 %"));
  work_.ask_to_close();
  EXPECT_TRUE(has(words(), "What was found is kept."));
  EXPECT_FALSE(has(click("Keep going", draw), "What was found is kept."));
  EXPECT_FALSE(work_.dialogs.closing);
  work_.ask_to_close();
  words();
  work_.received.progress = {};
  EXPECT_FALSE(has(words(), "Keep going"));
  EXPECT_FALSE(work_.dialogs.show_work_question);
  work_.received.progress.if_closed = "The mesh is lost.";
  work_.ask_to_close();
  words();
  click("Close", draw);
  EXPECT_TRUE(bridge_.requests.take<Quit>());
}

TEST_F(Panels, ACleanUpThatCostsSomethingSaysSo) {
  work_.received.splats.emplace();
  work_.received.splats->has_photos = true;
  work_.edit.scene.emplace();
  CleanupProposal proposal;
  proposal.held_out = 2;
  proposal.scores = {{}, {3, 2}};
  work_.edit.cleanup.proposal = proposal;
  work_.edit.cleanup.unfold = true;
  const auto words = [&](double before, double after) {
    work_.edit.cleanup.effect = {before, after, work_.edit.scenes};
    return words_of([this] {
      ImGui::SetNextWindowSize({300, 600});
      ImGui::Begin("panel");
      draw_cleanup_panel(work_);
      ImGui::End();
    });
  };
  EXPECT_TRUE(has(words(27.23, 27.18), "fit less well without it"));
  EXPECT_TRUE(has(words(27.23, 27.18), "27.23 to 27.18 dB")) << "in a line of the panel";
  EXPECT_FALSE(has(words(27.18, 27.23), "fit less well without it"));
  EXPECT_TRUE(has(words(27.23, 27.228), "then Delete"));
}

// The sections of the right column.
class RunPanel : public Panels {
 protected:
  std::string shown(float width = 270) {
    return words_of([&] { draw_section(Column::kRight, "Training", width); });
  }
};

TEST_F(RunPanel, ARunThatHasComeToItsEndIsNotStopping) {
  work_.received.dataset.emplace();
  TrainingState& run = work_.received.training;
  run.status = RunStatus::kStopping;
  run.iterations = 2000, run.iteration = 2000;
  EXPECT_TRUE(has(shown(), "Writing the results"));
  run.iteration = 953;
  EXPECT_TRUE(has(shown(), "Stopping"));
}

TEST_F(RunPanel, APredictionHasTwoDigitsAndWhatIsReadyIsNotCut) {
  work_.received.dataset.emplace();
  work_.received.dataset->cameras.resize(32);
  work_.received.dataset->points.rgb.resize(size_t(3) * 7000);
  const auto predicted = [&](double seconds) {
    RunPrediction found;
    found.seconds = seconds, found.splats = 53'486;
    bridge_.reports.put(std::move(found));
    work_.receive();
    return shown();
  };
  EXPECT_TRUE(has(predicted(1219), "About 20 min, "));
  const std::string words = predicted(567);
  EXPECT_TRUE(has(words, "About 9 min 30 s, 53\u00a0000 splats"));
  EXPECT_TRUE(has(words, "32 photos"));
  EXPECT_FALSE(has(words, "7\u00a0000...")) << "a number without what it counts";
  EXPECT_TRUE(has(shown(360), "0 bytes of memory, a file of 0 bytes"));
  EXPECT_TRUE(has(shown(230), "0 bytes memory, 0 bytes file")) << "the whole would be cut off";
}

TEST_F(RunPanel, SplatsFromBeforeTheEndOfTheirRunSaySo) {
  OpenedSplats splats;
  splats.path = "/run/point_cloud/iteration_1659/point_cloud.ply";
  splats.continuation = Continuation{"/run/checkpoints/iteration_2247.checkpoint", "/run", 2247, 5000};
  bridge_.reports.put(std::move(splats));
  work_.receive();
  OpenedRun run{"/run/point_cloud/iteration_1659/point_cloud.ply", 1659, {}};
  run.run.folder = "/run";
  run.run.iterations = 2247;
  run.run.psnr = 22.11;
  bridge_.reports.put(std::move(run));
  work_.receive();
  const std::string words = shown();
  EXPECT_TRUE(has(words, "after 1\u00a0659 iterations; it went on to 2\u00a0247"));
  EXPECT_TRUE(has(words, "Continue from 2\u00a0247"));
  EXPECT_TRUE(has(words, "22.11 dB"));
}

TEST_F(Panels, BesideALargePsnrStandsWhatHasRoom) {
  const auto drawn = [this](float width) {
    float right = 0;
    words_of([&] {
      ImGui::SetNextWindowSize({width, 200});
      ImGui::Begin("panel");
      draw_large_psnr(work_.appearance, 22.46, 0.809, "");
      right = ImGui::GetItemRectMax().x - ImGui::GetCursorScreenPos().x;
      ImGui::End();
    });
    return right;
  };
  EXPECT_GT(drawn(400), 200) << "in the line of the large figure";
  EXPECT_LT(drawn(200), 150) << "below it, not cut off";
}

TEST_F(Panels, HowHiddenPanelsComeBackIsSaidForAMoment) {
  work_.received.splats.emplace();
  work_.hidden_at = work_.now = 100;
  const auto drawn = [this] {
    int corners = 0;
    words_of([&] {
      draw_hidden_hint(work_, 500, 600, false);
      corners = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
    });
    return corners;
  };
  EXPECT_GT(drawn(), 0);
  work_.now += 10;
  EXPECT_EQ(drawn(), 0);
}

TEST_F(Panels, TheTableOfPhotosFitsIntoANarrowColumn) {
  OpenedSplats splats;
  splats.has_photos = true;
  splats.cameras.resize(3);
  for (PhotoCamera& camera : splats.cameras) camera.name = "view_00" + std::to_string(&camera - &splats.cameras[0]);
  bridge_.reports.put(std::move(splats));
  Comparison measured;  // of a photo that is not the chosen one: nothing goes to OpenGL
  measured.view = 1, measured.psnr = 24.2, measured.ssim = 0.7811;
  measured.render = {1, 1, 3, {0, 0, 0}};
  bridge_.reports.put(std::move(measured));
  work_.receive();
  const auto draw = [this] { draw_section(Column::kLeft, "Comparison", 290); };
  words_of(draw);
  EXPECT_TRUE(has(click("Comparison", draw), "24.20"));
  ImPool<ImGuiTable>& tables = ImGui::GetCurrentContext()->Tables;
  ASSERT_EQ(tables.GetMapSize() > 0 ? tables.GetAliveCount() : 0, 1);
  for (const ImGuiTableColumn& column : tables.TryGetMapData(0)->Columns) {
    EXPECT_LE(column.ContentMaxXHeadersIdeal, column.WorkMaxX + 1) << "its heading is whole";
    EXPECT_GT(column.ContentMaxXHeadersIdeal, column.WorkMinX);
  }
}

TEST_F(Panels, BlackAndWhiteStandBesideEachOtherInAnyColumn) {
  for (const float width : {190.0f, 230.0f, 340.0f}) {
    words_of([&] {
      ImGui::SetNextWindowSize({width, 600});
      ImGui::Begin("panel");
      draw_display_panel(work_);
      ImGui::End();
    });
    EXPECT_EQ(places_.all.at("Black")[1], places_.all.at("White")[1]) << width;
  }
}

TEST_F(Panels, TheTableOfBlocksFitsIntoAnyColumn) {
  CityScene city;
  city.path = "/city";
  using enum BlockState::Stage;
  city.blocks = {{{kDone, "", "", 30'000, 30'000, 2'000'000, 12'300'000'000, 9000, 28.71, ""}, true},
                 {{kRunning, "", "", 14'000, 30'000, 1'500'000, 11'800'000'000, 4210, 27.35, ""}, true},
                 {{kWaiting, "", "", 0, 30'000, 0, 0, 0, {}, ""}, false}};
  bridge_.reports.put(std::move(city));
  work_.receive();
  const auto columns_in = [&](float width, float scale) {
    ImGui::GetStyle().FontScaleMain = scale;
    const auto draw = [&] { draw_section(Column::kRight, "Blocks", width); };
    const std::string words = words_of(draw);
    EXPECT_TRUE(has(words, "running 46 %"));
    const ImGuiTable* table = ImGui::GetCurrentContext()->Tables.TryGetMapData(0);
    if (!table) return 0;
    for (const ImGuiTableColumn& column : table->Columns) {
      EXPECT_LE(std::max(column.ContentMaxXUnfrozen, column.ContentMaxXHeadersIdeal), column.WorkMaxX + 1) << width;
      EXPECT_LE(column.WorkMaxX, table->InnerClipRect.Max.x + 1) << width;
    }
    EXPECT_EQ(table->InnerWindow->ScrollMax.y, 0) << "all rows are seen";
    EXPECT_LT(places_.all.at("Scaffold")[1] - places_.all.at("Block 2")[1], 3 * ImGui::GetFrameHeight())
        << "and no hole";
    EXPECT_TRUE(has(click("Block 1", draw), "11.8 GB")) << "in its tip";
    return int(table->ColumnsCount);
  };
  EXPECT_EQ(columns_in(600, 1), 5);
  EXPECT_LT(columns_in(200, 1), 5);
  EXPECT_LT(columns_in(360, 2), 5);
}

TEST_F(Panels, APlanThatCannotBeIsRefusedWithTheWordsOfItsDialog) {
  work_.received.dataset.emplace();
  const auto plan = feature_action(work_, "Training", "Train in blocks");
  ASSERT_TRUE(plan && plan->possible);
  plan->run();
  words_of_dialogs();
  work_.now += 10;
  words_of_dialogs();
  const auto wanted = bridge_.requests.take<WantBlocksForecast>();
  ASSERT_TRUE(wanted);
  BlocksForecast found;
  found.choices = wanted->choices;
  found.memory = 7'900'000'000;
  found.problem = "a block still needs 3 GB, and --block-memory is 1 MB: give more, smaller photos (-r 4)";
  bridge_.reports.put(std::move(found));
  work_.receive();
  const std::string words = words_of_dialogs();
  EXPECT_TRUE(has(words, "automatic: 7900M"));
  EXPECT_TRUE(has(words, "A block still needs 3 GB, and Memory a block is 1 MB: give more, smaller photos."));
  EXPECT_FALSE(has(words, "--"));
}

TEST_F(Panels, OfAMeshNoLabelStandsTwice) {
  ShownMesh mesh;
  mesh.faces = 12, mesh.texture = 4096;
  bridge_.reports.put(ShownMesh(mesh));
  work_.receive();
  const auto words = [this] { return words_of([this] { draw_section(Column::kLeft, "Mesh", 300); }); };
  const std::string of_texture = words();
  EXPECT_TRUE(has(of_texture, "texture of 4096 px")) << "as the dialog names it";
  const size_t first = of_texture.find("Surface");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(of_texture.find("Surface", first + 1), std::string::npos) << of_texture;
  mesh.texture = 0;
  bridge_.reports.put(std::move(mesh));
  work_.receive();
  EXPECT_TRUE(has(words(), "none")) << "of its colours";
}

TEST_F(Panels, TheSideOfATextureIsNamed) {
  work_.received.splats.emplace();
  work_.received.splat_rows = 10;
  const auto mesh = feature_action(work_, "File", "Make a mesh");
  ASSERT_TRUE(mesh && mesh->possible);
  mesh->run();
  const std::string words = words_of_dialogs();
  EXPECT_TRUE(has(words, "texture of 4096 px"));
  EXPECT_TRUE(has(words, "automatic")) << "of the faces";
}

}  // namespace
}  // namespace studio
