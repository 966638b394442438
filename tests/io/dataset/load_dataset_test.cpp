#include "io/dataset/load_dataset.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "tests/io/dataset/small_scene.h"
#include "tests/support/grey16_png.h"

namespace {

using io::DatasetOptions, io::load_dataset;
using splat::Dataset, splat::Result;
using splat::test::any_mentions, splat::test::flat_picture, splat::test::mentions, splat::test::SmallScene;
using splat::test::TempFolder, splat::test::wavy_picture;

std::vector<std::string> names_of(const Dataset& dataset, bool held_out) {
  std::vector<std::string> names;
  for (const auto& view : dataset.views)
    if (view.held_out == held_out) names.push_back(view.name);
  return names;
}

Dataset load(const SmallScene& scene, const DatasetOptions& options = {}) {
  auto dataset = load_dataset(scene.path(), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return dataset.ok() ? std::move(*dataset) : Dataset{};
}

std::string error_of(const SmallScene& scene, const DatasetOptions& options = {}) {
  const auto dataset = load_dataset(scene.path(), options);
  EXPECT_FALSE(dataset.ok());
  return dataset.ok() ? "" : dataset.error().message;
}

// The administrator may open everything, so that for this the test is somebody else.
class Nobody {
 public:
  Nobody() : was_(geteuid()) {
    if (was_ == 0 && seteuid(65534) != 0) ADD_FAILURE() << "the test cannot become another user";
  }
  ~Nobody() {
    if (was_ == 0 && seteuid(0) != 0) ADD_FAILURE() << "the test cannot become root again";
  }

 private:
  uid_t was_;
};

TEST(LoadDataset, AFolderThatMayNotBeOpenedIsNotSaidToHoldNothing) {
  namespace fs = std::filesystem;
  const TempFolder folder;
  fs::create_directories(folder.path() / "closed/inside");
  fs::create_directories(folder.path() / "half/sparse");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder.path() / "closed", fs::perms(0));
  fs::permissions(folder.path() / "half/sparse", fs::perms(0));
  const auto error_at = [&](const char* place) {
    const Nobody nobody;
    const auto dataset = load_dataset(folder.path() / place, {});
    return dataset.ok() ? "" : dataset.error().message;
  };
  const std::string path = "'" + folder.path().string();
  EXPECT_EQ(error_at("closed"), path + "/closed' cannot be opened: Permission denied");
  EXPECT_EQ(error_at("closed/inside"), path + "/closed/inside' cannot be opened: Permission denied");
  EXPECT_EQ(error_at("half"), path + "/half/sparse' cannot be opened: Permission denied");
  for (const char* place : {"closed", "half/sparse"}) fs::permissions(folder.path() / place, fs::perms(0755));
}

TEST(LoadDataset, ViewsAreSortedAndKeepTheirCamera) {
  SmallScene scene({"b.png", "sub folder/c é.png", "a.png"});
  scene.write_photos();
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.format, "COLMAP text");
  ASSERT_EQ(dataset.views.size(), 3u);
  EXPECT_EQ(dataset.views[0].name, "a.png");
  EXPECT_EQ(dataset.views[1].name, "b.png");
  EXPECT_EQ(dataset.views[2].name, "sub folder/c é.png");
  EXPECT_EQ(dataset.views[0].cam_from_world.translation[0], 2);  // the third image of the file
  EXPECT_EQ(dataset.views[0].camera.width, 64);
  EXPECT_EQ(dataset.views[0].camera.height, 48);
  EXPECT_EQ(dataset.views[0].camera.fx, 60);
  EXPECT_EQ(dataset.points.size(), 2u);
  EXPECT_TRUE(dataset.missing_images.empty());
  EXPECT_TRUE(dataset.extra_images.empty());
  EXPECT_NEAR(dataset.view_up[1], -1, 1e-12);
}

TEST(LoadDataset, NothingThereIsOneSentence) {
  const TempFolder folder;
  const auto nothing = load_dataset(folder.path(), {});
  ASSERT_FALSE(nothing.ok());
  EXPECT_TRUE(mentions(nothing.error().message, "holds no photos, no video and no dataset"));
  const auto missing = load_dataset(folder.path() / "nowhere", {});
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(mentions(missing.error().message, "nowhere"));
}

TEST(LoadDataset, MissingAndExtraImagesAreListed) {
  SmallScene scene({"a.png", "b.png", "c.png"});
  scene.write_photo("a.png", wavy_picture(64, 48, 3));
  scene.write_photo("c.png", wavy_picture(64, 48, 3));
  scene.write_photo("more/z.png", wavy_picture(10, 10, 3));
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.views.size(), 2u);
  EXPECT_EQ(dataset.missing_images, std::vector<std::string>{"b.png"});
  EXPECT_EQ(dataset.extra_images, std::vector<std::string>{"more/z.png"});
}

