#include "app/cli/serve/watched_run.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/cli/serve/live_sources.h"
#include "app/cli/terminal/interrupt.h"
#include "app/jobs/host/low_priority.h"
#include "io/image_file.h"
#include "io/splats/html/html.h"
#include "io/splats/spz/spz.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/thinned.h"
#include "splat/train/evaluate.h"

namespace app {

namespace log = splat::log;
using nlohmann::json;

namespace {

constexpr double kShare = 0.01;                           // of the training's time, each for splats and for pairs
constexpr double kSplatsReserve = 0.2, kPairReserve = 1;  // s
constexpr auto kCopyEvery = std::chrono::seconds(3), kSayEvery = std::chrono::seconds(1);
constexpr double kSlowestCopy = 10;  // s between two of them, which the number of splats is chosen for
constexpr size_t kFirstMost = 200'000, kLeastMost = 30'000, kMostMost = 1'000'000;
constexpr size_t kBlock = size_t(1) << 16;  // rows that are copied at a time
constexpr int kDegree = 1;                  // of the colours: half the bytes of degree 3
constexpr int kJpegQuality = 92;
constexpr auto kLong = std::chrono::hours(1);

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double own_processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

io::SplatFileInfo info_of(const TrainingRun& run) {
  const splat::ScreenFilter filter = splat::screen_filter(run.options().train);
  return {.antialiased = filter.antialias, .view_up = run.dataset().view_up, .low_pass = filter.low_pass};
}

io::SplatWriteOptions packed_small() {
  io::SplatWriteOptions options;
  options.max_sh_degree = kDegree;
  options.spz_version = 3;
  options.threads = 1;
  return options;
}

// The photo, and to its right the same view of the splats.
splat::Image8 side_by_side(const splat::TrainingImage& photo, const splat::ImageF& render) {
  const size_t w = size_t(photo.width), h = size_t(photo.height);
  splat::Image8 pair{2 * photo.width, photo.height, 3, std::vector<uint8_t>(6 * w * h)};
  for (size_t c = 0; c < 3; ++c)
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x) {
        const size_t at = (c * h + y) * w + x, to = 3 * (2 * w * y + x) + c;
        pair.pixels[to] = photo.rgb[at];
        pair.pixels[to + 3 * w] = uint8_t(255 * std::clamp(render.rgb[at], 0.0f, 1.0f) + 0.5f);
      }
  return pair;
}

}  // namespace

WatchedRun::WatchedRun(TrainingRun& run, Board& board, const io::PageContents& page)
    : run_(run),
      board_(board),
      most_(kFirstMost),
      splats_limit_(kShare, kSplatsReserve),
      pair_limit_(kShare, kPairReserve),
      pool_(run.options().device.threads),
      thread_([this] { pack(); }) {
  io::SplatWriteOptions options = packed_small();
  options.page = page;
  jobs_.put({[this, info = info_of(run), options = std::move(options), model = copy_of_splats()] {
    io::ServedPage served =
        io::make_served_page(model, info, options, {"splats.spz", live_source("live.css"), live_source("live.js")});
    board_.put_splats(std::move(served.spz));
    board_.put_page(std::move(served.html));
  }});
  say(Clock::now(), true);
}

WatchedRun::~WatchedRun() {
  jobs_.put({});
  thread_.join();
}

void WatchedRun::pack() {
  lower_own_priority();
  for (;;) {
    auto job = jobs_.wait(kLong);
    if (!job) continue;
    if (!job->work) return;
    try {
      job->work();
    } catch (const std::bad_alloc&) {
      log::warning("there is not enough memory to show the run in a browser; training goes on");
    }
    if (job->busy) *job->busy = false;
  }
}

// ---- between two iterations

bool WatchedRun::between() {
  for (;;) {
    const Clock::time_point now = Clock::now();
    for (ServeCommand command; (command = board_.take_command()) != ServeCommand::kNone;) obey(command);
    if (stopped_) return false;
    if (board_.watched()) show(now);
    if (!paused_ || interrupted()) return true;
    board_.wait_for_requests(std::chrono::milliseconds(200));
  }
}

