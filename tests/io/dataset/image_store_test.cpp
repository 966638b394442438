#include "io/dataset/image_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/dataset/load_dataset.h"
#include "io/dataset/streaming_source.h"
#include "io/dataset/training_image.h"
#include "splat/core/random.h"
#include "tests/io/dataset/small_scene.h"

namespace {

using io::DatasetOptions, io::ImageStoreOptions, io::load_dataset, io::open_images;
using splat::Dataset, splat::Image8, splat::TrainingImage;
using splat::test::flat_picture, splat::test::mentions, splat::test::SmallScene, splat::test::wavy_picture;

Dataset load(const SmallScene& scene, const DatasetOptions& options = {}) {
  auto dataset = load_dataset(scene.path(), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return dataset.ok() ? std::move(*dataset) : Dataset{};
}

TrainingImage first_image(const SmallScene& scene, const DatasetOptions& options = {},
                          const io::Background& background = {0, 0, 0}) {
  const Dataset dataset = load(scene, options);
  auto image = io::load_training_image(dataset.views.at(0), background);
  EXPECT_TRUE(image.ok()) << image.error().message;
  return image.ok() ? std::move(*image) : TrainingImage{};
}

void expect_planar(const TrainingImage& image, const Image8& expected) {
  ASSERT_EQ(image.width, expected.width);
  ASSERT_EQ(image.height, expected.height);
  const size_t pixels = size_t(image.width) * size_t(image.height), channels = size_t(expected.channels);
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c)
      ASSERT_EQ(image.rgb[c * pixels + i], expected.pixels[i * channels + (channels < 3 ? 0 : c)]);
}

TEST(TrainingImage, PinholePhotosAreUntouched) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  const TrainingImage image = first_image(scene);
  expect_planar(image, wavy_picture(64, 48, 3));
  EXPECT_TRUE(image.mask.empty());
}

TEST(TrainingImage, GreyBecomesThreeEqualPlanes) {
  SmallScene scene({"a.png"});
  scene.write_photos(64, 48, 1);
  expect_planar(first_image(scene), wavy_picture(64, 48, 1));
}

// Half of them transparent, some of them in part; what is transparent has a colour, too.
Image8 transparent_picture(int width, int height, int channels) {
  Image8 image = wavy_picture(width, height, channels);
  const size_t pixels = size_t(width) * size_t(height), last = size_t(channels) - 1;
  for (size_t i = 0; i < pixels; ++i) {
    const size_t x = i % size_t(width), y = i / size_t(width);
    image.pixels[i * size_t(channels) + last] = uint8_t(x > y + 9 ? 0 : x > y ? 255 - 25 * (x - y) : 255);
  }
  return image;
}

// As somebody else lays it over the background, in whole values of the picture's own size.
Image8 laid_over(const Image8& image, const io::Background& background) {
  const size_t channels = size_t(image.channels), pixels = image.pixels.size() / channels;
  Image8 result = flat_picture(image.width, image.height, 3, 0);
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c) {
      const double colour = image.pixels[i * channels + (channels < 3 ? 0 : c)];
      const double alpha = image.pixels[i * channels + channels - 1] / 255.0;
      result.pixels[3 * i + c] = uint8_t(std::lround(alpha * colour + (1 - alpha) * 255 * double(background[c])));
    }
  return result;
}