TEST(LoadDataset, NoImageAtAllIsAnError) {
  SmallScene scene({"a.png", "b.png"});
  EXPECT_TRUE(mentions(error_of(scene), "none of the 2 photos"));
  scene.write("images/other.png", io::encode_png(flat_picture(64, 48, 3, 1)));
  const std::string error = error_of(scene);
  EXPECT_TRUE(mentions(error, "none of the 2 photos"));
  EXPECT_TRUE(mentions(error, "images"));
  EXPECT_TRUE(mentions(error, "a.png"));
}

TEST(LoadDataset, OtherCaseAndExtensionAreFoundWithANote) {
  SmallScene scene({"IMG_1.JPG", "img_2.jpg"});
  scene.write_photo("img_1.jpg", wavy_picture(64, 48, 3));
  scene.write_photo("img_2.png", wavy_picture(64, 48, 3));
  const Dataset dataset = load(scene);
  ASSERT_EQ(dataset.views.size(), 2u);
  EXPECT_EQ(dataset.views[0].name, "IMG_1.JPG");
  EXPECT_EQ(dataset.views[0].image_path.filename(), "img_1.jpg");
  EXPECT_EQ(dataset.views[1].image_path.filename(), "img_2.png");
  EXPECT_TRUE(any_mentions(dataset.notes, "slightly different name"));
  EXPECT_TRUE(dataset.extra_images.empty());
}

TEST(LoadDataset, AnAmbiguousNameIsNotGuessed) {
  SmallScene scene({"a.jpg", "b.png"});
  scene.write_photo("b.png", wavy_picture(64, 48, 3));
  scene.write_photo("a.png", wavy_picture(64, 48, 3));
  scene.write_photo("A.PNG", wavy_picture(64, 48, 3));
  EXPECT_EQ(load(scene).missing_images, std::vector<std::string>{"a.jpg"});
}

TEST(LoadDataset, APhotoAMaskOrADepthMapServesOneRecordOnly) {
  SmallScene scene({"cam0/1.jpg", "cam0/2.jpg", "cam1/1.jpg", "cam1/2.jpg"});  // of a rig one half is there
  DatasetOptions options;
  options.depths = io::DepthMaps::kAuto;
  for (const char* name : {"cam0/1", "cam0/2"}) {
    scene.write_photo(std::string(name) + ".jpg", wavy_picture(64, 48, 3));
    scene.write("masks/" + std::string(name) + ".png", io::encode_png(flat_picture(64, 48, 1, 0)));
    scene.write("depths/" + std::string(name) + ".png",
                splat::test::grey16_png(64, 48, std::vector<uint16_t>(3072, 9)));
  }
  const std::vector<std::string> cam1{"cam1/1.jpg", "cam1/2.jpg"};
  EXPECT_EQ(load(scene, options).missing_images, cam1);
  options.images_folder = "images/cam0";
  EXPECT_EQ(load(scene, options).missing_images, cam1) << "the folder's own name says whose they are";
  options.images_folder.clear();
  for (const std::string& name : cam1) scene.write_photo(name, wavy_picture(64, 48, 3, 1));
  for (const auto& view : load(scene, options).views) {
    EXPECT_EQ(view.mask_path.empty(), view.name.starts_with("cam1")) << view.name;
    EXPECT_EQ(view.depth_path.empty(), view.name.starts_with("cam1")) << view.name;
  }
}

TEST(LoadDataset, AFolderThatWasRenamedIsTheOneThatIsMissing) {
  SmallScene scene({"cam0/1.jpg", "cam1/1.jpg"});
  scene.write_photo("cam0/1.jpg", wavy_picture(64, 48, 3));
  scene.write_photo("right/1.png", wavy_picture(64, 48, 3, 1));
  const Dataset dataset = load(scene);
  ASSERT_EQ(dataset.views.size(), 2u);
  EXPECT_EQ(dataset.views[1].image_path, scene.path() / "images/right/1.png");
  SmallScene flat({"cam0/1.jpg", "cam1/1.jpg"});
  flat.write_photo("1.jpg", wavy_picture(64, 48, 3));
  EXPECT_TRUE(mentions(error_of(flat), "none of the 2 photos")) << "it may be of either";
}

