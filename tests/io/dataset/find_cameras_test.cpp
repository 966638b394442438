// Where cameras, points and photos are found.
#include "io/dataset/find_cameras.h"

#include <gtest/gtest.h>

#include "io/dataset/folder_contents.h"
#include "io/dataset/load_dataset.h"
#include "io/splats/common/zip_archive.h"
#include "tests/io/dataset/small_scene.h"

namespace {

namespace fs = std::filesystem;
using io::find_cameras, io::FoundCameras, io::load_dataset;
using splat::Dataset;
using splat::test::any_mentions, splat::test::mentions, splat::test::TempFolder, splat::test::wavy_picture;
using Kind = FoundCameras::Kind;

constexpr int kPhotos = 4;

std::string photo(int i) { return "view_" + std::to_string(i) + ".png"; }

class FindCameras : public testing::Test {
 protected:
  void write_photos(const std::string& where, int first = 0) {
    for (int i = first; i < kPhotos; ++i)
      folder_.write(where + "/" + photo(i), io::encode_png(wavy_picture(64, 48, 3, i)));
  }
  void write_model(const std::string& where, int images = kPhotos, bool points = true) {
    std::string text;
    for (int i = 0; i < images; ++i)
      text += std::to_string(i + 1) + " 1 0 0 0 " + std::to_string(i) + " 0 4 1 " + photo(i) + "\n\n";
    folder_.write(where + "/cameras.txt", "1 PINHOLE 64 48 60 60 32 24\n");
    folder_.write(where + "/images.txt", text);
    if (points) folder_.write(where + "/points3D.txt", "1 0 0 0 200 100 50 0.5\n2 1 1 1 10 20 30 0.5\n");
  }
  // `before` and `behind` the stems of the photos' paths.
  std::string transforms(const std::string& before, const std::string& behind, const std::string& more = "") {
    std::string frames;
    for (int i = 0; i < kPhotos; ++i)
      frames += std::string(i ? "," : "") + R"({"file_path": ")" + before + "view_" + std::to_string(i) + behind +
                R"(", "transform_matrix": [[1,0,0,)" + std::to_string(i) + "],[0,1,0,0],[0,0,1,4],[0,0,0,1]]}";
    return R"({"fl_x": 60, "w": 64, "h": 48, )" + more + R"("frames": [)" + frames + "]}";
  }
  void write_points(const std::string& name, int count) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(count) +
                       "\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    for (int i = 0; i < count; ++i) text += std::to_string(i) + " 0 0\n";
    folder_.write(name, text);
  }
  Dataset load(const std::string& where = "") {
    auto dataset = load_dataset(folder_.path() / where, {});
    EXPECT_TRUE(dataset.ok()) << (dataset ? "" : dataset.error().message);
    return dataset ? std::move(*dataset) : Dataset{};
  }
  std::string error_of(const std::string& where = "") {
    const auto dataset = load_dataset(folder_.path() / where, {});
    EXPECT_FALSE(dataset.ok());
    return dataset ? "" : dataset.error().message;
  }
  TempFolder folder_;
};

TEST_F(FindCameras, ModelsLieInManyPlaces) {
  for (const char* model : {"output/sparse/0", "distorted/sparse/0", "geo/sparse/0", "colmap_text", "sfm",
                            "reconstruction/0", "Sparse/0", "Colmap/SPARSE", "a/b/c"}) {
    for (const char* photos : {"images", "input", "Images"}) {
      const std::string top = std::string(model) + "_" + photos;  // a dataset of its own
      write_model(top + "/" + model);
      write_photos(top + "/" + photos);
      const Dataset dataset = load(top);
      EXPECT_EQ(dataset.views.size(), size_t(kPhotos)) << top;
      EXPECT_EQ(dataset.points.size(), 2u);
      EXPECT_EQ(dataset.views[0].image_path, folder_.path() / top / photos / photo(0));
    }
  }
  EXPECT_TRUE(any_mentions(load("sfm_images").notes, "the cameras are those of 'sfm'"));
  EXPECT_TRUE(load("Sparse/0_images").notes.empty()) << "a usual place";
}

TEST_F(FindCameras, UndistortedPhotosBringTheirModelAlong) {
  write_model("dense/0/sparse");
  write_photos("dense/0/images");
  const Dataset dataset = load();
  ASSERT_EQ(dataset.views.size(), size_t(kPhotos));
  EXPECT_EQ(dataset.views[0].image_path, folder_.path() / "dense/0/images" / photo(0));
  EXPECT_EQ(find_cameras(folder_.path().string() + "/").root, folder_.path() / "dense/0");
}