// At every size and through every lens: what is done to the photo is done to an opaque one.
TEST(TrainingImage, TransparentPhotosAreThoseThatSomebodyLaidOverTheBackground) {
  for (const char* camera : {"PINHOLE 64 48 60 60 32 24", "OPENCV 64 48 60 60 32 24 0.05 -0.02 0.001 0"})
    for (const int channels : {2, 4})
      for (const io::Background& background :
           {io::Background{0, 0, 0}, io::Background{1, 1, 1}, io::Background{0.3f, 0.7f, 0.15f}}) {
        SmallScene transparent({"a.png"}, camera), opaque({"a.png"}, camera);
        const Image8 picture = transparent_picture(64, 48, channels);
        transparent.write_photo("a.png", picture);
        opaque.write_photo("a.png", laid_over(picture, background));
        for (const int resolution : {1, 2, 50}) {
          SCOPED_TRACE(resolution);
          DatasetOptions options;
          options.resolution = resolution;
          const TrainingImage a = first_image(transparent, options, background), b = first_image(opaque, options);
          EXPECT_EQ(a.rgb, b.rgb);
          EXPECT_EQ(a.mask, b.mask) << "every pixel of the photo counts";
          EXPECT_EQ(a.background, background);
          ASSERT_EQ(a.alpha.size(), a.rgb.size() / 3);
          EXPECT_EQ(std::count(a.alpha.begin(), a.alpha.end(), 255) > 0, true);
          EXPECT_EQ(std::count(a.alpha.begin(), a.alpha.end(), 0) > 0, true);
          EXPECT_TRUE(b.alpha.empty());
        }
      }
}

TEST(TrainingImage, AlphaIsReducedLikeACover) {
  SmallScene scene({"a.png"});
  Image8 image = flat_picture(64, 48, 4, 200);
  for (size_t i = 0; i < 64 * 48; ++i) image.pixels[4 * i + 3] = i % 2 ? 255 : 0;  // every other column
  scene.write_photo("a.png", image);
  DatasetOptions half;
  half.resolution = 2;
  const TrainingImage read = first_image(scene, half, {1, 1, 1});
  for (const uint8_t alpha : read.alpha) ASSERT_EQ(alpha, 128);
  for (const uint8_t value : read.rgb) ASSERT_EQ(value, 228);  // the mean of 200 and 255
}

TEST(TrainingImage, IgnoredTransparencyExcludesPixels) {
  SmallScene scene({"a.png"});
  Image8 image = flat_picture(64, 48, 4, 90);
  for (size_t i = 0; i < 64 * 48; ++i) image.pixels[4 * i + 3] = uint8_t(i % 256);
  scene.write_photo("a.png", image);
  DatasetOptions options;
  options.ignores_transparent = true;
  const TrainingImage read = first_image(scene, options, {1, 1, 1});
  ASSERT_EQ(read.mask.size(), size_t(64 * 48));
  EXPECT_TRUE(read.alpha.empty());
  for (size_t i = 0; i < read.mask.size(); ++i) ASSERT_EQ(read.mask[i], i % 256 >= 128 ? 255 : 0);
  for (const uint8_t value : read.rgb) ASSERT_EQ(value, 90) << "the background is nowhere";
}

// As Blender writes a view that the object is not in.
TEST(TrainingImage, APhotoOfNothingIsEmpty) {
  SmallScene scene({"a.png"});
  scene.write_photo("a.png", flat_picture(64, 48, 4, 0));
  const TrainingImage read = first_image(scene, {}, {1, 0.5f, 0});
  EXPECT_EQ(read.alpha, std::vector<uint8_t>(64 * 48, 0));
  EXPECT_EQ(read.rgb.front(), 255);
  EXPECT_EQ(read.rgb[64 * 48], 128);
  EXPECT_TRUE(read.mask.empty());
}

TEST(TrainingImage, ConstantAlphaSaysNothing) {
  for (uint8_t alpha : {0, 77, 255}) {
    SmallScene scene({"a.png"});
    Image8 image = wavy_picture(64, 48, 4);
    for (size_t i = 0; i < 64 * 48; ++i) image.pixels[4 * i + 3] = alpha;
    scene.write_photo("a.png", image);
    const TrainingImage read = first_image(scene);
    EXPECT_TRUE(read.mask.empty() && read.alpha.empty());
    expect_planar(read, image);
    DatasetOptions half;
    half.resolution = 2;
    EXPECT_NEAR(first_image(scene, half).rgb[0], image.pixels[0], 12) << int(alpha);  // not weighed away
  }
}