TEST(LoadDataset, NamesAreFoundHoweverTheirAccentsAreWritten) {
  SmallScene scene({"\u00c4pfel gr\u00fcn/\u00e9 1.jpg", "\u00e4pfel_2.png", "\uac00\uac01.png"});
  scene.write_photo("A\u0308pfel gru\u0308n/e\u0301 1.jpg", wavy_picture(64, 48, 3));
  scene.write_photo("\u00c4PFEL_2.JPG", wavy_picture(64, 48, 3, 1));
  scene.write_photo("\u1100\u1161\u1100\u1161\u11a8.png", wavy_picture(64, 48, 3, 2));
  scene.write("masks/A\u0308PFEL_2.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  const Dataset dataset = load(scene);
  ASSERT_EQ(dataset.views.size(), 3u);
  EXPECT_FALSE(dataset.views[1].mask_path.empty()) << dataset.views[1].name;
  EXPECT_TRUE(any_mentions(dataset.notes, "3 photos were found under a slightly different name"));
}

TEST(LoadDataset, NamesNeverLeadOutOfTheFolder) {
  SmallScene scene({"../secret.png", "b.png"});
  scene.write_photo("b.png", wavy_picture(64, 48, 3));
  scene.write("secret.png", io::encode_png(wavy_picture(64, 48, 3)));
  EXPECT_EQ(load(scene).missing_images, std::vector<std::string>{"../secret.png"});
}

TEST(LoadDataset, AnotherImageFolderByOption) {
  SmallScene scene({"a.png"});
  scene.write_photos(64, 48, 3, "photos of mine");
  DatasetOptions options;
  options.images_folder = "photos of mine";
  EXPECT_EQ(load(scene, options).views.size(), 1u);
  options.images_folder = (scene.path() / "photos of mine").string();
  EXPECT_EQ(load(scene, options).views.size(), 1u);
  options.images_folder = "not there";
  EXPECT_TRUE(mentions(error_of(scene, options), "not there"));
}

TEST(LoadDataset, TheModelFolderItselfFindsTheImagesBesideIt) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  const auto dataset = load_dataset(scene.path() / "sparse" / "0", {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(dataset->views.size(), 1u);
}

// COLMAP's workspace: sparse/0 of the photos as taken, and dense/0 with undistorted ones and a model of theirs.
TEST(LoadDataset, PhotosOfAnotherModelAreNotMistakenForThoseOfThisOne) {
  SmallScene scene({"a.png", "b.png"}, "SIMPLE_RADIAL 64 48 60 32 24 0.1");
  scene.write_photos(64, 48, 3, "dense/0/images");
  scene.write("dense/0/sparse/cameras.txt", "1 PINHOLE 64 48 60 60 32 24\n");
  scene.write("dense/0/sparse/images.txt", "1 1 0 0 0 0 0 4 1 a.png\n\n2 1 0 0 0 1 0 4 1 b.png\n\n");
  const std::string dense = (scene.path() / "dense/0").string();
  const std::string error = error_of(scene);
  for (const std::string& part : {dense + "/images'", "use '" + dense + "'", std::string("--images")})
    EXPECT_TRUE(mentions(error, part)) << error;
  const auto inner = load_dataset(dense, {});
  ASSERT_TRUE(inner.ok()) << inner.error().message;
  EXPECT_EQ(inner->views.size(), 2u);
  DatasetOptions options;
  options.images_folder = "dense/0/images";  // whoever says so means it
  EXPECT_EQ(load(scene, options).views.size(), 2u);
  scene.write_photos();
  EXPECT_EQ(load(scene).views[0].image_path, scene.path() / "images/a.png");
}

// A sub-folder without a model of its own is just where the photos are.
TEST(LoadDataset, PhotosInASubFolderAreFound) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos(64, 48, 3, "camera/left");
  EXPECT_EQ(load(scene).views.size(), 2u);
}

// Broken, empty, cropped or turned: as a photo that is missing, it is left out and named; the last one is an error.
TEST(LoadDataset, PhotosThatCannotBeUsedAreLeftOut) {
  const std::string whole = io::encode_png(wavy_picture(64, 48, 3));
  for (const auto& [bytes, why] : {std::pair{std::string(), "b.png' is empty"},
                                   {std::string(500, 'x'), "b.png' is not a picture"},
                                   {whole.substr(0, 20), "b.png'"},
                                   {io::encode_png(wavy_picture(64, 40, 3)), "64x40"},
                                   {io::encode_png(wavy_picture(48, 64, 3)), "turned"}}) {
    SmallScene scene({"a.png", "b.png", "c.png"});
    scene.write_photos();
    scene.write("images/b.png", bytes);
    const Dataset dataset = load(scene);
    ASSERT_EQ(dataset.views.size(), 2u) << why;
    EXPECT_EQ(dataset.views[1].name, "c.png");
    ASSERT_EQ(dataset.warnings.size(), 1u) << why;
    EXPECT_TRUE(mentions(dataset.warnings[0], "1 photo cannot be used and is left out: 'b.png'"))
        << dataset.warnings[0];
    EXPECT_TRUE(mentions(dataset.warnings[0], why)) << dataset.warnings[0];
    DatasetOptions options;
    options.leave_out = {"b.png"};  // nothing to warn of, and no name that is unknown
    EXPECT_TRUE(load(scene, options).warnings.empty());
    EXPECT_EQ(load(scene, options).training_views().size(), 2u);
    options.leave_out = {"x.png"};
    EXPECT_TRUE(mentions(error_of(scene, options), "there is no photo 'x.png'"));
    scene.write("images/a.png", bytes);
    scene.write("images/c.png", bytes);
    EXPECT_FALSE(error_of(scene).empty());
  }
}

TEST(LoadDataset, MasksThatCannotBeUsedAreLeftOut) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  const auto with_mask = [&](const std::string& bytes) {
    scene.write("masks/a.png", bytes);
    return load(scene);
  };
  for (const auto& [bytes, why] : {std::pair{std::string(), "masks/a.png' is empty"},
                                   {io::encode_png(flat_picture(1, 1, 1, 0)), "1x1 pixels, the photo 64x48"},
                                   {io::encode_png(flat_picture(7, 300, 1, 0)), "7x300 pixels, the photo 64x48"}}) {
    const Dataset dataset = with_mask(bytes);
    ASSERT_EQ(dataset.views.size(), 2u);
    EXPECT_TRUE(dataset.views[0].mask_path.empty()) << why;
    EXPECT_TRUE(any_mentions(dataset.warnings, "1 mask cannot be used and is left out: 'a.png'")) << why;
    EXPECT_TRUE(any_mentions(dataset.warnings, why));
  }
  const Dataset square = with_mask(io::encode_png(flat_picture(32, 32, 1, 255)));
  EXPECT_FALSE(square.views[0].mask_path.empty());
  EXPECT_TRUE(any_mentions(square.warnings, "1 masks have another shape than their photos"));
  EXPECT_TRUE(with_mask(io::encode_png(flat_picture(32, 24, 1, 255))).warnings.empty());
}