TEST_F(FindCameras, OfSeveralModelsTheLargestIsTaken) {
  write_model("sfm", 2);
  write_model("colmap_text", kPhotos);
  write_photos("images");
  const Dataset dataset = load();
  EXPECT_EQ(dataset.views.size(), size_t(kPhotos));
  EXPECT_TRUE(any_mentions(dataset.notes, "'colmap_text' (4 images)"));
  EXPECT_TRUE(any_mentions(dataset.notes, "not used: 'sfm' (2 images)"));
}

TEST_F(FindCameras, PartsOfOneReconstructionAreNoDatasets) {
  for (const auto& [part, images] : {std::pair("dense/0", 1), std::pair("dense/1", kPhotos)}) {
    write_model(std::string(part) + "/sparse", images);
    write_photos(std::string(part) + "/images");
  }
  EXPECT_EQ(find_cameras(folder_.path()).root, folder_.path() / "dense/1");
}

TEST_F(FindCameras, OfSeveralDatasetsOneHasToBeNamed) {
  for (const char* name : {"cat", "dog"}) {
    write_model(std::string(name) + "/sparse/0");
    write_photos(std::string(name) + "/images");
  }
  folder_.write("bird/transforms.json", transforms("images/", ".png"));
  write_photos("bird/images");
  EXPECT_EQ(find_cameras(folder_.path()).kind, Kind::kUnclear);
  EXPECT_TRUE(mentions(error_of(), "holds 3 datasets ('bird', 'cat', 'dog'): give one of them"));
  EXPECT_EQ(io::datasets_below(folder_.path()).size(), 3u);
  EXPECT_EQ(io::contents_sentence(io::contents_of(folder_.path())),
            "12 photos in 3 folders and 3 datasets (bird, cat, dog)");
}

TEST_F(FindCameras, TheFolderOfThePhotosMayBeGiven) {
  write_model("d/sparse/0");
  write_photos("d/images");
  const Dataset dataset = load("d/images");
  EXPECT_EQ(dataset.views.size(), size_t(kPhotos));
  EXPECT_TRUE(any_mentions(dataset.notes, "the cameras of these photos are those of"));
  write_model("e/distorted/sparse/0");
  write_photos("e/input");
  EXPECT_EQ(load("e/input").views.size(), size_t(kPhotos));
  folder_.write("f/transforms.json", transforms("images/", ".png"));
  write_photos("f/images");
  EXPECT_EQ(load("f/images").views.size(), size_t(kPhotos));
}

TEST_F(FindCameras, PhotosOfOthersBesideAModelAreNotItsPhotos) {
  write_model("sparse/0");
  write_photos("images");
  folder_.write("new/other_1.png", io::encode_png(wavy_picture(64, 48, 3)));
  EXPECT_EQ(find_cameras(folder_.path() / "new").kind, Kind::kNone);
}

TEST_F(FindCameras, AnUnfinishedAlignmentIsNoModel) {
  folder_.write("align.json", "{}");
  write_model("work/mapping/0");
  EXPECT_EQ(find_cameras(folder_.path()).kind, Kind::kNone);
}

TEST_F(FindCameras, AModelThatLacksAFileIsNamed) {
  folder_.write("distorted/sparse/0/cameras.bin", "x");
  write_photos("input");
  EXPECT_TRUE(mentions(error_of(), "lacks images.bin"));
}

TEST_F(FindCameras, FramesInAFileOfAnotherNameAreTakenWhereItIsTheOnlyOne) {
  write_photos("images");
  folder_.write("transform_train.json", transforms("images/", ".png"));
  folder_.write("notes.json", R"({"frames": 12})");
  EXPECT_TRUE(any_mentions(load().notes, "'transform_train.json', the only file with frames"));
  folder_.write("transform_test.json", transforms("images/", ".png"));
  EXPECT_TRUE(mentions(error_of(), "2 files of cameras ('transform_test.json', 'transform_train.json')"));
  EXPECT_EQ(load("transform_train.json").views.size(), size_t(kPhotos));
}