TEST(TrainingImage, AMaskWinsOverAConstantAlpha) {
  SmallScene scene({"a.png"});
  Image8 image = wavy_picture(64, 48, 4);
  for (size_t i = 0; i < 64 * 48; ++i) image.pixels[4 * i + 3] = 255;
  scene.write_photo("a.png", image);
  Image8 mask = flat_picture(64, 48, 1, 255);
  std::fill_n(mask.pixels.begin(), 64 * 10, 0);
  scene.write("masks/a.png", io::encode_png(mask));
  EXPECT_EQ(first_image(scene).mask, mask.pixels);
}

TEST(TrainingImage, AMaskSaysWhatIsNotKnownAlphaWhatIsEmpty) {
  SmallScene scene({"a.png"});
  Image8 image = flat_picture(64, 48, 4, 255);
  for (size_t i = 0; i < 64; ++i) image.pixels[4 * i + 3] = 0;  // the first row
  scene.write_photo("a.png", image);
  Image8 mask = flat_picture(64, 48, 1, 255);
  std::fill_n(mask.pixels.end() - 64, 64, 0);  // the last row
  scene.write("masks/a.png", io::encode_png(mask));
  for (const bool ignores : {false, true}) {
    DatasetOptions options;
    options.ignores_transparent = ignores;
    const TrainingImage read = first_image(scene, options);
    ASSERT_EQ(read.mask.size(), size_t(64 * 48));
    ASSERT_EQ(read.alpha.empty(), ignores);
    for (size_t y = 0; y < 48; ++y) {
      EXPECT_EQ(read.mask[y * 64 + 5], y == 47 || (ignores && y == 0) ? 0 : 255);
      EXPECT_EQ(read.shows(y * 64 + 5), y > 0 && y < 47);
      EXPECT_EQ(read.rgb[y * 64 + 5], y > 0 || ignores ? 255 : 0);
    }
  }
}

TEST(TrainingImage, MasksOfAnotherSizeAreResized) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  Image8 mask = flat_picture(16, 12, 3, 255);  // a quarter; the left half black
  for (size_t y = 0; y < 12; ++y) std::fill_n(&mask.pixels[y * 48], 24, 0);
  scene.write("masks/a.png", io::encode_png(mask));
  for (int resolution : {1, 2, 4}) {
    DatasetOptions options;
    options.resolution = resolution;
    const TrainingImage read = first_image(scene, options);
    ASSERT_EQ(read.mask.size(), size_t(read.width * read.height));
    for (int y = 0; y < read.height; ++y)
      for (int x = 0; x < read.width; ++x)
        ASSERT_EQ(read.mask[size_t(y * read.width + x)], x < read.width / 2 ? 0 : 255) << resolution;
  }
}

// Given at the camera's size, it shrinks with the picture.
TEST(TrainingImage, BeyondTheRadiusOfAFisheyePictureNothingCounts) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  Dataset dataset = load(scene);
  dataset.views[0].crop_radius_px = 20;
  for (const int divisor : {1, 2}) {
    dataset.views[0].camera.width = 64 / divisor;
    dataset.views[0].camera.height = 48 / divisor;
    const auto image = io::load_training_image(dataset.views[0]);
    ASSERT_TRUE(image.ok()) << image.error().message;
    for (int y = 0; y < 48 / divisor; ++y)
      for (int x = 0; x < 64 / divisor; ++x) {
        const double right = std::max(32 - x * divisor, (x + 1) * divisor - 32),
                     down = std::max(24 - y * divisor, (y + 1) * divisor - 24);
        const bool inside = std::hypot(right, down) <= 20;  // the corner that is farthest from the middle
        ASSERT_EQ(image->mask[size_t(y * (64 / divisor) + x)], inside ? 255 : 0) << x << ',' << y;
      }
  }
}

