#include "io/dataset/image_store.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "io/dataset/lens_groups.h"
#include "io/dataset/streaming_source.h"
#include "io/dataset/training_image.h"
#include "io/reconstruction/left_out.h"
#include "io/text.h"
#include "splat/core/check.h"
#include "splat/core/parallel.h"

namespace io {

using splat::Dataset, splat::DatasetView, splat::ImageSource, splat::Lens, splat::Result, splat::Status;
using splat::ThreadPool, splat::TrainingImage;

namespace {

// Remaps of the lenses that several views share. A photo with a lens of its own gets its remap while it is loaded.
class SharedRemaps {
 public:
  SharedRemaps(const std::vector<DatasetView>& views, ThreadPool& pool) {
    std::vector<Lens> lenses;
    for (const DatasetView& view : views) lenses.push_back(view.panorama_face < 0 ? training_lens(view) : Lens{});
    LensGroups groups = group_lenses(lenses);
    remaps_.resize(groups.lenses.size());
    size_t made = 0;
    for (size_t i = 0; i < views.size(); ++i) {
      const size_t group = groups.group_of[i];
      if (remaps_[group] || groups.sizes[group] < 2 || made == kMaxRemaps || !groups.lenses[group].has_distortion())
        continue;
      remaps_[group] = std::make_unique<Remap>(make_remap(groups.lenses[group], views[i].camera, &pool));
      ++made;
    }
    group_of_ = std::move(groups.group_of);
  }
  const Remap* of(size_t view) const { return remaps_[group_of_[view]].get(); }

 private:
  static constexpr size_t kMaxRemaps = 16;  // 6 bytes a pixel each
  std::vector<std::unique_ptr<Remap>> remaps_;
  std::vector<size_t> group_of_;
};

class MemorySource : public ImageSource {
 public:
  explicit MemorySource(std::vector<TrainingImage> images) : images_(std::move(images)) {}
  Result<TrainingImage*> get(int view) override {
    SPLAT_CHECK(view >= 0 && size_t(view) < images_.size());
    return &images_[size_t(view)];
  }
  void prefetch(std::span<const int>) override {}

 private:
  std::vector<TrainingImage> images_;
};

// Views by the file they come from: the faces of a panorama together, any other view on its own. In order of views.
class Files {
 public:
  explicit Files(const std::vector<DatasetView>& views) : file_of_(views.size()) {
    std::map<std::string, size_t> panoramas;
    for (size_t i = 0; i < views.size(); ++i) {
      const auto [known, added] = views[i].panorama_face < 0 ? std::pair{panoramas.end(), true}
                                                             : panoramas.emplace(views[i].photo_name(), views_.size());
      file_of_[i] = added ? views_.size() : known->second;
      if (added) views_.emplace_back();
      views_[file_of_[i]].push_back(int(i));
    }
  }
  std::span<const int> views_beside(size_t view) const { return views_[file_of_[view]]; }  // itself included
  // `chosen` views, one group for each file.
  std::vector<std::vector<size_t>> groups(const std::vector<size_t>& chosen) const {
    std::vector<std::vector<size_t>> groups;
    std::map<size_t, size_t> group_of_file;
    for (const size_t view : chosen) {
      const auto [group, added] = group_of_file.emplace(file_of_[view], groups.size());
      if (added) groups.emplace_back();
      groups[group->second].push_back(view);
    }
    return groups;
  }