TEST(LoadDataset, AFocalLengthThatContradictsItsAngleIsWarnedOf) {
  const TempFolder folder;
  folder.write("images/a.png", io::encode_png(wavy_picture(100, 80, 3)));
  const auto warnings = [&](const char* focal) {
    folder.write("transforms.json", std::string(R"({"camera_angle_x": 1.0, "fl_x": )") + focal +
                                        R"(, "frames": [{"file_path": "images/a.png", "transform_matrix": )"
                                        "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]}");
    const auto dataset = load_dataset(folder.path(), {});
    EXPECT_TRUE(dataset.ok());
    return dataset->warnings;
  };
  EXPECT_TRUE(any_mentions(warnings("35"), "fl_x 35, contradicts camera_angle_x, by which it is 91"));
  EXPECT_TRUE(warnings("91.5").empty());
}

TEST(LoadDataset, AFocalLengthThatNoLensHasIsRefusedWithTheCure) {
  for (const char* camera : {"PINHOLE 64 48 1 1 32 24", "SIMPLE_PINHOLE 64 48 0.01 32 24", "PINHOLE 64 48 60 0.5 32 24",
                             "OPENCV 64 48 2.5 2.5 32 24 0.01 0 0 0", "SIMPLE_FISHEYE 64 48 2 32 24"}) {
    SmallScene scene({"a.png", "b.png"}, camera);
    scene.write_photos();
    const std::string error = error_of(scene);
    EXPECT_TRUE(mentions(error, "degrees, which no lens has: give it in pixels")) << camera << ": " << error;
  }
  SmallScene wide({"a.png"}, "OPENCV_FISHEYE 64 48 14 14 32 24 0 0 0 0");
  wide.write_photos();
  load(wide);
}

TEST(LoadDataset, FocalLengthsInSharesOfTheSidesAreTakenAsSuch) {
  for (const char* camera : {"PINHOLE 64 48 0.9375 1.25 0.5 0.25", "PINHOLE 64 48 0.9375 0.9375 0.5 0.25",
                             "SIMPLE_PINHOLE 64 48 0.9375 0.5 0.25"}) {
    SmallScene scene({"a.png", "b.png"}, camera);
    scene.write_photos();
    const Dataset dataset = load(scene);
    EXPECT_TRUE(any_mentions(dataset.warnings, "2 photos: focal length and centre are far below")) << camera;
    for (const auto& view : dataset.views) EXPECT_EQ(view.camera, (splat::PinholeCamera{64, 48, 60, 60, 32, 12}));
  }
}

TEST(LoadDataset, CamerasOfAnotherSizeAndLensesThatHardlyExistAreNamed) {
  for (const auto& [camera, said] :
       {std::pair{"PINHOLE 64 48 120 120 64 48", "those of a picture of 128x96"},
        {"PINHOLE 64 48 240 240 128 96", "outside of the picture of 64x48: focal length and centre look like those"},
        {"PINHOLE 64 48 15 15 8 6", "those of a picture of 16x12"},
        {"PINHOLE 64 48 60 60 -90 24", "is outside of the picture of 64x48"},
        {"PINHOLE 64 48 60000 60000 32 24", "is a field of view of 0.0611 degrees, which hardly any lens has"}}) {
    SmallScene scene({"a.png", "b.png"}, camera);
    scene.write_photos();
    EXPECT_TRUE(any_mentions(load(scene).warnings, said)) << camera;
  }
  for (const char* usual : {"PINHOLE 64 48 60 60 30 25", "PINHOLE 64 48 60 60 20 30", "SIMPLE_PINHOLE 64 48 1000 32 24",
                            "PINHOLE 64 48 16 16 32 24"}) {
    SmallScene scene({"a.png"}, usual);
    scene.write_photos();
    EXPECT_TRUE(load(scene).warnings.empty()) << usual << ": " << load(scene).warnings.front();
  }
}

