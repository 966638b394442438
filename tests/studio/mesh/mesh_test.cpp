// Meshes in the window, without a window: made of what is open, shown, saved, cancelled.
#include <gtest/gtest.h>

#include "app/jobs/mesh/mesh_making.h"
#include "app/settings/mesh.h"
#include "devices/registry.h"
#include "io/io.h"
#include "studio/names.h"
#include "tests/quality/shapes/scene.h"
#include "tests/studio/live_window.h"
#include "tests/support/generated_objects.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using splat::test::Generator;
using studio::NoticeKind;

MeshRequest coarse() {
  MeshRequest request;
  request.settings.detail = "coarse";
  request.settings.texture = "1024";
  return request;
}

class MeshInTheWindow : public testing::Test {
 protected:
  void open(const fs::path& path) {
    window_.send(studio::OpenPath{path});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); })) << window_.all_notices();
  }
  fs::path object() { return folder_.write("object.ply", splat::test::generated_object(Generator::kTrellis, 30000)); }

  testing::AssertionResult made(const MeshRequest& request = coarse()) {
    window_.mesh.reset();
    window_.send(studio::MakeMesh{request});
    if (window_.wait([&] { return window_.mesh.has_value(); }, 120)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << window_.all_notices();
  }
  fs::path saved(const std::string& name) {
    fs::path path = folder_.path() / name;
    window_.send(studio::SaveMesh{path});
    EXPECT_TRUE(window_.wait([&] { return window_.noticed("written to '" + path.string(), NoticeKind::kInfo); }))
        << window_.all_notices();
    return path;
  }
  bool worked(const std::string& part) const {
    return std::any_of(window_.works.begin(), window_.works.end(), [&](const studio::WorkProgress& work) {
      return work.what.find(part) != std::string::npos && work.can_cancel;
    });
  }

  splat::test::TempFolder folder_;
  LiveWindow window_;
};

TEST_F(MeshInTheWindow, AFileIsShownBesideTheSplatsAndByItself) {
  const fs::path mesh = folder_.write("m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  window_.send(studio::OpenPath{mesh});
  ASSERT_TRUE(window_.wait([&] { return window_.mesh.has_value(); })) << window_.all_notices();
  EXPECT_EQ(window_.mesh->faces, 2u);
  EXPECT_EQ(window_.mesh->open_edges, 4u);
  EXPECT_FALSE(window_.mesh->coloured);
  open(object());
  window_.mesh.reset();
  window_.send(studio::OpenMesh{mesh});
  ASSERT_TRUE(window_.wait([&] { return window_.mesh.has_value(); })) << window_.all_notices();
  EXPECT_EQ(window_.mesh->name, mesh.string());
  window_.send(studio::ExportSplats{folder_.path() / "still.ply"});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("splats written", NoticeKind::kInfo); })) << "they are open";
  EXPECT_TRUE(fs::exists(saved("again.glb")));
  window_.send(studio::OpenMesh{folder_.write("broken.obj", "v 0 0 0\nf 1 2 3\n")});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("line 2", NoticeKind::kError); }));
  EXPECT_EQ(window_.notices.back().mended_by, "Open mesh");
}

TEST_F(MeshInTheWindow, OfSplatsIsTheMeshOfTheCommandLine) {
  const fs::path splats = object();
  open(splats);
  ASSERT_TRUE(made());
  const studio::ShownMesh& mesh = *window_.mesh;
  EXPECT_GT(mesh.faces, 5000u);
  EXPECT_EQ(mesh.packed.indices.size(), 3 * mesh.faces);
  EXPECT_EQ(mesh.packed.vertices.size(), mesh.vertices);
  EXPECT_EQ(mesh.texture, 1024);
  EXPECT_NEAR(mesh.bounds.high.x, splat::test::kObjectRight, 0.02) << "where its splats are";
  EXPECT_NEAR(mesh.bounds.high.y, -splat::test::kObjectBottom, 0.02);
  EXPECT_TRUE(worked("of memory")) << "before it is made";
  EXPECT_TRUE(worked(" in all")) << "how long it takes";
  const fs::path line = folder_.path() / "line.glb";
  ASSERT_EQ(run({"--mesh", splats, "-o", line, "--mesh-detail", "coarse", "--texture", "1024", "--quiet"}).code, 0);
  EXPECT_TRUE(text_of(saved("window.glb")) == text_of(line));
  EXPECT_EQ(text_of(saved("window.ply")).find("texture"), std::string::npos) << "a PLY holds none";
}

