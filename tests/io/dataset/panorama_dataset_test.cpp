// Datasets of panoramas: that nothing is lost, or split between training and evaluation, on the way to the views.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "io/dataset/preflight.h"
#include "io/dataset/streaming_source.h"
#include "io/dataset/training_image.h"
#include "tests/io/dataset/panorama_sky.h"
#include "tests/io/dataset/small_scene.h"

namespace {

using io::DatasetOptions, io::load_dataset, io::open_images, io::panorama_faces;
using splat::Dataset, splat::DatasetView, splat::Image8, splat::TrainingImage;
using splat::test::any_mentions, splat::test::flat_picture, splat::test::kPi, splat::test::mentions;
using splat::test::panorama, splat::test::psnr_of, splat::test::Ray, splat::test::sky, splat::test::SmallScene;
using splat::test::TempFolder, splat::test::wavy_picture;

// A COLMAP model of panoramas in the poses of SmallScene, each with its own colours.
struct Panoramas : public SmallScene {
  explicit Panoramas(std::vector<std::string> names, int width = 320)
      : SmallScene(std::move(names), "EQUIRECTANGULAR " + std::to_string(width) + " " + std::to_string(width / 2) +
                                         " " + std::to_string(width) + " " + std::to_string(width / 2)) {}
};

Dataset load_views(const SmallScene& scene, const DatasetOptions& options = {}) {
  auto dataset = load_dataset(scene.path(), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return dataset.ok() ? std::move(*dataset) : Dataset{};
}

TEST(PanoramaDataset, EveryPhotoBecomesSixViewsOfOneCentre) {
  Panoramas scene({"b.png", "a.png"});
  scene.write_photos(320, 160);
  scene.write("sparse/0/images.txt", "1 0.5 0.5 0.5 0.5 1 2 3 1 b.png\n\n2 1 0 0 0 4 5 6 1 a.png\n\n");
  const Dataset dataset = load_views(scene);
  ASSERT_EQ(dataset.views.size(), 12u);
  EXPECT_EQ(dataset.views[0].name, "a.back.png");
  EXPECT_EQ(dataset.views[5].name, "a.up.png");
  EXPECT_EQ(dataset.views[11].name, "b.up.png");
  const std::array<double, 9> turn_b{0, 0, 1, 1, 0, 0, 0, 1, 0};  // of the quaternion (1,1,1,1)/2
  for (const DatasetView& view : dataset.views) {
    EXPECT_EQ(view.photo_name(), view.name.substr(0, 1) + ".png");
    EXPECT_EQ(view.camera.width, 102);  // 320 / pi
    EXPECT_EQ(view.camera.height, 102);
    EXPECT_EQ(view.camera.fx, 51);
    EXPECT_EQ(view.camera.cy, 51);
    const bool is_b = view.photo_name() == "b.png";
    splat::Rigid3 photo;
    if (is_b) photo.rotation = turn_b;
    photo.translation = is_b ? std::array<double, 3>{1, 2, 3} : std::array<double, 3>{4, 5, 6};
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(view.cam_from_world.origin_in_source()[i], photo.origin_in_source()[i], 1e-12);
    // A point of the world in the face's frame is that in the photo's frame, turned.
    const Ray in_photo = photo * Ray{0.3, -0.7, 2}, in_face = view.cam_from_world * Ray{0.3, -0.7, 2};
    const auto& face = panorama_faces()[size_t(view.panorama_face)].face_from_photo;
    for (size_t r = 0; r < 3; ++r)
      EXPECT_NEAR(in_face[r], face[3 * r] * in_photo[0] + face[3 * r + 1] * in_photo[1] + face[3 * r + 2] * in_photo[2],
                  1e-12);
  }
  EXPECT_TRUE(any_mentions(dataset.notes, "2 photos: EQUIRECTANGULAR, a panorama: split into 6 views of 102x102"));
}

TEST(PanoramaDataset, OneThatIsNotTwiceAsWideIsWarnedOf) {
  SmallScene scene({"a.png"}, "EQUIRECTANGULAR 320 100 320 100");
  scene.write_photos(320, 100);
  EXPECT_TRUE(any_mentions(load_views(scene).warnings, "a panorama of 320x100 is not twice as wide as high"));
}

TEST(PanoramaDataset, UpIsThatOfThePhotos) {
  Panoramas scene({"a.png"});
  scene.write_photos(320, 160);
  EXPECT_EQ(load_views(scene).view_up, (std::array<double, 3>{0, -1, 0}));
}

std::vector<std::string> photo_names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("p" + std::to_string(10 + i) + ".png");
  return names;
}

std::map<std::string, int> held_out_faces(const Dataset& dataset) {
  std::map<std::string, int> faces;
  for (const DatasetView& view : dataset.views) faces[view.photo_name()] += view.held_out;
  return faces;
}

TEST(PanoramaDataset, AHeldOutPhotoIsHeldOutWithAllItsFaces) {
  Panoramas scene(photo_names(10), 32);
  scene.write_photos(32, 16);
  DatasetOptions options;
  options.eval = true;
  options.test_every = 4;
  for (const auto& [photo, faces] : held_out_faces(load_views(scene, options)))
    EXPECT_EQ(faces, photo == "p10.png" || photo == "p14.png" || photo == "p18.png" ? 6 : 0) << photo;
  for (const char* name : {"p13.png", "p13.left.png"}) {  // as the user knows it, or as a report names it
    options.test_images = {name};
    for (const auto& [photo, faces] : held_out_faces(load_views(scene, options)))
      EXPECT_EQ(faces, photo == "p13.png" ? 6 : 0) << photo;
  }
  options.test_images = {"p13.inside.png"};
  const auto unknown = load_dataset(scene.path(), options);
  ASSERT_FALSE(unknown.ok());
  EXPECT_TRUE(mentions(unknown.error().message, "did you mean 'p13.png'")) << unknown.error().message;
}

TEST(PanoramaDataset, ResolutionIsThatOfTheFaces) {
  Panoramas scene({"a.png"}, 640);
  scene.write_photos(640, 320);
  DatasetOptions options;
  const auto side = [&](int resolution) {
    options.resolution = resolution;
    const Dataset dataset = load_views(scene, options);
    EXPECT_EQ(dataset.views[0].camera.width, dataset.views[0].camera.height);
    EXPECT_EQ(dataset.views[0].camera.fx, 0.5f * float(dataset.views[0].camera.width));
    return dataset.views[0].camera.width;
  };
  EXPECT_EQ(side(0), 204);  // 640 / pi
  EXPECT_EQ(side(1), 204);
  EXPECT_EQ(side(2), 102);
  EXPECT_EQ(side(8), 26);  // 25.5, of two as near the even one
  EXPECT_EQ(side(100), 100);
  EXPECT_EQ(side(5000), 204);
  scene.write_photos(320, 160, 3, "images_2");
  EXPECT_EQ(side(2), 102);
  EXPECT_EQ(load_views(scene, options).views[0].image_path.parent_path().filename(), "images_2");
}

TEST(PanoramaDataset, LargePanoramasAreLimitedByDefaultWithANote) {
  Panoramas scene({"a.png"}, 5200);
  scene.write_photo("a.png", flat_picture(5200, 2600, 1, 9));
  const Dataset dataset = load_views(scene);
  EXPECT_EQ(dataset.views[0].camera.width, io::kDefaultMaxSide);  // of 1655
  EXPECT_TRUE(any_mentions(dataset.notes, "-r 1"));
}

TEST(PanoramaDataset, NamesThatMeetAreAnError) {
  Panoramas scene({"a.png", "a.front.png"});
  scene.write_photos(320, 160);
  EXPECT_EQ(load_views(scene).views.size(), 12u);  // a.front.front.png and so on
  SmallScene mixed({"a.png", "a.front.png"});
  mixed.write("sparse/0/cameras.txt", "1 EQUIRECTANGULAR 320 160 320 160\n2 PINHOLE 64 48 60 60 32 24\n");
  mixed.write("sparse/0/images.txt", "1 1 0 0 0 0 0 4 1 a.png\n\n2 1 0 0 0 1 0 4 2 a.front.png\n\n");
  mixed.write_photo("a.png", wavy_picture(320, 160, 3));
  mixed.write_photo("a.front.png", wavy_picture(64, 48, 3));
  const auto dataset = load_dataset(mixed.path(), {});
  ASSERT_FALSE(dataset.ok());
  EXPECT_TRUE(mentions(dataset.error().message, "'a.front.png'")) << dataset.error().message;
  EXPECT_TRUE(mentions(dataset.error().message, "'a.png'")) << dataset.error().message;
}

// Every face of the loaded photo against what a pinhole in the world sees, for a turned photo, as PNG and JPEG, in
// full and reduced by JPEG's own blocks.
TEST(PanoramaDataset, LoadedFacesShowTheWorld) {
  for (const bool jpeg : {false, true}) {
    const std::string name = jpeg ? "a.jpg" : "a.png";
    Panoramas scene({name}, 768);
    // The photo's frame is turned by the quaternion (0.5, 0.5, 0.5, 0.5): its x, y, z are the world's z, x, y.
    scene.write("sparse/0/images.txt", "1 0.5 0.5 0.5 0.5 0 0 0 1 " + name + "\n\n");
    const Image8 photo = panorama(768, 384, [](const Ray& ray, size_t c) { return sky({ray[1], ray[2], ray[0]}, c); });
    scene.write("images/" + name, jpeg ? io::encode_jpeg(photo, 98) : io::encode_png(photo));
    for (const int resolution : {1, 2, 4}) {
      DatasetOptions options;
      options.resolution = resolution;
      for (const DatasetView& view : load_views(scene, options).views) {
        const auto image = io::load_training_image(view);
        ASSERT_TRUE(image.ok()) << image.error().message;
        const int side = view.camera.width;
        double squared = 0;
        for (int y = 0; y < side; ++y)
          for (int x = 0; x < side; ++x) {
            const Ray in_face{(x + 0.5 - view.camera.cx) / view.camera.fx, (y + 0.5 - view.camera.cy) / view.camera.fy,
                              1};
            Ray in_world{};
            for (size_t c = 0; c < 3; ++c)
              for (size_t r = 0; r < 3; ++r) in_world[c] += view.cam_from_world.rotation[3 * r + c] * in_face[r];
            for (size_t c = 0; c < 3; ++c) {
              const double value = image->rgb[(c * size_t(side) + size_t(y)) * size_t(side) + size_t(x)];
              squared += std::pow(value - sky(in_world, c), 2);
            }
          }
        EXPECT_GT(psnr_of(squared, image->rgb.size()), jpeg ? 36 : 46) << view.name << " -r " << resolution;
      }
    }
  }
}

TEST(PanoramaDataset, MasksAndAlphaReachTheFaces) {
  Panoramas scene({"a.png", "b.png"});
  scene.write_photo("a.png", wavy_picture(320, 160, 3));
  Image8 clear = wavy_picture(320, 160, 4);
  for (size_t i = 0; i < 320 * 160; ++i)
    clear.pixels[4 * i + 3] = i / 320 < 40 ? 0 : 255;  // what lies above 45 degrees
  scene.write_photo("b.png", clear);
  Image8 mask = flat_picture(64, 32, 1, 255);
  std::fill(mask.pixels.begin() + 64 * 24, mask.pixels.end(), 0);  // what lies below 45 degrees
  scene.write("masks/a.png", io::encode_png(mask));
  const Dataset dataset = load_views(scene);
  const auto kept = [&](const std::string& name) {
    for (const DatasetView& view : dataset.views)
      if (view.name == name) {
        const auto image = io::load_training_image(view);
        EXPECT_TRUE(image.ok());
        const auto pixels = double(image->width * image->height);
        const std::vector<uint8_t>& plane = name[0] == 'a' ? image->mask : image->alpha;
        const auto shown = std::count_if(plane.begin(), plane.end(), [](uint8_t value) { return value >= 128; });
        return plane.empty() ? 1.0 : double(shown) / pixels;
      }
    ADD_FAILURE() << name;
    return 0.0;
  };
  // Within 45 degrees of the pole lies the circle in the square: pi / 4 of it.
  EXPECT_NEAR(kept("a.down.png"), 1 - kPi / 4, 0.02);
  EXPECT_EQ(kept("a.up.png"), 1);
  EXPECT_GT(kept("a.front.png"), 0.98);
  EXPECT_NEAR(kept("b.up.png"), 1 - kPi / 4, 0.02);
  EXPECT_EQ(kept("b.down.png"), 1);
}

TEST(PanoramaDataset, StreamingGivesTheSamePixelsAsMemory) {
  SmallScene scene(photo_names(7));
  std::string images;
  scene.write("sparse/0/cameras.txt", "1 EQUIRECTANGULAR 96 48 96 48\n2 PINHOLE 64 48 60 60 32 24\n");
  for (int i = 0; i < 7; ++i)
    images +=
        std::to_string(i + 1) + " 1 0 0 0 0 0 4 " + (i == 3 ? "2" : "1") + " p" + std::to_string(10 + i) + ".png\n\n";
  scene.write("sparse/0/images.txt", images);
  scene.write_photos(96, 48);
  scene.write_photo("p13.png", wavy_picture(64, 48, 3, 3));
  scene.write("masks/p11.png", io::encode_png(wavy_picture(96, 48, 1)));
  Dataset dataset = load_views(scene);
  ASSERT_EQ(dataset.views.size(), 37u);
  io::ImageStoreOptions streaming;
  streaming.threads = 3;
  streaming.memory_limit_bytes = io::image_bytes(dataset) / 3;
  size_t reported = 0;
  io::ImageStoreOptions in_memory;
  in_memory.progress = [&](size_t done, size_t total) {
    EXPECT_EQ(total, 37u);
    reported = done;
  };
  const auto memory = open_images(dataset, in_memory), stream = open_images(dataset, streaming);
  ASSERT_TRUE(memory.ok() && stream.ok());
  EXPECT_EQ(reported, 37u);
  ASSERT_NE(dynamic_cast<io::StreamingSource*>(stream->get()), nullptr);
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<int> order;
    for (int i = 0; i < 37; ++i) order.push_back((i * 11 + epoch) % 37);
    (*stream)->prefetch(order);
    for (const int view : order) {
      const auto a = (*memory)->get(view), b = (*stream)->get(view);
      ASSERT_TRUE(a.ok() && b.ok());
      ASSERT_EQ((*a)->rgb, (*b)->rgb) << view;
      ASSERT_EQ((*a)->mask, (*b)->mask) << view;
    }
  }
}