 private:
  std::vector<std::vector<int>> views_;  // [files]
  std::vector<size_t> file_of_;          // [views]
};

// Views of one file.
template <class Index>
Result<std::vector<TrainingImage>> load_file(const std::vector<DatasetView>& views, std::span<const Index> of_file,
                                             const SharedRemaps& remaps, const Background& background) {
  const DatasetView& first = views[size_t(of_file.front())];
  std::vector<TrainingImage> images;
  if (first.panorama_face < 0) {
    SPLAT_CHECK_EQ(of_file.size(), size_t(1));
    SPLAT_ASSIGN_OR_RETURN(TrainingImage image,
                           load_training_image(first, background, remaps.of(size_t(of_file.front()))));
    images.push_back(std::move(image));
    return images;
  }
  std::vector<const DatasetView*> faces;
  for (const Index view : of_file) faces.push_back(&views[size_t(view)]);
  return load_panorama_faces(faces, background);
}

using TakeImage = splat::FunctionRef<void(size_t view, TrainingImage& image)>;

// Decodes `chosen` views in parallel, those of one file at once, and hands each over, from any thread. What cannot be
// decoded ends up in `broken`, why by view.
Status load_each(const std::vector<DatasetView>& views, const std::vector<size_t>& chosen, const SharedRemaps& remaps,
                 const ImageStoreOptions& options, ThreadPool& pool, TakeImage take,
                 std::map<size_t, std::string>& broken) {
  const std::vector<std::vector<size_t>> groups = Files(views).groups(chosen);
  std::vector<std::optional<splat::Error>> errors(groups.size());
  std::mutex progress_mutex;
  size_t done = 0;
  pool.for_each(groups.size(), [&](size_t i, int) {
    if (options.cancelled && *options.cancelled) return;
    auto images = load_file<size_t>(views, groups[i], remaps, options.background);
    if (!images) errors[i] = images.error();
    for (size_t k = 0; images && k < groups[i].size(); ++k) take(groups[i][k], (*images)[k]);
    std::lock_guard lock(progress_mutex);
    done += groups[i].size();
    if (options.progress) options.progress(done, chosen.size());
  });
  if (options.cancelled && *options.cancelled) return splat::Error{"reading the photos was cancelled"};
  for (size_t i = 0; i < groups.size(); ++i)
    for (const size_t view : groups[i])
      if (errors[i]) broken.emplace(view, errors[i]->message);
  return {};
}

// Takes the broken views out of the dataset, and out of `masked`, [views].
Status leave_out_broken(const std::map<size_t, std::string>& broken, std::vector<uint8_t>& masked, Dataset& dataset) {
  LeftOut left_out;
  std::set<std::string> named;  // the faces of a panorama once
  std::vector<DatasetView> kept;
  std::vector<uint8_t> kept_masked;
  const bool had_training_views = !dataset.training_views().empty();
  for (size_t i = 0; i < dataset.views.size(); ++i) {
    if (!broken.contains(i)) kept_masked.push_back(masked[i]);
    const auto why = broken.find(i);
    if (why == broken.end())
      kept.push_back(std::move(dataset.views[i]));
    else if (const DatasetView& view = dataset.views[i]; !view.left_out && named.insert(view.photo_name()).second)
      left_out.add("photo", view.photo_name(), why->second);
  }
  dataset.views = std::move(kept);
  masked = std::move(kept_masked);
  if (left_out.count("photo") > 0 &&
      (dataset.views.empty() || (had_training_views && dataset.training_views().empty())))
    return splat::Error{"no photo of '" + dataset.root.string() + "' is left: " + left_out.first_reason("photo")};
  left_out.report(dataset.warnings);
  return {};
}

enum Counting : uint8_t { kSomeCount, kNoneCount, kAllCountDespiteMask };  // pixels of a photo

bool counts_nowhere(const TrainingImage& image) {
  return !image.mask.empty() && std::find(image.mask.begin(), image.mask.end(), 255) == image.mask.end();
}

// What is only known once a photo is decoded.
Counting look_at(const TrainingImage& image, DatasetView& view) {
  view.transparent = !image.alpha.empty();
  if (counts_nowhere(image)) return kNoneCount;
  return image.mask.empty() && !view.mask_path.empty() ? kAllCountDespiteMask : kSomeCount;
}

// A mask that excludes nothing is of no use; where none of them excludes anything, they may be something else.
void report_useless_masks(const std::vector<uint8_t>& masked, Dataset& dataset) {
  std::map<std::string, bool> is_useful;  // the mask of each photo
  for (size_t i = 0; i < masked.size(); ++i)
    if (!dataset.views[i].mask_path.empty())
      is_useful[dataset.views[i].photo_name()] |= masked[i] != kAllCountDespiteMask;
  std::vector<std::string> useless;
  for (const auto& [photo, useful] : is_useful)
    if (!useful) useless.push_back(photo);
  if (useless.empty()) return;
  if (useless.size() == is_useful.size())
    dataset.warnings.push_back("no mask excludes anything (" + std::to_string(useless.size()) +
                               " looked at); white pixels of a mask count, black ones do not");
  else
    dataset.notes.push_back("the masks of " + std::to_string(useless.size()) + " of " +
                            std::to_string(is_useful.size()) + " photos exclude nothing: " + first_names(useless));
}

// Takes the views marked in `masked`, [views], out of the dataset.
Status leave_out(const std::vector<uint8_t>& masked, Dataset& dataset) {
  std::vector<std::string> names;
  std::vector<DatasetView> kept;
  const bool had_training_views = !dataset.training_views().empty();
  for (size_t i = 0; i < masked.size(); ++i) {
    if (masked[i] == kNoneCount)
      names.push_back(dataset.views[i].name);
    else
      kept.push_back(std::move(dataset.views[i]));
  }
  dataset.views = std::move(kept);
  if (names.empty()) return {};
  if (dataset.views.empty() || (had_training_views && dataset.training_views().empty()))
    return splat::Error{"no photo of '" + dataset.root.string() + "' is left: every pixel is masked in " +
                        std::to_string(names.size()) + " of them (" + first_names(names) +
                        "); white pixels of a mask count, black ones do not"};
  dataset.warnings.push_back(std::to_string(names.size()) + (names.size() == 1 ? " photo is" : " photos are") +
                             " left out because every pixel is masked: " + first_names(names));
  return {};
}

size_t pixels_of(const DatasetView& view) { return size_t(view.camera.width) * size_t(view.camera.height); }

// By its files: whether some pixels may not count.
bool may_be_masked(const DatasetView& view) {
  return !view.mask_path.empty() || view.crop_radius_px > 0 || (view.file_has_alpha && view.ignores_transparent);
}

size_t bytes_of(const DatasetView& view) {
  const bool may_have_mask =
      may_be_masked(view) || (view.panorama_face < 0 && splat::lens_of(view.source).has_distortion());
  const bool may_have_alpha = view.file_has_alpha && !view.ignores_transparent;
  return pixels_of(view) *
         (3 + (may_have_mask ? 1 : 0) + (may_have_alpha ? 1 : 0) + (view.depth_path.empty() ? 0 : sizeof(uint16_t)));
}

// What decoding one photo takes on top: the file, the picture in full, and at training size; of a panorama, which is
// cut at its full size, what counts of it. Alpha is taken out of the picture in full.
size_t scratch_bytes_of(const DatasetView& view) {
  const size_t file_pixels = size_t(view.file_width) * size_t(view.file_height);
  if (view.panorama_face >= 0) return (view.file_has_alpha ? 7 : 6) * file_pixels;
  return (view.file_has_alpha ? 6 : 4) * file_pixels + 8 * pixels_of(view);
}

size_t half_of_memory() { return size_t(sysconf(_SC_PHYS_PAGES)) / 2 * size_t(sysconf(_SC_PAGE_SIZE)); }

class DatasetLoader : public PhotoLoader {
 public:
  DatasetLoader(const std::vector<DatasetView>& views, const Background& background, ThreadPool& pool)
      : views_(views), background_(background), remaps_(views_, pool), files_(views_) {}
  Result<TrainingImage> load(int view) const override {
    SPLAT_CHECK(view >= 0 && size_t(view) < views_.size());
    return load_training_image(views_[size_t(view)], background_, remaps_.of(size_t(view)));
  }
  std::span<const int> from_same_file(int view) const override { return files_.views_beside(size_t(view)); }
  std::vector<Result<TrainingImage>> load_together(std::span<const int> views) const override {
    auto loaded = load_file<int>(views_, views, remaps_, background_);
    std::vector<Result<TrainingImage>> images;
    for (size_t i = 0; i < views.size(); ++i)
      images.push_back(loaded ? Result<TrainingImage>(std::move((*loaded)[i])) : Result<TrainingImage>(loaded.error()));
    return images;
  }