TEST(LoadDataset, PhotosOfAnotherSizeScaleTheCamera) {
  SmallScene scene({"a.png"}, "OPENCV 640 480 600 610 322 238 0 0 0 0");
  scene.write_photos(320, 240);
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.views[0].camera.width, 320);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fx, 300);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fy, 305);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.cx, 161);
  EXPECT_TRUE(any_mentions(dataset.notes, "320x240"));
  scene.write_photos(321, 240);  // one pixel of rounding
  EXPECT_FLOAT_EQ(load(scene).views[0].camera.fx, 600 * 321 / 640.0f);
}

TEST(LoadDataset, AnotherAspectIsAnErrorWithBothSizes) {
  SmallScene scene({"a.png"});
  scene.write_photos(64, 40);
  const std::string error = error_of(scene);
  EXPECT_TRUE(mentions(error, "a.png")) << error;
  EXPECT_TRUE(mentions(error, "64x40")) << error;
  EXPECT_TRUE(mentions(error, "64x48")) << error;
  scene.write_photos(48, 64);
  EXPECT_TRUE(mentions(error_of(scene), "turned"));
  SmallScene swapped({"a.png"}, "PINHOLE 64 48 60 60 24 32");
  swapped.write_photos(48, 64);
  EXPECT_TRUE(mentions(error_of(swapped), "width and height are swapped there"));
}

TEST(LoadDataset, ResolutionDivides) {
  SmallScene scene({"a.png"}, "PINHOLE 67 49 60 62 32 24");
  scene.write_photos(67, 49);
  DatasetOptions options;
  options.resolution = 2;
  const Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views[0].camera.width, 34);   // 33.5, of two as near the even one
  EXPECT_EQ(dataset.views[0].camera.height, 24);  // 24.5
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fx, 60 * 34 / 67.0f);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fy, 62 * 24 / 49.0f);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.cx, 32 * 34 / 67.0f);
  options.resolution = 40;  // 29.25: a limited side is rounded down
  EXPECT_EQ(load(scene, options).views[0].camera.width, 40);
  EXPECT_EQ(load(scene, options).views[0].camera.height, 29);
}

TEST(LoadDataset, ResolutionLimitsTheLongestSide) {
  SmallScene scene({"a.png"}, "PINHOLE 64 48 60 60 32 24");
  scene.write_photos();
  DatasetOptions options;
  options.resolution = 40;
  const Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views[0].camera.width, 40);
  EXPECT_EQ(dataset.views[0].camera.height, 30);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fx, 37.5f);
  options.resolution = 1000;
  EXPECT_EQ(load(scene, options).views[0].camera.width, 64);
}

TEST(LoadDataset, LargePhotosAreLimitedByDefaultWithANote) {
  SmallScene scene({"a.png"}, "PINHOLE 2000 20 1500 1500 1000 10");
  scene.write_photos(2000, 20);
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.views[0].camera.width, 1600);
  EXPECT_EQ(dataset.views[0].camera.height, 16);
  EXPECT_TRUE(any_mentions(dataset.notes, "-r 1"));
  DatasetOptions options;
  options.resolution = 1;
  EXPECT_EQ(load(scene, options).views[0].camera.width, 2000);
}

TEST(LoadDataset, DividedFoldersAreUsedWhereTheyFit) {
  SmallScene scene({"a.png", "b.png"}, "PINHOLE 65 48 60 60 32.5 24");
  scene.write_photos(65, 48);
  DatasetOptions options;
  options.resolution = 2;
  EXPECT_EQ(load(scene, options).views[0].image_path.parent_path().filename(), "images");
  scene.write_photos(33, 24, 3, "images_2");  // rounded up, as other programs do
  const Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views[0].image_path.parent_path().filename(), "images_2");
  EXPECT_EQ(dataset.views[0].camera.width, 33);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fx, 60 * 33 / 65.0f);
  options.resolution = 4;
  EXPECT_EQ(load(scene, options).views[0].image_path.parent_path().filename(), "images");
}

TEST(LoadDataset, DividedFoldersThatDoNotFitAreLeftWithANote) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  DatasetOptions options;
  options.resolution = 2;
  scene.write_photo("a.png", wavy_picture(32, 24, 3), "images_2");
  Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views[1].image_path.parent_path().filename(), "images");
  EXPECT_TRUE(any_mentions(dataset.notes, "lacks 'b.png'"));
  scene.write_photo("b.png", wavy_picture(40, 24, 3), "images_2");
  dataset = load(scene, options);
  EXPECT_EQ(dataset.views[1].image_path.parent_path().filename(), "images");
  EXPECT_TRUE(any_mentions(dataset.notes, "40x24"));
}

TEST(LoadDataset, OnlyTheDividedFolderIsEnough) {
  SmallScene scene({"a.png"});
  scene.write_photos(32, 24, 3, "images_2");
  DatasetOptions options;
  options.resolution = 2;
  const Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views[0].camera.width, 32);
  EXPECT_FLOAT_EQ(dataset.views[0].camera.fx, 30);
  EXPECT_TRUE(dataset.missing_images.empty());
}

