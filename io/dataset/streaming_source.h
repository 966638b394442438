// An ImageSource that keeps a bounded number of photos: threads decode ahead along the order given to prefetch(), and
// photos not among the next ones make room. A photo that was not announced is decoded when it is asked for.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/image.h"

namespace io {

class PhotoLoader {
 public:
  virtual ~PhotoLoader() = default;
  // Called from several threads at once.
  virtual splat::Result<splat::TrainingImage> load(int view) const = 0;
  // The views that come from the same file as `view`, itself among them or not, and how they are loaded together.
  virtual std::span<const int> from_same_file(int) const { return {}; }
  virtual std::vector<splat::Result<splat::TrainingImage>> load_together(std::span<const int> views) const;
};

class StreamingSource : public splat::ImageSource {
 public:
  // At most `capacity` photos (2 or more) are held, the one returned last included.
  StreamingSource(std::unique_ptr<const PhotoLoader> loader, size_t capacity, int threads);
  ~StreamingSource() override;

  splat::Result<splat::TrainingImage*> get(int view) override;
  void prefetch(std::span<const int> upcoming) override;
  size_t held();  // photos in memory or being decoded now

 private:
  // Empty while a thread decodes it.
  using Entry = std::unique_ptr<splat::Result<splat::TrainingImage>>;

  void work();
  std::set<int> window() const;       // the next views of the plan, as many as may be held beside the current one
  std::optional<int> next_to_load();  // makes room for it; none: nothing to do
  bool make_room(const std::set<int>& keep);
  // And the next ones of the plan from its file. False: there is no memory for them.
  bool load_entry(int view, std::unique_lock<std::mutex>& lock);

  const std::unique_ptr<const PhotoLoader> loader_;
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable work_to_do_, loaded_;
  std::deque<int> plan_;
  std::map<int, Entry> entries_;
  int current_ = -1;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace io