 private:
  const std::vector<DatasetView> views_;
  const Background background_;
  const SharedRemaps remaps_;
  const Files files_;
};

// How many photos at a time fit `limit`, with what decoding takes on top.
size_t stream_capacity(const std::vector<DatasetView>& views, size_t limit, int threads) {
  size_t largest = 1, scratch = 0;
  for (const DatasetView& view : views) {
    largest = std::max(largest, bytes_of(view));
    scratch = std::max(scratch, scratch_bytes_of(view));
  }
  const size_t all_scratch = scratch * size_t(threads);
  return limit > all_scratch ? (limit - all_scratch) / largest : 0;
}

Result<std::unique_ptr<ImageSource>> open_stream(Dataset& dataset, const ImageStoreOptions& options, size_t limit,
                                                 ThreadPool& pool) {
  std::vector<size_t> all(dataset.views.size());
  std::iota(all.begin(), all.end(), size_t(0));
  std::vector<uint8_t> masked(dataset.views.size(), 0);
  std::map<size_t, std::string> broken;
  {
    const SharedRemaps remaps(dataset.views, pool);
    SPLAT_TRY(load_each(
        dataset.views, all, remaps, options, pool,
        [&](size_t view, const TrainingImage& image) { masked[view] = look_at(image, dataset.views[view]); }, broken));
  }
  SPLAT_TRY(leave_out_broken(broken, masked, dataset));
  report_useless_masks(masked, dataset);
  SPLAT_TRY(leave_out(masked, dataset));
  const size_t capacity = stream_capacity(dataset.views, limit, pool.threads());
  return std::unique_ptr<ImageSource>(std::make_unique<StreamingSource>(
      std::make_unique<DatasetLoader>(dataset.views, options.background, pool), capacity, pool.threads()));
}

Result<std::unique_ptr<ImageSource>> open_in_memory(Dataset& dataset, const ImageStoreOptions& options,
                                                    ThreadPool& pool) {
  const SharedRemaps remaps(dataset.views, pool);
  std::vector<TrainingImage> images(dataset.views.size());
  std::vector<uint8_t> masked(dataset.views.size(), 0);
  std::vector<size_t> all(dataset.views.size());
  std::iota(all.begin(), all.end(), size_t(0));
  std::map<size_t, std::string> broken;
  SPLAT_TRY(load_each(
      dataset.views, all, remaps, options, pool,
      [&](size_t view, TrainingImage& image) {
        masked[view] = look_at(image, dataset.views[view]);
        images[view] = std::move(image);
      },
      broken));
  std::vector<TrainingImage> kept;
  for (size_t i = 0; i < images.size(); ++i)
    if (masked[i] != kNoneCount && !broken.contains(i)) kept.push_back(std::move(images[i]));
  SPLAT_TRY(leave_out_broken(broken, masked, dataset));
  report_useless_masks(masked, dataset);
  SPLAT_TRY(leave_out(masked, dataset));
  return std::unique_ptr<ImageSource>(std::make_unique<MemorySource>(std::move(kept)));
}

}  // namespace

size_t image_bytes(const Dataset& dataset) {
  size_t bytes = 0;
  for (const DatasetView& view : dataset.views) bytes += bytes_of(view);
  return bytes;
}

Result<std::unique_ptr<ImageSource>> open_images(Dataset& dataset, const ImageStoreOptions& options) {
  const size_t limit = options.memory_limit_bytes ? options.memory_limit_bytes : half_of_memory();
  ThreadPool pool(options.threads);
  if (image_bytes(dataset) > limit) return open_stream(dataset, options, limit, pool);
  return open_in_memory(dataset, options, pool);
}

}  // namespace io