TEST(LoadDataset, HoldsOutEveryEighthBySortedName) {
  std::vector<std::string> names;
  for (int i = 19; i >= 0; --i) names.push_back("p" + std::to_string(10 + i) + ".png");
  SmallScene scene(names);
  scene.write_photos(64, 48);
  EXPECT_TRUE(names_of(load(scene), true).empty());
  DatasetOptions options;
  options.eval = true;
  EXPECT_EQ(names_of(load(scene, options), true), (std::vector<std::string>{"p10.png", "p18.png", "p26.png"}));
  options.test_every = 10;
  EXPECT_EQ(names_of(load(scene, options), true), (std::vector<std::string>{"p10.png", "p20.png"}));
  options.test_every = 1;
  EXPECT_TRUE(mentions(error_of(scene, options), "--test-every"));
}

TEST(LoadDataset, HoldsOutByName) {
  SmallScene scene({"left/a.png", "left/b.png", "right/a.png"});
  scene.write_photos();
  DatasetOptions options;
  options.test_images = {"left/b.png"};
  EXPECT_EQ(names_of(load(scene, options), true), std::vector<std::string>{"left/b.png"});
  options.test_images = {"left/b.jpg"};
  const std::string error = error_of(scene, options);
  EXPECT_TRUE(mentions(error, "left/b.jpg")) << error;
  EXPECT_TRUE(mentions(error, "did you mean 'left/b.png'")) << error;
  options.test_images = {"left/a.png", "left/b.png", "right/a.png"};
  EXPECT_TRUE(mentions(error_of(scene, options), "none is left"));
}

TEST(LoadDataset, LeavesOutByNameWhateverIsHeldOut) {
  SmallScene scene({"a.png", "b.png", "c.png", "d.png"});
  scene.write_photos();
  DatasetOptions options;
  options.eval = true, options.test_every = 3;
  options.leave_out = {"b.png", "d.png"};
  const Dataset dataset = load(scene, options);
  EXPECT_EQ(dataset.views.size(), 4u) << "they stay in the dataset";
  EXPECT_EQ(dataset.training_views(), std::vector<int>{2});
  EXPECT_EQ(dataset.held_out_views(), std::vector<int>{0}) << "d.png, which would be held out, is not";
  EXPECT_EQ(names_of(dataset, true), (std::vector<std::string>{"a.png", "d.png"}));
  options.leave_out = {"e.png"};
  EXPECT_TRUE(mentions(error_of(scene, options), "--leave-out"));
  options.leave_out = {"b.png", "c.png"};
  EXPECT_TRUE(mentions(error_of(scene, options), "none to train on"));
}

TEST(LoadDataset, CamerasFarOutsideOfAllOthersAreLeftOutAndNamed) {
  std::vector<std::string> names;
  std::string images, points;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i), name = (i < 10 ? "p0" : "p") + n + ".png";
    names.push_back(name);
    images += std::to_string(i + 1) + " 1 0 0 0 " + (i == 4 ? "70000 0 -3e5" : std::to_string(-0.3 * i) + " 0 4") +
              " 1 " + name + "\n\n";
    points += std::to_string(i + 1) + " " + std::to_string(0.3 * i) + " " + std::to_string(i % 2) + " 0 9 9 9 0.5\n";
  }
  SmallScene scene(names);
  scene.write("sparse/0/images.txt", images);
  scene.write("sparse/0/points3D.txt", points);
  scene.write_photos();
  DatasetOptions options;
  options.eval = true;
  const Dataset dataset = load(scene, options);
  ASSERT_EQ(dataset.views.size(), 20u);
  for (const auto& view : dataset.views) EXPECT_EQ(view.left_out, view.name == "p04.png") << view.name;
  EXPECT_EQ(names_of(dataset, true), (std::vector<std::string>{"p00.png", "p08.png", "p16.png"})) << "as without it";
  EXPECT_EQ(dataset.training_views().size(), 16u);
  EXPECT_TRUE(any_mentions(dataset.warnings,
                           "1 camera lies far outside of all others and shows nothing of the scene: "
                           "its photo is left out: p04.png (the first is 3.08e+05 units away"));
  options.leave_out = {"p04.png"};
  EXPECT_FALSE(any_mentions(load(scene, options).warnings, "far outside"));
}

TEST(LoadDataset, MasksAreFoundByName) {
  SmallScene scene({"a.png", "sub/b.png", "c.png"});
  scene.write_photos();
  EXPECT_TRUE(load(scene).views[0].mask_path.empty());
  const std::string mask = io::encode_png(flat_picture(64, 48, 1, 255));
  scene.write("masks/a.png.png", mask);  // as COLMAP names them
  scene.write("masks/sub/b.jpg", mask);
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.views[0].mask_path.filename(), "a.png.png");
  EXPECT_TRUE(dataset.views[1].mask_path.empty());  // c.png
  EXPECT_EQ(dataset.views[2].mask_path.filename(), "b.jpg");
  EXPECT_TRUE(any_mentions(dataset.notes, "1 of 3 photos have no mask"));
}