void WatchedRun::obey(ServeCommand command) {
  const int iteration = run_.trainer().iteration();
  switch (command) {
    case ServeCommand::kNone:
      return;
    case ServeCommand::kPause:
    case ServeCommand::kGoOn:
      paused_ = command == ServeCommand::kPause;
      phase_ = paused_ ? "paused" : "training";
      note_.clear();
      log::info(fmt::format("{} in the browser at iteration {}", paused_ ? "paused" : "continued", iteration));
      if (paused_) keep(iteration);
      break;
    case ServeCommand::kStop:
      stopped_ = true;
      log::info(fmt::format("stopped in the browser at iteration {}", iteration));
      break;
    case ServeCommand::kCheckpoint:
      if (const splat::Status written = run_.write_checkpoint(", training goes on"); written)
        note_ = fmt::format("checkpoint of iteration {} written", iteration);
      else
        log::warning(note_ = written.error().message);
  }
  say(Clock::now(), true);
}

void WatchedRun::keep(int iteration) {
  say(Clock::now(), true);
  if (const splat::Status kept = run_.keep_checkpoint(); kept)
    note_ = fmt::format("kept at {}", iteration);
  else
    log::warning(note_ = kept.error().message + "; the run stays paused, and can go on");
}

// What fails here fails again in the next iteration, which says so and keeps the state.
void WatchedRun::show(Clock::time_point now) try {
  take_what_was_packed();
  offer_splats(now);
  draw_pair(now);
  say(now);
} catch (const splat::DeviceError&) {
} catch (const std::bad_alloc&) {
}

void WatchedRun::offer_splats(Clock::time_point now) {
  const bool new_ones = coming_.iteration != run_.trainer().iteration() || coming_.number == 0;
  if (packing_ || !new_ones || !board_.splats_were_read() || now - last_copy_ < kCopyEvery) return;
  if (!splats_limit_.allows(now)) return;
  const Clock::time_point start = Clock::now();  // `now` may be before a checkpoint was written
  splat::Gaussians model = copy_of_splats();
  last_copy_ = Clock::now();
  copy_seconds_ = seconds_since(start);
  splats_limit_.spent(copy_seconds_);
  coming_ = {coming_.number + 1, run_.trainer().iteration(), std::min(kDegree, model.sh_degree), model.size(),
             run_.backend().backend->size()};
  packing_ = true;
  jobs_.put({[this, info = info_of(run_), model = std::move(model)] {
               const double start = own_processor_seconds();
               std::string spz;
               io::pack_spz([&](std::string_view bytes) { return spz += bytes, true; }, model, info, packed_small());
               board_.put_splats(std::move(spz));
               pack_seconds_ = own_processor_seconds() - start;
             },
             &packing_});
}

void WatchedRun::take_what_was_packed() {
  if (packing_ || shown_.number == coming_.number) return;
  shown_ = coming_;
  const double pack = pack_seconds_ / pool_.threads();
  splats_limit_.spent(pack);
  const double a_splat = (copy_seconds_ + pack) / double(std::max<size_t>(shown_.splats, 1));
  most_ = std::clamp(size_t(kShare * kSlowestCopy / std::max(a_splat, 1e-9)), kLeastMost, kMostMost);
}

// Never all rows twice: opacities and sizes choose, then blocks pass.
splat::Gaussians WatchedRun::copy_of_splats() const {
  const splat::Backend& backend = *run_.backend().backend;
  splat::Gaussians model;
  if (backend.size() <= most_) {
    backend.download(model);
    return model;
  }
  splat::Gaussians shapes, block;
  backend.download_ellipsoids(shapes);
  const splat::ThinnedRows chosen = splat::thinned_rows(shapes, most_, pool_);
  size_t next = 0;
  for (size_t first = 0; first < shapes.size(); first += kBlock) {
    const size_t count = std::min(kBlock, shapes.size() - first);
    std::vector<uint32_t> rows;
    for (; next < chosen.rows.size() && chosen.rows[next] < first + count; ++next)
      rows.push_back(chosen.rows[next] - uint32_t(first));
    backend.download_rows(first, count, block);
    model.sh_degree = block.sh_degree;
    splat::append_rows(splat::gather_rows(block, rows), model);
  }
  splat::grow(model, chosen.grown);
  return model;
}

