// What commands share: a dataset with its photos, and the backend that works on them. What was found and decided is
// logged.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"
#include "devices/registry.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace app {

// The requested backend; exit code 3 when it is not usable.
Outcome open_backend(const DeviceOptions& options, splat::BackendChoice& choice);

// The dataset at `path`; its notes and missing photos are logged.
Outcome open_dataset(const std::filesystem::path& path, const io::DatasetOptions& options, splat::Dataset& dataset);

// Progress and cancellation of the loading of photos.
struct PhotoWatch {
  std::function<void(size_t done, size_t total)> progress;  // called now and then, from any thread, one at a time
  const std::atomic<bool>* cancelled = nullptr;             // once true, the photos not begun are not read: an error
};

// Progress alone, as Monitor::reading().
inline PhotoWatch photos_for(Monitor& monitor) {
  return {[&monitor](size_t done, size_t total) { monitor.reading(done, total); }};
}

struct PhotoOptions {
  size_t memory_limit_bytes = 0;  // photos beyond this are streamed; 0: half of what is available
  int threads = 0;
  std::array<float, 3> background;  // that transparent photos are laid over: the one that splats are drawn with
};

// Its photos, decoded before this returns. Views of which no pixel counts are removed from the dataset, and logged.
Outcome open_photos(splat::Dataset& dataset, const PhotoOptions& options, std::unique_ptr<splat::ImageSource>& photos,
                    const PhotoWatch& watch = {});

}  // namespace app
