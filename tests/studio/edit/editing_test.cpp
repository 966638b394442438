// Edits from the request to the file and back: a file shows what the window showed.
#include "studio/edit/editing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "devices/registry.h"
#include "io/io.h"
#include "splat/metrics/image_metrics.h"
#include "tests/support/synthetic_scene.h"
#include "tests/support/temp_folder.h"
#include "viewer/live/shown_move.h"

namespace studio {
namespace {

namespace edit = splat::edit;
using edit::EditedModel;
using studio::EditRequest;

constexpr double kSamePictureDb = 60;

splat::ImageF picture_of(const splat::Gaussians& model, const splat::View& view) {
  auto chosen = splat::make_backend("cpu", -1, 1);
  chosen->backend->upload(model);
  chosen->backend->forward(view, {});
  splat::ImageF image;
  chosen->backend->read_image(image);
  return image;
}

double psnr(const splat::ImageF& a, const splat::ImageF& b) {
  double sum = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) sum += double(a.rgb[i] - b.rgb[i]) * double(a.rgb[i] - b.rgb[i]);
  return splat::psnr_of(sum / double(a.rgb.size()));
}

// As the engine's thread has it.
class Model final : public viewer::EngineModel {
 public:
  explicit Model(const splat::Gaussians& model) : edited_(model, size_t(1) << 26, 1) {}
  EditedModel& edited() override { return edited_; }
  splat::Result<splat::Backend*> seeing(const splat::View& view, const splat::ScreenFilter&) override {
    if (!backend_) return splat::Error{"nothing can be seen"};
    backend_->upload(edited_.model());
    backend_->forward(view, {});
    return backend_.get();
  }
  void make_seeing() { backend_ = std::move(splat::make_backend("cpu", -1, 1)->backend); }
  splat::Result<splat::ImageF> picture(const splat::View&, const splat::ScreenFilter&) override {
    return splat::Error{"not needed"};
  }
  void set_reasons(std::vector<uint8_t> given) override { reasons = std::move(given); }

  std::vector<uint8_t> reasons;

 private:
  EditedModel edited_;
  std::unique_ptr<splat::Backend> backend_;
};

struct EditingTest : testing::Test {
  const splat::test::Scene scene =
      splat::test::make_scene({.seed = 21, .splats = 400, .width = 160, .height = 120, .sh_degree = 3});
  splat::test::TempFolder folder;
  const std::filesystem::path file = folder.path() / "scene.ply";
  Model model{scene.model};
  Editing editing{1, file, ""};

  studio::EditedScene carry_out(const EditRequest& request) {
    auto answer = editing.carry_out(request, model);
    EXPECT_TRUE(answer.ok());
    return std::move(*answer);
  }
  void select_every_third() {
    std::vector<uint8_t> rows(model.edited().states().size());
    for (size_t row = 0; row < rows.size(); row += 3) rows[row] = 1;
    model.edited().select(rows, splat::edit::SelectMode::kSet);
  }
  splat::Gaussians saved_and_opened() {
    EXPECT_TRUE(io::write_splat_file(file, model.edited().saved()).ok());
    auto read = io::read_splat_file(file);
    EXPECT_TRUE(read.ok());
    return std::move(read->gaussians);
  }
};

EditRequest move_selected(const splat::Similarity& by) {
  EditRequest request{edit::MoveSelected{by}};
  request.wants.extent = true;
  return request;
}

TEST_F(EditingTest, ATurnedPartIsTheSamePictureWhenItIsOpenedAgain) {
  select_every_third();
  const splat::ImageF before = picture_of(model.edited().model(), scene.view);
  const studio::EditedScene answer = carry_out(move_selected({1, splat::quat_about({1, 1, 2}, 75), {0.1, 0, 0.2}}));
  EXPECT_TRUE(answer.unsaved);
  EXPECT_EQ(answer.undo, "turn");
  const splat::ImageF shown = picture_of(model.edited().model(), scene.view);
  EXPECT_LT(psnr(before, shown), 30) << "nothing was turned";
  EXPECT_GE(psnr(shown, picture_of(saved_and_opened(), scene.view)), kSamePictureDb);
}

// A part alone, turned, seen by a camera that is turned with it: positions, shapes and view-dependent colours agree.
TEST_F(EditingTest, ATurnedPartLooksTheSameToACameraThatTurnsAlong) {
  select_every_third();
  model.edited().invert_selection();
  model.edited().delete_selected();
  model.edited().select_all();
  const splat::ImageF before = picture_of(model.edited().saved(), scene.view);
  const splat::Similarity turn{1, splat::quat_about({2, -1, 1}, 130), {0.5, -1, 2}};
  carry_out(move_selected(turn));
  const splat::Similarity back = inverse(turn);
  splat::View view = scene.view;
  const auto& camera = scene.view.cam_from_world;
  for (size_t column = 0; column < 3; ++column) {
    std::array<double, 3> axis{};
    axis[column] = 1;
    const std::array<double, 3> turned = back.turned(axis);
    for (size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (size_t k = 0; k < 3; ++k) sum += camera.rotation[3 * row + k] * turned[k];
      view.cam_from_world.rotation[3 * row + column] = sum;
    }
  }
  view.cam_from_world.translation = camera * back.translation;
  EXPECT_GE(psnr(before, picture_of(saved_and_opened(), view)), kSamePictureDb);
}

TEST_F(EditingTest, TheMiddleIsThatOfTheSelectionOrOfAll) {
  const studio::EditedScene all = carry_out(move_selected({}));
  ASSERT_TRUE(all.extent);
  select_every_third();
  const studio::EditedScene part = carry_out(move_selected({}));
  std::array<double, 3> sum{};
  const size_t rows = model.edited().count(splat::edit::kSelected);
  for (size_t row = 0; row < 400; row += 3)
    for (size_t c = 0; c < 3; ++c) sum[c] += double(scene.model.means[3 * row + c]) / double(rows);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(part.extent->centre[c], sum[c], 1e-9);
    EXPECT_GE(part.extent->low[c], all.extent->low[c]);
    EXPECT_LE(part.extent->high[c], all.extent->high[c]);
  }
  EXPECT_FALSE(part.unsaved) << "nothing was moved";
}