TEST(TrainingImage, MasksOfZeroAndOneAreLabels) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  Image8 mask = flat_picture(64, 48, 1, 1);
  mask.pixels[0] = 0;
  scene.write("masks/a.png", io::encode_png(mask));
  const TrainingImage read = first_image(scene);
  ASSERT_EQ(read.mask.size(), size_t(64 * 48));
  EXPECT_EQ(read.mask[0], 0);
  EXPECT_EQ(read.mask[1], 255);
}

TEST(TrainingImage, ReducedJpegAndPngAgree) {
  const Image8 photo = wavy_picture(131, 97, 3);
  SmallScene png({"a.png"}, "PINHOLE 131 97 120 120 65 48"), jpeg({"a.jpg"}, "PINHOLE 131 97 120 120 65 48");
  png.write_photo("a.png", photo);
  jpeg.write("images/a.jpg", io::encode_jpeg(photo, 98));
  for (int resolution : {1, 2, 3, 4, 8, 30, 50}) {
    DatasetOptions options;
    options.resolution = resolution;
    const TrainingImage a = first_image(png, options), b = first_image(jpeg, options);
    ASSERT_EQ(a.width, b.width);
    ASSERT_EQ(a.height, b.height);
    ASSERT_EQ(a.width, resolution <= 8 ? int(std::nearbyint(131.0 / resolution)) : resolution);
    double sum = 0;
    for (size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
    EXPECT_LT(sum / double(a.rgb.size()), 2.5) << resolution;  // the waves have a slope of 7 a pixel
  }
}

// A ramp across the photo stays the same ramp across the smaller one, to its last column: what the camera's focal
// length and centre, scaled by the ratio of the widths, assume.
TEST(TrainingImage, ReducedPhotosSpanTheWholePhoto) {
  Image8 ramp = flat_picture(101, 48, 3, 0);
  for (size_t i = 0; i < ramp.pixels.size(); ++i) ramp.pixels[i] = uint8_t(2 * (i / 3 % 101));
  SmallScene png({"a.png"}, "PINHOLE 101 48 60 60 50.5 24"), jpeg({"a.jpg"}, "PINHOLE 101 48 60 60 50.5 24");
  png.write_photo("a.png", ramp);
  jpeg.write("images/a.jpg", io::encode_jpeg(ramp, 100));
  for (SmallScene* scene : {&png, &jpeg})
    for (int resolution : {2, 4, 8, 70}) {
      DatasetOptions options;
      options.resolution = resolution;
      const TrainingImage image = first_image(*scene, options);
      const double ratio = 101.0 / image.width;
      for (size_t x = 0; x < size_t(image.width); ++x)
        EXPECT_NEAR(image.rgb[x], 2 * ((double(x) + 0.5) * ratio - 0.5), 1.1) << resolution << " " << x;
    }
}

TEST(TrainingImage, AChangedPhotoIsNoticed) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  const Dataset dataset = load(scene);
  scene.write_photos(32, 24);
  const auto image = io::load_training_image(dataset.views[0]);
  ASSERT_FALSE(image.ok());
  EXPECT_TRUE(mentions(image.error().message, "must not change"));
}

std::vector<std::string> many_names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("p" + std::to_string(100 + i) + ".png");
  return names;
}