void WatchedRun::draw_pair(Clock::time_point now) {
  const size_t views = run_.dataset().views.size(), listed = std::min(views, io::kMostPageViews);
  const int wanted = board_.wanted_view();
  if (wanted < 0 || drawing_) return;
  const bool there = wanted == pair_view_ && pair_iteration_ == run_.trainer().iteration();
  if (there || size_t(wanted) >= listed) return board_.wanted_view_is_drawn();
  if (!paused_ && !pair_limit_.allows(now)) return;
  const Clock::time_point start = Clock::now();
  const int view[] = {int(size_t(wanted) * views / listed)};  // as the page lists them
  const auto evaluated = splat::evaluate(
      *run_.backend().backend,
      {run_.dataset(), run_.photos(), view, splat::evaluation_settings(run_.options().train), nullptr,
       [&](const splat::ViewMetrics& metrics, const splat::ImageF& render, const splat::TrainingImage& photo) {
         ServedPair pair{wanted, run_.trainer().iteration(), metrics.psnr, {}};
         drawing_ = true;
         jobs_.put({[this, pair = std::move(pair), image = side_by_side(photo, render)]() mutable {
                      pair.jpeg = io::encode_jpeg(image, kJpegQuality);
                      board_.put_pair(std::move(pair));
                    },
                    &drawing_});
       }});
  if (!evaluated) note_ = evaluated.error().message;
  pair_view_ = wanted, pair_iteration_ = run_.trainer().iteration();
  board_.wanted_view_is_drawn();
  if (!paused_) pair_limit_.spent(seconds_since(start));
}

// ---- what is said

void WatchedRun::say(Clock::time_point now, bool at_once) {
  if (!at_once && now - last_said_ < kSayEvery) return;
  last_said_ = now;
  const std::string text = status().dump(-1, ' ', true, json::error_handler_t::replace);
  while (!board_.put_status(text) && at_once) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

json WatchedRun::status() const {
  const splat::Trainer& trainer = run_.trainer();
  const int iterations = run_.options().train.iterations;
  json history = json::array();
  for (const splat::HistoryEntry& entry : trainer.history())
    history.push_back({entry.iteration, entry.loss, entry.splats, entry.evaluated ? json(entry.psnr) : json()});
  return {{"phase", phase_},
          {"note", note_},
          {"iteration", trainer.iteration()},
          {"iterations", iterations},
          {"splats", trainer.splats()},
          {"loss", run_.loss()},
          {"seconds", run_.training_seconds()},
          {"speed", run_.iterations_per_second()},
          {"left", run_.seconds_left()},
          {"history", std::move(history)},
          {"shown",
           {{"number", shown_.number},
            {"iteration", shown_.iteration},
            {"splats", shown_.splats},
            {"of", shown_.of},
            {"degree", shown_.degree}}}};
}

void WatchedRun::finishing() {
  phase_ = "writing its files";
  say(Clock::now(), true);
}

void WatchedRun::ended(const std::string& sentence) {
  phase_ = "ended";
  note_ = sentence;
  const Clock::time_point until = Clock::now() + std::chrono::seconds(5);
  const auto waits = [&] { return board_.watched() && Clock::now() < until && !interrupted(); };
  for (say(Clock::now(), true); waits() && !board_.status_was_read();)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (waits()) std::this_thread::sleep_for(std::chrono::milliseconds(200));  // for the answer to get there
}

}  // namespace app