TEST_F(EditingTest, WithoutASelectionAllMovesButWhatIsLockedOrDeleted) {
  select_every_third();
  model.edited().lock_selected();
  EXPECT_EQ(carry_out({edit::MoveAll{{1, {1, 0, 0, 0}, {0, 0, 1}}}}).undo, "move");
  for (size_t row = 0; row < 400; ++row)
    EXPECT_FLOAT_EQ(model.edited().model().means[3 * row + 2],
                    scene.model.means[3 * row + 2] + (row % 3 ? 1.0f : 0.0f));
  const auto undone = carry_out({edit::Undo{}});
  EXPECT_FALSE(undone.unsaved);
  EXPECT_EQ(model.edited().model().means, scene.model.means) << "to the byte";
}

// What is remembered with the file is of its units, whatever the scene's are meanwhile.
TEST_F(EditingTest, TheScaleOfTheFileIsThatOfTheSceneItWasSavedFrom) {
  saved_and_opened();
  const std::filesystem::path copy = folder.path() / "copy.ply";
  ASSERT_TRUE(io::write_splat_file(copy, scene.model).ok());
  studio::EditedScene now = carry_out({edit::MoveAll{{2}}});
  EXPECT_EQ(now.placed.scale, 2);
  EXPECT_EQ(now.file_scale, 1);
  editing.was_saved(model.edited().state(), copy);
  EXPECT_EQ(editing.scene(model.edited()).file_scale, 1) << "another file";
  editing.was_saved(model.edited().state(), file);
  EXPECT_EQ(editing.scene(model.edited()).file_scale, 2);
  now = carry_out({edit::Undo{}});
  EXPECT_EQ(now.placed.scale, 1);
  EXPECT_EQ(now.file_scale, 2) << "it still has what was saved";
  editing.was_saved(model.edited().state(), file, 0.25);
  EXPECT_EQ(editing.scene(model.edited()).file_scale, 0.25) << "written in metres";
}