TEST(ImageStore, StreamingGivesTheSamePixelsAsMemory) {
  SmallScene scene(many_names(23), "OPENCV 64 48 60 60 32 24 0.05 -0.02 0.001 0");
  scene.write_photos();
  scene.write("masks/p105.png", io::encode_png(wavy_picture(64, 48, 1)));
  scene.write_photo("p107.png", transparent_picture(64, 48, 4));
  Dataset dataset = load(scene);
  size_t reported = 0;
  ImageStoreOptions in_memory;
  in_memory.threads = 3;
  in_memory.progress = [&](size_t done, size_t total) {
    EXPECT_EQ(total, 23u);
    EXPECT_EQ(done, ++reported);
  };
  ImageStoreOptions streaming;
  streaming.threads = 3;
  streaming.memory_limit_bytes = io::image_bytes(dataset) / 4;
  in_memory.background = streaming.background = {0.5f, 0, 1};
  const auto memory = open_images(dataset, in_memory), stream = open_images(dataset, streaming);
  ASSERT_TRUE(memory.ok() && stream.ok());
  EXPECT_EQ(reported, 23u);
  EXPECT_NE(dynamic_cast<io::StreamingSource*>(stream->get()), nullptr);
  EXPECT_EQ(dynamic_cast<io::StreamingSource*>(memory->get()), nullptr);

  splat::random::Sequence random(1, splat::random::kTest);
  std::vector<int> order(23);
  std::iota(order.begin(), order.end(), 0);
  for (int epoch = 0; epoch < 4; ++epoch) {
    for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(uint32_t(i + 1))]);
    if (epoch != 2) (*stream)->prefetch(order);  // works unannounced, too
    for (int view : order) {
      const auto a = (*memory)->get(view), b = (*stream)->get(view);
      ASSERT_TRUE(a.ok() && b.ok());
      ASSERT_EQ((*a)->rgb, (*b)->rgb);
      ASSERT_EQ((*a)->mask, (*b)->mask);
      EXPECT_EQ((*a)->mask.empty(), (*b)->mask.empty());
      ASSERT_EQ((*a)->alpha, (*b)->alpha);
      EXPECT_EQ((*a)->alpha.empty(), view != 7);
      EXPECT_EQ((*b)->background, in_memory.background);
    }
  }
}

// Whose header is whole: that they are broken only decoding shows.
TEST(ImageStore, BrokenPhotosAreLeftOutBeforeTraining) {
  SmallScene scene(many_names(5));
  scene.write_photos();
  const std::string bytes = io::encode_png(wavy_picture(64, 48, 3)), cut = bytes.substr(0, bytes.size() / 2);
  scene.write("images/p103.png", cut);
  for (const bool streamed : {false, true}) {
    Dataset dataset = load(scene);
    ASSERT_EQ(dataset.views.size(), 5u);
    ImageStoreOptions store;
    store.memory_limit_bytes = streamed ? 1 : 0;
    const auto images = open_images(dataset, store);
    ASSERT_TRUE(images.ok()) << images.error().message;
    ASSERT_EQ(dataset.views.size(), 4u);
    ASSERT_EQ(dataset.warnings.size(), 1u);
    EXPECT_TRUE(mentions(dataset.warnings[0], "1 photo cannot be used and is left out: 'p103.png'"))
        << dataset.warnings[0];
    for (int view = 0; view < 4; ++view) {
      const auto image = (*images)->get(view);
      ASSERT_TRUE(image.ok()) << image.error().message;
      expect_planar(**image, wavy_picture(64, 48, 3, view == 3 ? 4 : view));
    }
  }
  for (const std::string& name : many_names(5)) scene.write("images/" + name, cut);
  Dataset dataset = load(scene);
  const auto nothing = open_images(dataset, {});
  ASSERT_FALSE(nothing.ok());
  EXPECT_TRUE(mentions(nothing.error().message, "p100.png")) << nothing.error().message;
}