TEST(LoadDataset, MasksOfPhotosInTheDatasetFolderItself) {
  SmallScene scene({"a.png"});
  scene.write_photos(64, 48, 3, ".");
  scene.write("masks/a.png", io::encode_png(flat_picture(64, 48, 1, 255)));
  EXPECT_EQ(load(scene).views[0].mask_path, scene.path() / "masks/a.png");
}

TEST(LoadDataset, MasksOfOtherPhotosAreNoted) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  scene.write("masks/b.png", io::encode_png(flat_picture(64, 48, 1, 255)));
  EXPECT_TRUE(any_mentions(load(scene).warnings, "no mask in it has the name of a photo"));
}

TEST(LoadDataset, WhatIsThereInAFormatThatIsNotReadIsNamed) {
  SmallScene scene({"a.tif", "b.jpg", "c.png"});
  scene.write("images/a.tif", "II*");
  scene.write("images/b.JP2", "jP");
  EXPECT_TRUE(mentions(error_of(scene), "a.tif, b.JP2"));
  EXPECT_TRUE(mentions(error_of(scene), "convert them to PNG or JPEG"));
  scene.write_photo("b.png", wavy_picture(64, 48, 3));
  scene.write("images/b.cr2", "a camera's raw picture beside the one that is used");
  const Dataset dataset = load(scene);
  EXPECT_EQ(dataset.missing_images, (std::vector<std::string>{"a.tif", "c.png"}));
  EXPECT_TRUE(any_mentions(dataset.warnings, "'a.tif' is there, in a format that hipsplat does not read"));
}

TEST(LoadDataset, MasksInAFormatThatIsNotReadAreNamed) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  scene.write("masks/a.tif", "II*");
  EXPECT_TRUE(any_mentions(load(scene).warnings, "'a.tif' is there, in a format that hipsplat does not read"));
  DatasetOptions options;
  options.masks_folder = "masks";
  EXPECT_TRUE(mentions(error_of(scene, options), "'a.tif' is there"));
}

TEST(LoadDataset, JpegsOfAnyNameAreRead) {
  SmallScene scene({"a.jfif", "b.JPE"});
  for (const char* name : {"images/a.jfif", "images/b.JPE"})
    scene.write(name, io::encode_jpeg(wavy_picture(64, 48, 3), 90));
  EXPECT_EQ(load(scene).views.size(), 2u);
}

TEST(LoadDataset, HiddenCopiesAreNoPhotosWithoutAPose) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  for (const char* folder : {"images/.ipynb_checkpoints", "images/@eaDir/a.png", "images/__MACOSX"})
    scene.write_photo("a-checkpoint.png", wavy_picture(64, 48, 3, 5), folder);
  scene.write("images/._a.png", "of a file system without forks");
  EXPECT_TRUE(load(scene).extra_images.empty());
}

TEST(LoadDataset, MasksByOption) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  scene.write("my masks/a.png", io::encode_png(flat_picture(8, 6, 1, 255)));
  DatasetOptions options;
  options.masks_folder = "my masks";
  EXPECT_EQ(load(scene, options).views[0].mask_path.parent_path().filename(), "my masks");
  options.masks_folder = "elsewhere";
  EXPECT_TRUE(mentions(error_of(scene, options), "elsewhere"));
  options.masks_folder = "sparse";
  EXPECT_TRUE(mentions(error_of(scene, options), "no mask"));
}

TEST(LoadDataset, LensesAreUndistortedWithANoteAndAWarningWhereThatCostsAPartOfThePhoto) {
  const auto loaded_with = [](const std::string& camera) {
    SmallScene scene({"a.png"}, camera);
    scene.write_photos();
    return load(scene);
  };
  const Dataset whole = loaded_with("OPENCV 64 48 60 60 32 24 0.05 -0.02 0 0");
  EXPECT_TRUE(any_mentions(whole.notes, "OPENCV, undistorted to a pinhole that keeps 100 %"));
  EXPECT_TRUE(whole.warnings.empty());
  const Dataset cropped = loaded_with("OPENCV_FISHEYE 64 48 30 30 32 24 0.03 -0.01 0 0");
  EXPECT_TRUE(any_mentions(cropped.warnings, "OPENCV_FISHEYE, undistorted to a pinhole that keeps 8")) << "not all";
  EXPECT_TRUE(cropped.notes.empty());
  EXPECT_FALSE(any_mentions(cropped.warnings, "degrees"));
  const Dataset cut = loaded_with("OPENCV_FISHEYE 64 48 18 18 32 24 0 0 0 0");
  EXPECT_TRUE(any_mentions(cut.warnings, "(a pinhole is cut at 120 degrees)"));
  EXPECT_TRUE(cut.notes.empty());
}