TEST_F(FindCameras, CamerasOfOtherProgramsAreNamedWithTheWayIn) {
  const std::string meshroom = "{\"views\": [\"" + std::string(700000, 'x') + "\"], \"poses\": []}";
  const struct {
    const char *file, *text, *program;
  } kCases[] = {{"reconstruction.json", R"([{"cameras":{},"shots":{}}])", "OpenSfM"},
                {"opensfm/reconstruction.json", R"([{"cameras":{},"shots":{}}])", "OpenSfM"},
                {"poses.csv", "#name,x,y,alt,heading,pitch,roll,f\n", "RealityCapture"},
                {"cameras.xml", R"(<?xml version="1.0"?><document version="2.0.0"><chunk/></document>)", "Metashape"},
                {"keyframes/cameras/1.json", R"({"fx":1,"t_00":1})", "Polycam"},
                {"bundle.out", "# Bundle file v0.3\n", "Bundler"},
                {"scene.nvm", "NVM_V3\n", "VisualSFM"},
                {"poses_bounds.npy", "\x93NUMPY", "LLFF"},
                {"groundtruth.txt", "# timestamp tx ty tz qx qy qz qw\n1 0 0 0 0 0 0 1\n", "TUM"},
                {"KeyFrameTrajectory.txt", "1.5 0 0 0 0 0 0 1\n2.5 0 0 0 0 0 0 1\n", "TUM"},
                {"state_groundtruth_estimate0/data.csv", "#timestamp, p_RS_R_x [m], p_RS_R_y [m]\n", "EuRoC"},
                {"traj.txt", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n", "Replica"},
                {"poses/00_poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n", "KITTI"},
                {"pose/17.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", "ScanNet"},
                {"seq/frame-000001.pose.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", "7-Scenes"},
                {"scene.log", "0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", "Tanks and Temples"},
                {"cameras.npz", "PK...world_mat_0.npy", "DTU"},
                {"frame_00001.json", R"({"cameraPoseARFrame": [1]})", "3D Scanner App"},
                {"odometry.csv", "timestamp, frame, x, y, z, qx, qy, qz, qw\n", "Stray Scanner"},
                {"meta_data.json", R"({"frames": [{"camtoworld": []}]})", "SDFStudio"},
                {"cameras.json", R"([{"id": 0, "img_name": "a", "rotation": []}])", "INRIA"},
                {"camera/000001.json", R"({"orientation": [], "focal_length": 1})", "Nerfies"},
                {"project.opf", "{}", "PIX4D"},
                {"sensors/trajectories.txt", "# kapture format: 1.1\n", "Kapture"},
                {"cameras.sfm", meshroom.c_str(), "Meshroom"}};
  for (const auto& [file, text, program] : kCases) {
    const std::string top = program + std::string(file).substr(0, 3);
    write_photos(top + "/images");
    folder_.write(top + "/" + file, text);
    EXPECT_EQ(find_cameras(folder_.path() / top).kind, Kind::kOtherProgram) << file;
    EXPECT_TRUE(mentions(error_of(top), program)) << error_of(top);
    EXPECT_TRUE(mentions(error_of(top), "hipsplat align"));
  }
  write_photos("plain/images");
  folder_.write("plain/table.csv", "name,price\n");
  folder_.write("plain/page.xml", "<html/>");
  folder_.write("plain/traj.txt", "a trajectory\n1 2 3\n");
  folder_.write("plain/run.log", "3 photos read\n1 2 3 4\n");
  folder_.write("plain/pose/readme.txt", "1 2 3\n");
  folder_.write("plain/cameras.json", R"([{"model": "X100"}])");
  EXPECT_EQ(find_cameras(folder_.path() / "plain").kind, Kind::kNone);
}

TEST_F(FindCameras, FramesMayComeBehindMuchElse) {
  std::string text = transforms("images/", ".png");
  text.insert(1, "\"notes\": \"" + std::string(200000, 'x') + "\", ");
  folder_.write("my_cameras.json", text);
  write_photos("images");
  EXPECT_EQ(load().views.size(), size_t(kPhotos));
}

TEST_F(FindCameras, TestTxtIsTheDatasOwnSplit) {
  write_photos("images");
  io::DatasetOptions options;
  options.eval = true;
  const auto held_out = [&] {
    std::string names;
    const auto dataset = load_dataset(folder_.path(), options);
    for (const auto& view : dataset->views) names += view.held_out ? view.name + " " : "";
    return names;
  };
  write_model("sparse/0");
  EXPECT_EQ(held_out(), photo(0) + " ");
  folder_.write("sparse/0/test.txt", photo(2) + "\r\n\nview_3\nno_photo.jpg\n");
  EXPECT_EQ(held_out(), photo(2) + " " + photo(3) + " ");
  EXPECT_TRUE(any_mentions(load().notes, "the 2 photos that '"));
  EXPECT_TRUE(any_mentions(load().warnings, "1 name of '"));
  folder_.write("sparse/0/test.txt", "this is only a test\n");
  EXPECT_EQ(held_out(), photo(0) + " ") << "another file of that name";
  folder_.write("train_test_lists.json", R"({"train": ["view_0.png"], "test": ["view_1.png"], "has_masks": true})");
  EXPECT_EQ(held_out(), photo(1) + " ");
  EXPECT_EQ(load().training_views().size(), size_t(kPhotos)) << "without --eval all are trained on";
}

TEST_F(FindCameras, ScanNetPlusPlusHasItsPhotosBesideTheFile) {
  const auto frame = [](int i, const std::string& more) {
    return R"({"file_path": ")" + photo(i) + R"(", "mask_path": ")" + photo(i) + R"(", )" + more +
           R"("has_mask": true, "transform_matrix": [[1,0,0,)" + std::to_string(i) +
           "],[0,1,0,0],[0,0,1,4],[0,0,0,1]]}";
  };
  folder_.write("s/dslr/nerfstudio/transforms.json", R"({"fl_x": 60, "w": 64, "h": 48, "frames": [)" + frame(0, "") +
                                                         "," + frame(1, "") + "," + frame(2, R"("is_bad": true, )") +
                                                         R"(], "test_frames": [)" + frame(3, "") + "]}");
  write_photos("s/dslr/resized_images");
  write_photos("s/dslr/resized_anon_masks");
  io::DatasetOptions options;
  options.eval = true;
  const auto check = [&](const std::string& where) {
    const auto dataset = load_dataset(folder_.path() / where, options);
    ASSERT_TRUE(dataset.ok()) << where << ": " << dataset.error().message;
    ASSERT_EQ(dataset->views.size(), size_t(kPhotos)) << where;
    EXPECT_TRUE(dataset->views[2].left_out) << where;
    EXPECT_TRUE(dataset->views[3].held_out) << where;
    EXPECT_EQ(dataset->views[3].mask_path, folder_.path() / "s/dslr/resized_anon_masks" / photo(3)) << where;
    EXPECT_EQ(dataset->training_views().size(), 2u) << where;
    EXPECT_TRUE(dataset->extra_images.empty()) << where << ": " << dataset->extra_images.front();
  };
  for (const char* where : {"s", "s/dslr", "s/dslr/nerfstudio", "s/dslr/nerfstudio/transforms.json"}) check(where);
  write_model("s/dslr/colmap");
  for (const char* where : {"s", "s/dslr"}) check(where);
}

TEST_F(FindCameras, PointsInAFileOfTheirOwnAreUsed) {
  for (const char* name : {"points3d.ply", "points3D.ply", "sparse_pc.ply", "input.ply", "init.ply", "fused.ply"}) {
    const std::string top = std::string("of_") + name;
    folder_.write(top + "/transforms_train.json", transforms("images/", ".png"));
    write_photos(top + "/images");
    write_points(top + "/" + name, 7);
    const Dataset dataset = load(top);
    EXPECT_EQ(dataset.points.size(), 7u) << name;
    EXPECT_TRUE(any_mentions(dataset.notes, name));
  }
}

TEST_F(FindCameras, PointsLieInTheModelsFolderToo) {
  write_model("sparse/0", kPhotos, false);
  write_photos("images");
  write_points("sparse/0/points3D.ply", 5);
  EXPECT_EQ(load().points.size(), 5u);
}

TEST_F(FindCameras, PointsThatAreNotUsedAreNamed) {
  write_model("sparse/0");
  write_photos("images");
  write_points("sparse/0/points3D.ply", 2);  // as INRIA's code leaves it beside its source
  EXPECT_TRUE(load().notes.empty());
  write_points("fused.ply", 9);
  const Dataset dataset = load();
  EXPECT_EQ(dataset.points.size(), 2u);
  EXPECT_TRUE(any_mentions(dataset.notes, "fused.ply"));
  folder_.write("sparse/0/points3D.txt", "");
  folder_.write("sparse/0/points3D.ply", "no points at all");
  const Dataset other = load();
  EXPECT_EQ(other.points.size(), 9u) << "what cannot be read is passed over";
  EXPECT_TRUE(any_mentions(other.warnings, "it is not used"));
}

TEST_F(FindCameras, TheOnlyCloudBesideCamerasWithoutPointsIsStartedFrom) {
  write_model("sparse/0", kPhotos, false);
  write_photos("images");
  for (const char* name : {"scan.xyz", "scan.pts"}) folder_.write(name, "0 0 0 1 2 3\n1 0 0 1 2 3\n");
  EXPECT_EQ(load().points.size(), 2u);
  write_points("scan.ply", 3);
  const Dataset dataset = load();
  EXPECT_EQ(dataset.points.size(), 3u) << "one cloud in three formats";
  EXPECT_TRUE(any_mentions(dataset.notes, "scan.ply', the only cloud beside the cameras"));
  folder_.write("other.xyz", "0 0 0\n");
  EXPECT_EQ(load().points.size(), 0u);
  EXPECT_TRUE(any_mentions(load().notes, "several clouds: --init takes one of"));
  io::DatasetOptions options;
  options.points_file = folder_.path() / "other.xyz";
  EXPECT_EQ(load_dataset(folder_.path(), options)->points.size(), 1u);
  options.points_file = folder_.path() / "none.xyz";
  EXPECT_FALSE(load_dataset(folder_.path(), options).ok());
}

TEST_F(FindCameras, ACloudThatIsNotReadIsNamedWhereThereAreNoPoints) {
  write_model("sparse/0", kPhotos, false);
  write_photos("images");
  folder_.write("scan.e57", "ASTM-E57");
  EXPECT_TRUE(any_mentions(load().notes, "is an E57 point cloud, which hipsplat does not read: save it as PLY"));
}

TEST_F(FindCameras, APly3DWithMorePointsStandsForTheModelsOwn) {
  write_model("sparse/0");
  write_photos("images");
  write_points("sparse/0/points3D.ply", 2);
  EXPECT_EQ(load().points.rgb[0], 200) << "the same points again: the model's";
  EXPECT_FALSE(any_mentions(load().notes, "points to start from"));
  write_points("sparse/0/points3D.ply", 5);
  const Dataset dataset = load();
  EXPECT_EQ(dataset.points.size(), 5u);
  EXPECT_TRUE(any_mentions(dataset.notes, "are the 5 of '"));
  EXPECT_TRUE(any_mentions(dataset.notes, "the model beside it has 2"));
}

TEST_F(FindCameras, MovedPhotosAreFoundByTheEndOfTheirPaths) {
  const struct {
    const char *before, *behind, *photos;
  } kCases[] = {{"/home/somebody/scan/images/", ".jpeg", "images"},
                {R"(D:\\data\\mine\\train\\cam1\\)", ".jpg", "train/cam1"},
                {R"(./..\\nerf_dataset\\canister\\rgb/)", ".png", "rgb"},
                {"/home/somebody/", ".jpg", "photos"},
                {"old/name/", ".png", "renamed"}};
  int number = 0;
  for (const auto& [before, behind, photos] : kCases) {
    const std::string top = "d" + std::to_string(number++);
    folder_.write(top + "/transforms.json", transforms(before, behind));
    write_photos(top + "/" + photos);
    const Dataset dataset = load(top);
    ASSERT_EQ(dataset.views.size(), size_t(kPhotos)) << before;
    EXPECT_EQ(dataset.views[0].image_path, folder_.path() / top / photos / photo(0));
    EXPECT_TRUE(any_mentions(dataset.notes, "4 photos were found elsewhere than the dataset says")) << before;
    if (number == 2) {
      EXPECT_TRUE(any_mentions(dataset.notes, "e.g. 'D:/data/mine/train/cam1/")) << "below no folder of this machine";
    }
  }
}

TEST_F(FindCameras, OfTwoFoldersThatOneIsMeantThatTheirPathsEndIn) {
  folder_.write("transforms.json", transforms("/abs/left/images/", ".png"));
  write_photos("right/images");
  write_photos("left/images");
  EXPECT_EQ(load().views.at(0).image_path, folder_.path() / "left/images" / photo(0));
  folder_.write("transforms.json", transforms("/abs/middle/images/", ".png"));
  EXPECT_TRUE(mentions(error_of(), "none of the 4 photos")) << "either could be meant";
}

TEST_F(FindCameras, PicturesThatWereNeverMadeAreNotFoundElsewhere) {
  folder_.write("transforms_train.json", transforms("train/", ".png"));
  folder_.write("transforms_test.json", transforms("test/", ".png"));
  write_photos("train");
  write_photos("val");
  const Dataset dataset = load();
  EXPECT_EQ(dataset.views.size(), size_t(kPhotos));
  EXPECT_EQ(dataset.missing_images.size(), size_t(kPhotos));
}

TEST_F(FindCameras, WhatMovedServesOnePathOnly) {
  // Both halves of a rig moved; of one, the photos are there. The other has more frames, so that most would say it
  // moved.
  std::string frames;
  for (const auto& [folder, count] : {std::pair{"cam0", 3}, {"cam1", 4}})
    for (int i = 0; i < count; ++i)
      frames += std::string(frames.empty() ? "" : ",") + R"({"file_path": "/abs/rig/)" + folder + "/" + photo(i) +
                R"(", "transform_matrix": [[1,0,0,)" + std::to_string(i) + "],[0,1,0,0],[0,0,1,4],[0,0,0,1]]}";
  folder_.write("transforms.json", R"({"fl_x": 60, "w": 64, "h": 48, "frames": [)" + frames + "]}");
  write_photos("data/cam0");
  const Dataset dataset = load();
  ASSERT_EQ(dataset.views.size(), 3u);
  for (const auto& view : dataset.views) EXPECT_TRUE(view.name.find("cam0") != std::string::npos) << view.name;
  EXPECT_EQ(dataset.missing_images.size(), 4u);
}