// Counts how many photos exist at a time.
class CountingLoader : public io::PhotoLoader {
 public:
  explicit CountingLoader(std::vector<int>& loads) : loads_(loads) {}
  splat::Result<TrainingImage> load(int view) const override {
    {
      std::lock_guard lock(mutex_);
      ++loads_[size_t(view)];
    }
    return TrainingImage{1, 1, {uint8_t(view), 0, 0}, {}};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int>& loads_;
};

TEST(ImageStore, AStreamDecodesEachAnnouncedPhotoOnce) {
  std::vector<int> loads(40, 0);
  {
    io::StreamingSource stream(std::make_unique<CountingLoader>(loads), 4, 3);
    std::vector<int> order(40);
    std::iota(order.begin(), order.end(), 0);
    stream.prefetch(order);
    for (int view : order) {
      const auto image = stream.get(view);
      ASSERT_TRUE(image.ok());
      ASSERT_EQ((*image)->rgb[0], view);
    }
  }
  for (int count : loads) EXPECT_EQ(count, 1);
}

TEST(ImageStore, AStreamDecodesAhead) {
  std::vector<int> loads(10, 0);
  {
    io::StreamingSource stream(std::make_unique<CountingLoader>(loads), 4, 1);
    const int order[] = {0, 1, 2, 3, 4, 5};
    stream.prefetch(order);
    ASSERT_TRUE(stream.get(0).ok());
    for (int wait = 0; wait < 1000 && stream.held() < 4; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(stream.held(), 4u);  // the current one and three ahead
  }
  EXPECT_EQ(std::accumulate(loads.begin(), loads.end(), 0), 4);
}

TEST(ImageStore, PhotosOfWhichNothingCountsAreLeftOut) {
  SmallScene scene(many_names(9));
  scene.write_photos();
  scene.write("masks/p100.png", io::encode_png(flat_picture(64, 48, 1, 0)));  // held out
  scene.write("masks/p104.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  Image8 clear = flat_picture(64, 48, 4, 100);  // alpha below the threshold everywhere, but not constant
  clear.pixels[3] = 0;
  scene.write_photo("p106.png", clear);
  DatasetOptions options;
  options.eval = true;
  options.ignores_transparent = true;
  for (const bool streamed : {false, true}) {
    Dataset dataset = load(scene, options);
    ImageStoreOptions store;
    store.memory_limit_bytes = streamed ? io::image_bytes(dataset) / 4 : 0;
    const auto images = open_images(dataset, store);
    ASSERT_TRUE(images.ok()) << images.error().message;
    EXPECT_EQ(dynamic_cast<io::StreamingSource*>(images->get()) != nullptr, streamed);
    ASSERT_EQ(dataset.views.size(), 6u);
    EXPECT_EQ(dataset.training_views().size(), 5u);  // the others keep their side of the split
    EXPECT_EQ(dataset.views[3].name, "p105.png");
    EXPECT_TRUE(mentions(dataset.warnings.back(), "3 photos are left out")) << dataset.warnings.back();
    EXPECT_TRUE(mentions(dataset.warnings.back(), "p100.png, p104.png, p106.png")) << dataset.warnings.back();
    const auto image = (*images)->get(3);
    ASSERT_TRUE(image.ok());
    expect_planar(**image, wavy_picture(64, 48, 3, 5));
  }
}

TEST(ImageStore, NothingLeftToTrainOnIsAnError) {
  SmallScene scene(many_names(12));
  scene.write_photos();
  for (const std::string& name : many_names(12))
    if (name != "p100.png") scene.write("masks/" + name, io::encode_png(flat_picture(64, 48, 1, 0)));
  DatasetOptions options;
  options.test_images = {"p100.png"};
  Dataset dataset = load(scene, options);
  const auto images = open_images(dataset, {});
  ASSERT_FALSE(images.ok());
  EXPECT_TRUE(mentions(images.error().message, "every pixel is masked in 11 of them (p101.png"))
      << images.error().message;
  EXPECT_TRUE(mentions(images.error().message, "p110.png and 1 more")) << images.error().message;
}

TEST(ImageStore, PredictedBytesAreWhatIsHeld) {
  SmallScene scene(many_names(3));
  scene.write_photos();
  EXPECT_EQ(io::image_bytes(load(scene)), size_t(3 * 64 * 48 * 3));
  scene.write("masks/p100.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  EXPECT_EQ(io::image_bytes(load(scene)), size_t(64 * 48 * 10));
  scene.write_photo("p100.png", transparent_picture(64, 48, 4));  // and a mask
  scene.write_photo("p101.png", transparent_picture(64, 48, 4));
  EXPECT_EQ(io::image_bytes(load(scene)), size_t(64 * 48 * 12));
  DatasetOptions options;
  options.ignores_transparent = true;
  EXPECT_EQ(io::image_bytes(load(scene, options)), size_t(64 * 48 * 11));
}

}  // namespace