TEST(PanoramaDataset, AFaceOfWhichNothingCountsIsLeftOutAlone) {
  Panoramas scene({"a.png", "b.png"});
  scene.write_photos(320, 160);
  Image8 mask = flat_picture(320, 160, 1, 255);
  std::fill(mask.pixels.begin() + 320 * 110, mask.pixels.end(), 0);  // what lies more than 33.75 degrees below
  scene.write("masks/a.png", io::encode_png(mask));
  Dataset dataset = load_views(scene);
  ASSERT_TRUE(open_images(dataset, {}).ok());
  EXPECT_EQ(dataset.views.size(), 11u);
  EXPECT_TRUE(mentions(dataset.warnings.back(), "a.down.png")) << dataset.warnings.back();
}

TEST(PanoramaDataset, ABrokenPanoramaIsLeftOutWithItsFaces) {
  Panoramas scene({"a.png", "b.png"});
  scene.write_photos(320, 160);
  const std::string bytes = io::encode_png(wavy_picture(320, 160, 3));
  scene.write("images/b.png", bytes.substr(0, bytes.size() / 2));
  for (const size_t limit : {0, 1}) {
    Dataset dataset = load_views(scene);
    io::ImageStoreOptions store;
    store.memory_limit_bytes = limit;
    const auto images = open_images(dataset, store);
    ASSERT_TRUE(images.ok()) << images.error().message;
    EXPECT_EQ(dataset.views.size(), 6u);
    EXPECT_TRUE(mentions(dataset.warnings.back(), "1 photo cannot be used and is left out: 'b.png'"))
        << dataset.warnings.back();
    EXPECT_TRUE((*images)->get(2).ok());
  }
}