TEST(LoadDataset, AbsurdLensesAreAnError) {
  SmallScene scene({"a.png"}, "SIMPLE_RADIAL 64 48 60 32 24 -1e9");
  scene.write_photos();
  EXPECT_TRUE(mentions(error_of(scene), "cannot be undistorted"));
  EXPECT_TRUE(mentions(error_of(scene), (scene.path() / "images/a.png").string())) << "the file, not its name alone";
  SmallScene fov({"a.png"}, "FOV 64 48 60 60 32 24 4");
  fov.write_photos();
  EXPECT_TRUE(mentions(error_of(fov), "cannot be undistorted"));
}

TEST(LoadDataset, TransformsJson) {
  SmallScene scene({"unused.png"});
  const TempFolder folder;
  const std::string identity = "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]";
  folder.write("transforms.json", R"({"camera_angle_x": 1.2, "frames": [)"
                                  R"({"file_path": "images/b.png", "transform_matrix": )" +
                                      identity +
                                      R"(},)"
                                      R"({"file_path": "images/a", "transform_matrix": )" +
                                      identity + "}]}");
  folder.write("images/a.png", io::encode_png(wavy_picture(100, 80, 4)));
  folder.write("images/b.png", io::encode_png(wavy_picture(60, 40, 3)));
  const auto dataset = load_dataset(folder.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(dataset->format, "transforms.json");
  ASSERT_EQ(dataset->views.size(), 2u);
  EXPECT_EQ(dataset->views[0].camera.width, 100);  // the file gives no size: the photo's own
  EXPECT_NEAR(dataset->views[0].camera.fx, 50 / std::tan(0.6), 1e-3);
  EXPECT_NEAR(dataset->views[0].camera.cx, 50, 1e-5);
  EXPECT_TRUE(dataset->views[0].file_has_alpha);
  EXPECT_EQ(dataset->views[1].camera.width, 60);
  EXPECT_NEAR(dataset->views[1].camera.fx, 30 / std::tan(0.6), 1e-3);
}

// Focal lengths in the file are for the photo in full, whatever is decoded in its place.
TEST(LoadDataset, TransformsWithoutSizesScaleWithDividedPhotos) {
  const TempFolder folder;
  folder.write("transforms.json", R"({"fl_x": 90, "fl_y": 80, "cx": 52, "frames": [{"file_path": "images/a.png", )"
                                  R"("transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]})");
  DatasetOptions options;
  options.resolution = 2;
  folder.write("images_2/a.png", io::encode_png(wavy_picture(50, 40, 3)));
  for (const bool full_is_there : {false, true}) {
    if (full_is_there) folder.write("images/a.png", io::encode_png(wavy_picture(100, 80, 3)));
    const auto dataset = load_dataset(folder.path(), options);
    ASSERT_TRUE(dataset.ok()) << dataset.error().message;
    EXPECT_EQ(dataset->views[0].image_path.parent_path().filename(), "images_2");
    EXPECT_EQ(dataset->views[0].camera.width, 50);
    EXPECT_FLOAT_EQ(dataset->views[0].camera.fx, 45);
    EXPECT_FLOAT_EQ(dataset->views[0].camera.fy, 40);
    EXPECT_FLOAT_EQ(dataset->views[0].camera.cx, 26);
    EXPECT_FLOAT_EQ(dataset->views[0].camera.cy, 20);
  }
}

TEST(LoadDataset, TransformsNamingAMaskThatIsMissingAreNoted) {
  const TempFolder folder;
  folder.write("transforms.json",
               R"({"fl_x": 90, "frames": [{"file_path": "images/a.png", "mask_path": "masks/gone.png", )"
               R"("transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]})");
  folder.write("images/a.png", io::encode_png(wavy_picture(10, 8, 3)));
  const auto dataset = load_dataset(folder.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_TRUE(any_mentions(dataset->warnings, "the mask files that the dataset names for 1 of 1 photos are not there"));
}

TEST(LoadDataset, TransformsWithTheirOwnTestSplit) {
  const TempFolder folder;
  const std::string frame = R"(, "transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]})";
  folder.write("transforms_train.json", R"({"camera_angle_x": 1, "frames": [{"file_path": "./train/r_0")" + frame);
  folder.write("transforms_test.json", R"({"camera_angle_x": 1, "frames": [{"file_path": "./test/r_0")" + frame);
  folder.write("train/r_0.png", io::encode_png(wavy_picture(30, 30, 4)));
  folder.write("test/r_0.png", io::encode_png(wavy_picture(30, 30, 4)));
  DatasetOptions options;
  options.eval = true;
  const auto dataset = load_dataset(folder.path(), options);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  EXPECT_EQ(names_of(*dataset, true), std::vector<std::string>{"test/r_0.png"});
  options.eval = false;
  const auto everything = load_dataset(folder.path(), options);
  EXPECT_TRUE(names_of(*everything, true).empty());
  EXPECT_TRUE(any_mentions(everything->notes, "--eval holds them out, else they are trained on"));
}

}  // namespace