TEST_F(EditingTest, ABoxSelectsDeletesShowsAndIsProposed) {
  const splat::Box box = splat::box_about({0, 0, 0}, {1, 50, 50}, splat::quat_about({0, 0, 1}, 10));
  const size_t inside = carry_out({edit::SelectByBox{box}}).selected;
  EXPECT_GT(inside, 20u);
  EXPECT_LT(inside, 380u);
  EXPECT_EQ(carry_out({edit::SelectByBox{box, true}}).selected, 400 - inside);
  const studio::EditedScene shown = carry_out({edit::ShowBox{box}});
  EXPECT_EQ(shown.hidden, 400 - inside);
  EXPECT_FALSE(shown.unsaved) << "that changes nothing";
  EditRequest propose;
  propose.wants.box = studio::BoxAround{};
  const studio::EditedScene proposed = carry_out(propose);
  ASSERT_TRUE(proposed.box);
  EXPECT_FALSE(proposed.stepped);
  EXPECT_EQ(proposed.undo, shown.undo) << "no step of the history";
  const studio::EditedScene cut = carry_out({edit::DeleteByBox{box, true}});
  EXPECT_EQ(cut.deleted, 400 - inside);
  EXPECT_EQ(saved_and_opened().size(), inside);
}

TEST_F(EditingTest, AClickOnAPlaceWithNothingIsMissed) {
  model.make_seeing();
  const auto missed = [&](size_t pixel) {
    edit::ScreenMask mask{scene.view.camera.width, scene.view.camera.height, {}};
    mask.pixels.resize(size_t(mask.width) * size_t(mask.height));
    mask.pixels[pixel] = 1;
    return carry_out({edit::SelectInSphere{{scene.view, mask}, 5}}).missed;
  };
  const splat::ImageF shown = picture_of(scene.model, scene.view);
  const auto lit = std::max_element(shown.rgb.begin(), shown.rgb.end()) - shown.rgb.begin();
  EXPECT_FALSE(missed(size_t(lit) / 3));
  model.edited().select_all();
  model.edited().delete_selected();
  EXPECT_TRUE(missed(size_t(lit) / 3));
  EXPECT_FALSE(carry_out({edit::Undo{}}).missed);
}

// Copies that are proposed are undone; others take their numbers, not what was said of them.
TEST_F(EditingTest, ACopyInThePlaceOfAProposedOneIsNotProposed) {
  const auto take = [&](edit::EditStep step) { return carry_out({std::move(step)}); };
  const edit::SelectProposed select_proposed{1, ~0u};
  const auto propose_copies = [&] {
    splat::clean::Proposal proposal;
    proposal.score.resize(model.edited().model().size());
    proposal.reasons.resize(proposal.score.size());
    for (size_t row = 400; row < proposal.score.size(); ++row)
      proposal.score[row] = 5, proposal.reasons[row] = splat::clean::Reason(1);
    return editing.set_proposal(std::move(proposal), model);
  };
  select_every_third();
  const size_t copies = take(edit::DuplicateSelected{}).selected;
  editing.begin_proposal(model.edited());
  const uint64_t number = propose_copies();
  EXPECT_EQ(take(select_proposed).selected, copies);
  take(edit::Undo{}), take(edit::Redo{}), take(edit::SelectNone{});
  studio::EditedScene now = take(select_proposed);
  EXPECT_EQ(now.selected, copies) << "the same ones are there again";
  EXPECT_EQ(now.proposal, number);
  EXPECT_EQ(now.proposed_rows, 400 + copies);
  for (int i = 0; i < 3; ++i) take(edit::Undo{});
  now = take(edit::DuplicateSelected{});
  EXPECT_EQ(now.selected, copies);
  EXPECT_EQ(now.proposed_rows, 400u);
  EXPECT_EQ(model.reasons.size(), 400u);
  EXPECT_EQ(take(select_proposed).selected, 0u);

  // Likewise where that happens while the photos are looked at.
  editing.begin_proposal(model.edited());
  take(edit::Undo{}), take(edit::Undo{});
  EXPECT_EQ(take(edit::DuplicateSelected{}).selected, copies);
  EXPECT_EQ(propose_copies(), number + 1);
  EXPECT_EQ(take(select_proposed).selected, 0u);
}