TEST(PanoramaDataset, PreflightCountsPhotosAndSaysThatTheyAreSplit) {
  Panoramas scene(photo_names(9), 640);
  scene.write_photos(640, 320);
  scene.write("masks/p10.png", io::encode_png(flat_picture(640, 320, 1, 255)));
  DatasetOptions options;
  options.eval = true;
  options.resolution = 2;
  const io::Preflight preflight = io::make_preflight(load_views(scene, options), {});
  EXPECT_EQ(preflight.registered, 9u);
  EXPECT_EQ(preflight.used, 9u);
  EXPECT_EQ(preflight.views, 54u);
  EXPECT_EQ(preflight.training, 7u);
  EXPECT_EQ(preflight.masked, 1u);
  EXPECT_EQ(preflight.held_out, (std::vector<std::string>{"p10.png", "p18.png"}));
  ASSERT_EQ(preflight.cameras.size(), 1u);
  EXPECT_EQ(preflight.cameras[0].images, 9u);
  EXPECT_EQ(preflight.cameras[0].plan, "EQUIRECTANGULAR 640x320, panorama, split into 6 views of 102x102");
  EXPECT_TRUE(any_mentions(preflight_lines(preflight), "7 photos to train on, 2 held out; 54 views in all"));
}

TEST(PanoramaDataset, TransformsJson) {
  const TempFolder folder;
  folder.write("transforms.json",
               R"({"camera_model": "EQUIRECTANGULAR", "fl_x": 160, "fl_y": 160, "cx": 160, "cy": 80, "frames": [)"
               R"({"file_path": "images/a.png", "transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}]})");
  // OpenGL camera axes in a y-up world: ahead is -z, up is +y, right is +x.
  const auto in_world = [](const Ray& ray, size_t c) { return sky({ray[0], -ray[1], -ray[2]}, c); };
  folder.write("images/a.png", io::encode_png(panorama(320, 160, in_world)));
  const auto dataset = load_dataset(folder.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_EQ(dataset->views.size(), 6u);
  for (const DatasetView& view : dataset->views) {
    const auto image = io::load_training_image(view);
    ASSERT_TRUE(image.ok());
    const auto& r = view.cam_from_world.rotation;  // the middle of the picture looks along the third row
    double middle = 0;                             // of the four pixels around it
    for (const int i : {50 * 102 + 50, 50 * 102 + 51, 51 * 102 + 50, 51 * 102 + 51})
      middle += 0.25 * image->rgb[size_t(i)];
    EXPECT_NEAR(middle, sky({r[6], r[7], r[8]}, 0), 1) << view.name;
  }
}

