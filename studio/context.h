// What the services of a session share: the bridge to the window, the three owners (documents, model, devices), the
// jobs that are shown, and threads. Members are destroyed in reverse order: the threads before the model, the model
// before the thread that writes files, all before the services, whose own threads use no more than the devices.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "studio/bridge.h"
#include "studio/devices/devices.h"
#include "studio/documents/documents.h"
#include "studio/job_thread.h"
#include "studio/jobs.h"
#include "studio/model/model.h"
#include "studio/service.h"

namespace studio {

struct SessionOptions {
  DeviceOptions device;                   // that draws, and the processor's threads
  io::DatasetOptions dataset;             // as datasets are opened
  bool opens = false;                     // a path at once: then unsaved edits of other files are not offered
  std::filesystem::path low_pass_of{};    // splats whose low pass is not what their file says, but this
  float low_pass = splat::kUsualLowPass;  // px^2
};

struct Context {
  Context(const SessionOptions& given, Bridge& shared, std::filesystem::path folder)
      : options(given),
        bridge(shared),
        config(std::move(folder)),
        documents(*this),
        jobs(shared.reports),
        devices(given.device),
        model(given.device, devices, shared) {}

  template <class Message>
  void report(Message message) {
    bridge.reports.put(std::move(message));
  }
  // In the log, and over the scene for a moment: what the user asked for. saved: the file that was written.
  void say_done(const std::string& text, std::filesystem::path saved = {});
  // An error, offered with the action of the window that helps (Action::name).
  void fail(const std::string& sentence, const std::string& mended_by);
  // An error in writing `file`; the action asks for another place.
  void fail(const std::string& sentence, const std::filesystem::path& file, const std::string& mended_by);

  void settle();  // waits until the engine, then the writing thread, have done the work queued so far

  template <class Call>
  void all(const Call& call) {
    for (const auto& service : services) call(*service);
  }

  const SessionOptions options;
  Bridge& bridge;
  const std::filesystem::path config;  // where scenes are remembered (scene_memory_file.h); empty: they are not
  std::atomic<uint64_t> forecasts{0};  // counts up; a forecast that was asked for at an earlier count is cancelled
  bool keeps_edits = false;            // those that are not saved, at the end
  Documents documents;
  Jobs jobs;
  Devices devices;
  std::vector<std::unique_ptr<Service>> services;
  JobThread writings;  // the model gives it work to its end
  Model model;
  JobThread watching{JobThread::Priority::kLow};  // looks at files that others write
  JobThread makings;                              // meshes and cameras: minutes
  JobThread openings;
};

}  // namespace studio