TEST_F(EditingTest, ContributionsAreThoseToTheViewThatIsSeen) {
  EditRequest request;
  request.wants.histogram = edit::RowValue::kContribution;
  request.wants.seen_from = scene.view;
  studio::EditedScene answer = carry_out(request);
  ASSERT_TRUE(answer.histogram);
  EXPECT_TRUE(answer.histogram->all.empty()) << "there is no backend to see by";

  model.make_seeing();
  splat::Contributions expected;
  (*model.seeing(scene.view, {}))->read_contributions({}, expected);
  const auto among = [&](double low, double high) {
    return size_t(std::count_if(expected.max_weight.begin(), expected.max_weight.end(),
                                [&](float weight) { return weight >= low && weight <= high; }));
  };
  answer = carry_out(request);
  ASSERT_EQ(answer.histogram->all.size(), 128u);
  EXPECT_EQ(std::accumulate(answer.histogram->all.begin(), answer.histogram->all.end(), size_t{0}), 400u);
  edit::SelectByContribution select{scene.view, 0.1, 0.5};
  answer = carry_out({select});
  EXPECT_EQ(answer.selected, among(0.1, 0.5));
  EXPECT_GT(answer.selected, 10u);
  EXPECT_LT(answer.selected, 390u);
  select.view.cam_from_world.translation[2] -= 1e4;  // from where all lies behind the camera
  select.low = select.high = 0;
  EXPECT_EQ(carry_out({select}).selected, 400u) << "nothing is seen from there";
}

// The scene once more, a little beside itself.
struct TwoObjects : EditingTest {
  const splat::Similarity off{1, splat::quat_about({1, 2, 1}, 2), {0.03, -0.02, 0.01}};
  TwoObjects() {
    splat::ThreadPool pool(1);
    AddedSplats added{scene.model, {"b.ply", "", 0, 0}, "b", {}};
    transform(added.model, off, pool);
    EXPECT_TRUE(editing.add(std::move(added), model).ok());
  }
};

TEST_F(TwoObjects, StepsOnOneAreAnsweredWithTheList) {
  studio::EditedScene answer = carry_out({});
  ASSERT_EQ(answer.objects.size(), 2u);
  EXPECT_EQ(answer.objects[0].object.name, "scene") << "what nobody has named is called as its file";
  EXPECT_EQ(answer.objects[1].object.name, "b");
  EXPECT_EQ(answer.objects[1].rows, 400u);
  EXPECT_EQ(answer.undo, "add file");
  EXPECT_EQ(answer.unsaved_what, "400 splats were added");
  EXPECT_EQ(carry_out({edit::RenameObject{1, "chair"}}).objects[1].object.name, "chair");
  EXPECT_FALSE(carry_out({edit::ShowObject{1, false}}).objects[1].object.visible);
  EXPECT_TRUE(carry_out({edit::ShowObject{1, true}}).objects[1].object.visible);
  EXPECT_TRUE(carry_out({edit::LockObject{1, true}}).objects[1].object.locked);
  const edit::PlaceObject place{1, {2, {1, 0, 0, 0}, {1, 2, 3}}};
  EXPECT_TRUE(carry_out({place}).objects[1].object.placed.is_identity()) << "it is locked";
  EXPECT_FALSE(carry_out({edit::LockObject{1, false}}).objects[1].object.locked);
  EXPECT_TRUE(carry_out({place}).objects[1].object.placed == place.value);
  carry_out({edit::MoveObject{1, inverse(place.value)}});
  answer = carry_out({edit::Undo{}});
  EXPECT_TRUE(answer.objects[1].object.placed == place.value);
  carry_out({edit::ShowObject{7, false}});  // there is none
}

TEST_F(TwoObjects, TheRowsOfOneAreMarkedOnDemand) {
  EditRequest request;
  EXPECT_FALSE(carry_out(request).wants.marked);
  request.wants.marked = 1;
  const studio::EditedScene answer = carry_out(request);
  EXPECT_EQ(answer.wants.marked, 1u);
  ASSERT_EQ(answer.states.size(), 800u);
  for (size_t row = 0; row < 800; ++row) ASSERT_EQ(answer.states[row], row < 400 ? 0 : viewer::kMarked) << row;
}

TEST_F(TwoObjects, RefiningSaysHowAndMovesNothing) {
  EditRequest request;
  request.wants.refined = studio::RefineObject{1, 0, {}};
  const splat::Gaussians before = model.edited().model();
  const studio::EditedScene answer = carry_out(request);
  ASSERT_TRUE(answer.refined);
  EXPECT_EQ(answer.refined->revision, answer.revision);
  EXPECT_EQ(model.edited().model().means, before.means);
  carry_out({edit::MoveObject{1, answer.refined->by}});
  for (size_t i = 0; i < scene.model.means.size(); ++i)
    ASSERT_NEAR(model.edited().model().means[scene.model.means.size() + i], scene.model.means[i], 0.01);
  request.wants.refined->object = 9;  // there is none
  EXPECT_FALSE(carry_out(request).refined);
}

}  // namespace
}  // namespace studio