// Remembers what was loaded together.
class GroupLoader : public io::PhotoLoader {
 public:
  GroupLoader(std::vector<std::vector<int>>& loads, std::mutex& mutex) : loads_(loads), mutex_(mutex) {}
  splat::Result<TrainingImage> load(int view) const override { return TrainingImage{1, 1, {uint8_t(view), 0, 0}, {}}; }
  std::span<const int> from_same_file(int view) const override { return std::span(kViews).subspan(view / 3 * 3, 3); }
  std::vector<splat::Result<TrainingImage>> load_together(std::span<const int> views) const override {
    std::lock_guard lock(mutex_);
    loads_.emplace_back(views.begin(), views.end());
    return PhotoLoader::load_together(views);
  }

 private:
  static constexpr int kViews[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::vector<int>>& loads_;
  std::mutex& mutex_;
};

TEST(ImageStore, AStreamLoadsWhatIsNeededSoonFromOneFileAtOnce) {
  std::vector<std::vector<int>> loads;
  std::mutex mutex;
  {
    io::StreamingSource stream(std::make_unique<GroupLoader>(loads, mutex), 4, 1);
    const std::vector<int> order{0, 3, 1, 6, 4, 2, 5, 7, 8};
    stream.prefetch(order);
    for (const int view : order) {
      const auto image = stream.get(view);
      ASSERT_TRUE(image.ok());
      ASSERT_EQ((*image)->rgb[0], view);
      EXPECT_LE(stream.held(), 4u);
    }
  }
  size_t views = 0;
  for (const auto& group : loads) views += group.size();
  EXPECT_EQ(views, 9u);
  EXPECT_LT(loads.size(), 9u);
}

}  // namespace
