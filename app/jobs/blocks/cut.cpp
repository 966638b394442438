#include "app/jobs/blocks/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/host/host.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "io/dataset/image_store.h"
#include "splat/blocks/shares.h"
#include "splat/core/log.h"
#include "splat/train/growth_limit.h"

namespace app {
namespace {

constexpr double kMargin = 0.2;

using splat::blocks::Cell;

struct Memory {
  uint64_t base = 0, photos = 0, scaffold = 0, splats = 0;
  uint64_t all() const { return base + photos + scaffold + splats; }
};

// At most: every splat that the photos of the block determine, the scaffold around it, all of its photos.
Memory memory_of(const splat::Dataset& whole, const std::vector<int>& views, const Options& options,
                 uint64_t scaffold_splats) {
  splat::Dataset part;
  for (const int view : views) part.views.push_back(whole.views[size_t(view)]);
  const splat::GrowthLimit limit = splat::growth_limit(options.train.max_splats, 0, part, options.train.sh_degree);
  const PlaneBytes planes = plane_bytes(options.train, part);
  return {base_bytes(part, planes), io::image_bytes(part), scaffold_splats * kBytesPerSplatAtStart,
          std::max(limit.splats, scaffold_splats) * (kBytesPerSplat + planes.per_splat)};
}

uint64_t with_tenth(uint64_t bytes) { return bytes + bytes / 10; }

std::vector<Cell> cells_of(const City& city) {
  std::vector<Cell> cells;
  for (const Block& block : city.blocks) cells.push_back(block.cell);
  return cells;
}

void set_cells(const std::vector<Cell>& cells, City& city) {
  city.blocks.clear();
  for (const Cell& cell : cells) city.blocks.emplace_back().cell = cell;
}

Outcome too_little(const Options& options, size_t cameras, const Memory& memory) {
  return bad_input(fmt::format(
      "a block with {} of the cameras still needs {} of memory (photos {}, splats {}, scaffold {}), and --block-memory "
      "is {}: give more, smaller photos (-r 4), or fewer splats (--max-splats)",
      cameras, human_bytes(with_tenth(memory.all())), human_bytes(memory.photos), human_bytes(memory.splats),
      human_bytes(memory.scaffold), human_bytes(options.blocks.memory)));
}

// The cells with those halved that need too much; as they were where none does.
Outcome halve(const Options& options, const splat::Dataset& dataset, const City& city,
              const std::vector<Memory>& needed, std::vector<Cell>& cells) {
  const auto places = splat::blocks::cameras_on(city.ground, dataset, dataset.training_views());
  std::vector<Cell> next;
  for (size_t k = 0; k < cells.size(); ++k) {
    if (options.blocks.memory == 0 || with_tenth(needed[k].all()) <= options.blocks.memory) {
      next.push_back(cells[k]);
      continue;
    }
    std::vector<splat::blocks::Point2> inside;
    for (const auto& place : places)
      if (cells[k].contains(place)) inside.push_back(place);
    const auto halves = splat::blocks::cut_into_cells(inside, 2, cells[k]);
    if (!halves) return too_little(options, inside.size(), needed[k]);
    next.insert(next.end(), halves->begin(), halves->end());
  }
  cells = std::move(next);
  return done();
}

}  // namespace

size_t block_count(const BlocksOptions& options, size_t cameras) {
  if (options.count > 0) return size_t(options.count);
  const auto most = size_t(options.cameras);
  return std::max<size_t>(1, (cameras + most - 1) / most);
}

int iterations_of(int whole, size_t photos, size_t all_photos) {
  return std::max(1, int(std::lround(double(whole) * double(photos) / double(std::max<size_t>(all_photos, 1)))));
}

Outcome cut_by_cameras(const Options& options, const splat::Dataset& dataset, City& city) {
  const std::vector<int> cameras = dataset.training_views();
  city.ground = splat::blocks::ground_of(dataset);
  const auto places = splat::blocks::cameras_on(city.ground, dataset, cameras);
  city.bounds = splat::blocks::bounds_of(places);
  city.margin = kMargin;
  auto cells = splat::blocks::cut_into_cells(places, block_count(options.blocks, cameras.size()));
  if (!cells) return bad_input(cells.error());
  set_cells(*cells, city);
  return done();
}

namespace {

// shares_of: of each view in each of the cells.
Outcome fill(const Options& options, const splat::Dataset& dataset, uint64_t scaffold_splats,
             const std::function<std::vector<std::vector<float>>(const std::vector<Cell>&)>& shares_of, City& city) {
  std::vector<Cell> cells = cells_of(city);
  std::vector<std::vector<int>> views;
  std::vector<Memory> needed;
  for (size_t before = 0; before != cells.size();) {
    before = cells.size();
    views = splat::blocks::choose_views(dataset, city.ground, cells, shares_of(cells), {.margin = city.margin});
    needed.clear();
    for (const auto& chosen : views) needed.push_back(memory_of(dataset, chosen, options, scaffold_splats));
    if (Outcome outcome = halve(options, dataset, city, needed, cells); !outcome) return outcome;
  }
  set_cells(cells, city);
  const size_t photos = dataset.training_views().size();
  for (size_t k = 0; k < cells.size(); ++k) {
    Block& block = city.blocks[k];
    for (const int view : views[k]) {
      block.views.push_back(dataset.views[size_t(view)].name);
      block.training_views += !dataset.views[size_t(view)].held_out;
    }
    std::sort(block.views.begin(), block.views.end());
    block.predicted_bytes = needed[k].all();
    block.iterations = options.was_given("iterations") ? city.iterations
                                                       : iterations_of(city.iterations, block.training_views, photos);
  }
  return done();
}

}  // namespace

Outcome fill_blocks(const Options& options, const splat::Dataset& dataset, const splat::Gaussians& scaffold,
                    const BlocksWatch& watch, City& city) try {
  splat::BackendChoice chosen;
  if (Outcome outcome = open_backend(options.device, chosen); !outcome) return outcome;
  const auto shares_of = [&](const std::vector<Cell>& cells) {
    watch.say("the share of each photo in " + std::to_string(cells.size()) + " blocks");
    return splat::blocks::measure_shares(*chosen.backend, dataset, scaffold, {city.ground, cells},
                                         [&watch] { return watch.stopped(); });
  };
  return fill(options, dataset, scaffold.size(), shares_of, city);
} catch (const splat::Stopped&) {
  return stopped_by_watch("stopped");
}

Outcome fill_blocks_by_cameras(const Options& options, const splat::Dataset& dataset, uint64_t scaffold_splats,
                               City& city) {
  const auto none = [&](const std::vector<Cell>& cells) {
    return std::vector(dataset.views.size(), std::vector<float>(cells.size(), 0.0f));
  };
  return fill(options, dataset, scaffold_splats, none, city);
}

uint64_t requested_bytes(const Block& block) { return with_tenth(block.predicted_bytes); }

}  // namespace app