TEST_F(MeshInTheWindow, IsPredictedBeforeItIsMade) {
  open(object());
  const auto predicted = [&](const MeshRequest& request) {
    window_.mesh_prediction.reset();
    window_.send(studio::WantMeshPrediction{request});
    EXPECT_TRUE(window_.wait([&] { return window_.mesh_prediction.has_value(); }, 60)) << window_.all_notices();
    return window_.mesh_prediction.value_or(studio::MeshPrediction{});
  };
  MeshRequest request = coarse();
  const studio::MeshPrediction first = predicted(request);
  EXPECT_EQ(first.problem, "");
  EXPECT_EQ(first.request, request);
  ASSERT_TRUE(made(request));
  EXPECT_GT(first.takes.seconds, 0.2 * window_.mesh->seconds);
  EXPECT_LT(first.takes.seconds, 5 * window_.mesh->seconds) << "of a machine that may do other things";
  request.settings.texture = "8192";
  EXPECT_GT(predicted(request).takes.memory_bytes, first.takes.memory_bytes + 500'000'000) << "20 bytes a texel";
  request.settings.region = splat::box_about({-50, 0, 0}, {1, 1, 1});
  EXPECT_NE(predicted(request).problem.find("no splat"), std::string::npos) << window_.mesh_prediction->problem;
  EXPECT_FALSE(window_.noticed("no splat", NoticeKind::kError)) << "it was only asked for";
}

