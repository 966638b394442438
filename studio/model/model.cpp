#include "studio/model/model.h"

#include <utility>

#include "splat/core/log.h"

namespace studio {

Model::Model(const DeviceOptions& device, Devices& devices, Bridge& bridge)
    : threads_(device.threads),
      devices_(devices),
      bridge_(bridge),
      engine_([this] { return devices_.lend(); },
              {[this](EngineImage image) { bridge_.reports.put(std::move(image)); },
               [](const std::string& sentence) { splat::log::error(sentence); }},
              device.threads) {
  bridge_.view.set_waker([this] { forward_view(); });
}

Model::~Model() { bridge_.view.set_waker({}); }

void Model::begin_run(const Options& options, const std::optional<RunPace>& pace) {
  std::lock_guard lock(mutex_);
  engine_.set_view({});
  devices_.begin_run();
  run_ = std::make_unique<LiveTraining>(options, devices_, bridge_.reports, pace);
  run_->set_view(view_);
}

std::unique_ptr<LiveTraining> Model::take_run() {
  std::lock_guard lock(mutex_);
  if (!run_) return nullptr;
  run_->set_view({});
  engine_.set_view(view_);
  devices_.end_run();
  return std::move(run_);
}

void Model::draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done) {
  run_ ? run_->draw_once(request, std::move(done)) : engine_.draw_once(request, std::move(done));
}

void Model::forward_view() {
  auto request = bridge_.view.take();
  if (!request) return;
  std::lock_guard lock(mutex_);
  view_ = std::move(*request);
  run_ ? run_->set_view(view_) : engine_.set_view(view_);
}

}  // namespace studio