TEST_F(FindCameras, WhatATransformsFileNamesBesideMayHaveMovedToo) {
  std::string text = transforms("/abs/images/", ".png", R"("ply_file_path": "/abs/cloud/p.ply", )");
  for (int i = 0; i < kPhotos; ++i) {
    const std::string stem = "view_" + std::to_string(i) + ".png\"", path = "/abs/images/" + stem;
    text.replace(text.find(path), path.size(),
                 path + R"(, "mask_path": "C:\\old\\segm\\)" + stem + R"(, "depth_file_path": "/abs/z/)" + stem);
  }
  folder_.write("transforms.json", text);
  write_photos("images");
  write_photos("segm");
  write_points("p.ply", 3);
  const Dataset dataset = load();
  ASSERT_EQ(dataset.views.size(), size_t(kPhotos));
  EXPECT_EQ(dataset.views[0].mask_path, folder_.path() / "segm" / photo(0));
  EXPECT_EQ(dataset.points.size(), 3u);
}

TEST_F(FindCameras, AFolderWithoutADatasetSaysWhatItHolds) {
  fs::create_directories(folder_.path() / "empty");
  EXPECT_TRUE(mentions(error_of("empty"), "holds no photos, no video and no dataset"));
  write_photos("photos/a");
  write_photos("photos/b", 2);
  EXPECT_TRUE(mentions(error_of("photos"), "holds 6 photos in 2 folders, and no cameras"));
  folder_.write("films/a.MP4", "x");
  EXPECT_TRUE(mentions(error_of("films"), "holds 1 video (a.MP4)"));
  folder_.write("splats/a.spz", "x");
  folder_.write("splats/b/meta.json", "{}");
  folder_.write("splats/b/means_l.webp", "x");
  EXPECT_TRUE(mentions(error_of("splats"), "holds 2 splat files (a.spz, b), and no dataset"));
  EXPECT_EQ(io::contents_of(folder_.path() / "splats").photos, 0u) << "the pictures of a SOG are no photos";
  folder_.write("one/a.ply", "x");
  EXPECT_TRUE(mentions(error_of("one"), "open it"));
  write_points("run/input.ply", 3);
  folder_.write("run/report.html", "<!doctype html><title>a run</title>");
  EXPECT_TRUE(mentions(error_of("run"), "holds no photos, no video")) << error_of("run");
  folder_.write("run/cfg_args", "x");
  EXPECT_TRUE(mentions(error_of("run"), "is a run without results: wait"));
}

TEST_F(FindCameras, AZippedDatasetIsRecognised) {
  folder_.write("d.zip", *io::make_zip({{"d/sparse/0/cameras.bin", "x"}, {"d/images/a.jpg", "x"}}));
  EXPECT_TRUE(mentions(error_of("d.zip"), "a dataset ('d/sparse/0/cameras.bin', 1 photo): unpack it"));
  folder_.write("sog.zip", *io::make_zip({{"meta.json", "{}"}, {"means_l.webp", "x"}}));
  EXPECT_EQ(io::dataset_in_archive(folder_.path() / "sog.zip"), "");
}

}  // namespace