// Beside what the program itself predicts once it knows the whole field and the pace of its first tenth.
TEST(MeshPrediction, IsAboutWhatTheMakingFindsOut) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.write("object.ply", splat::test::generated_object(Generator::kTrellis, 30000));
  auto backend = splat::make_backend("cpu", -1, 2);
  ASSERT_TRUE(backend);
  for (const char* detail : {"coarse", "normal"}) {
    const MeshPlan plan{{.detail = detail, .texture = "vertex"}, 0, 2};
    MeshInput input;
    input.name = file.string();
    input.splats = io::read_splat_file(file)->gaussians;
    const auto estimate = predict_mesh(std::move(input), 30000, plan, *backend->backend, [] { return false; });
    ASSERT_TRUE(estimate && *estimate);
    const Ran made = run({"--mesh", file, "-o", folder.path() / "made.ply", "--mesh-detail", detail, "--texture",
                          "vertex", "--threads", "2", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const nlohmann::json summary = made.summary();
    const double bytes = summary["predicted_bytes"], seconds = summary["predicted_seconds"];
    RecordProperty(std::string(detail) + "_predicted_s", std::to_string((*estimate)->seconds));
    RecordProperty(std::string(detail) + "_predicted_later_s", std::to_string(seconds));
    RecordProperty(std::string(detail) + "_s", std::to_string(double(summary["seconds"])));
    EXPECT_GT(double((*estimate)->memory_bytes), 0.6 * bytes) << detail;
    EXPECT_LT(double((*estimate)->memory_bytes), 1.6 * bytes) << detail;
    EXPECT_GT((*estimate)->seconds, 0.25 * seconds) << detail << ": other work may go on beside one of them";
    EXPECT_LT((*estimate)->seconds, 4 * seconds) << detail;
  }
  const auto stopped = predict_mesh({}, 1, {}, *backend->backend, [] { return true; });
  EXPECT_FALSE(stopped && *stopped);
}

TEST_F(MeshInTheWindow, OfTheCropBoxIsWhatLiesInItAndTheMeshOfTheCommandLine) {
  const fs::path splats = object();
  open(splats);
  MeshRequest request = coarse();
  request.settings.texture = "vertex";
  request.settings.region = splat::box_about({-5, 0, 0}, {5, 5, 5});
  ASSERT_TRUE(made(request));
  EXPECT_GT(window_.mesh->faces, 1000u);
  EXPECT_NEAR(window_.mesh->bounds.high.x, 0, 0.02);
  const fs::path line = folder_.path() / "line.glb";
  ASSERT_EQ(run({"--mesh", splats, "-o", line, "--mesh-detail", "coarse", "--texture", "vertex", "--quiet", "--region",
                 "-10,-5,-5,0,5,5"})
                .code,
            0);
  EXPECT_TRUE(text_of(saved("window.glb")) == text_of(line));
}

// A short run on a painted sphere: looked at and painted from where its photos were.
TEST_F(MeshInTheWindow, OfARunTakesItsPhotos) {
  const fs::path scene = folder_.path() / "scene", run_folder = folder_.path() / "run";
  ASSERT_TRUE(shapes::write_scene(*shapes::find_shape("sphere"), scene, 24, 120));
  ASSERT_EQ(run({"--train", scene, "-o", run_folder, "-i", "300", "--eval", "--quiet"}).code, 0);
  open(run_folder);
  window_.send(studio::MakeMesh{coarse()});
  ASSERT_TRUE(window_.wait([&] { return worked("mesh: "); })) << window_.all_notices();
  window_.send(studio::WantPhoto{0, 64});
  ASSERT_TRUE(window_.wait([&] { return window_.photo.has_value(); })) << window_.all_notices();
  EXPECT_FALSE(window_.mesh) << "the photo came while it is being made";
  ASSERT_TRUE(window_.wait([&] { return window_.mesh.has_value(); }, 120)) << window_.all_notices();
  const fs::path line = folder_.path() / "line.glb";
  ASSERT_EQ(run({"--mesh", run_folder, "--data", scene, "--eval", "-o", line, "--mesh-detail", "coarse", "--texture",
                 "1024", "--quiet"})
                .code,
            0);
  EXPECT_TRUE(text_of(saved("window.glb")) == text_of(line));
  MeshRequest without = coarse();
  without.from_photos = false;
  ASSERT_TRUE(made(without));
  EXPECT_FALSE(text_of(saved("without.glb")) == text_of(line));
}

// What was deleted is not in it: so a mesh is made of the part in a box.
TEST_F(MeshInTheWindow, OfEditedSplatsIsOfWhatIsLeft) {
  open(object());
  window_.send(studio::EditScene{{splat::edit::SelectByValue{splat::edit::RowValue::kX, 0.3, 1}}});
  window_.send(studio::EditScene{{splat::edit::DeleteSelected{}}});
  ASSERT_TRUE(made());
  EXPECT_LT(window_.mesh->bounds.high.x, 0.35);
  EXPECT_GT(window_.mesh->bounds.high.x, 0.25);
}

TEST_F(MeshInTheWindow, CancelledItLeavesEverythingAsItWas) {
  open(object());
  MeshRequest fine = coarse();
  fine.settings.detail = "fine";
  window_.send(studio::MakeMesh{fine});
  ASSERT_TRUE(window_.wait([&] { return worked("mesh: "); }));
  window_.send(studio::CancelWork{});
  ASSERT_TRUE(window_.wait([&] { return window_.noticed("no mesh was made", NoticeKind::kInfo); }))
      << window_.all_notices();
  EXPECT_FALSE(window_.mesh);
  EXPECT_TRUE(window_.works.back().what.empty());
  ASSERT_TRUE(made()) << "and it can be begun again";
}

TEST_F(MeshInTheWindow, WhatIsNotThereCannotBeSaved) {
  const auto refused = [&](const std::string& part) {
    return window_.wait([&] { return window_.noticed(part, NoticeKind::kError); });
  };
  window_.send(studio::MakeMesh{coarse()});
  EXPECT_TRUE(refused("no splats to make a mesh of")) << window_.all_notices();
  open(object());
  ASSERT_TRUE(made());
  window_.send(studio::CloseMesh{});
  window_.send(studio::SaveMesh{folder_.path() / "closed.glb"});
  EXPECT_TRUE(refused("no mesh to save")) << window_.all_notices();
  ASSERT_TRUE(made());
  window_.send(studio::SaveMesh{folder_.path() / "no" / "such" / "folder.glb"});
  EXPECT_TRUE(refused("folder.glb")) << window_.all_notices();
  EXPECT_FALSE(fs::exists(folder_.path() / "closed.glb"));
}

}  // namespace
}  // namespace studio::test
