// The line of a terminal that shows how far a job is.
#include "app/cli/terminal/status_line.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/training/run_progress.h"

namespace app {
namespace {

TEST(ProgressBar, FillsAndNeverWraps) {
  RunProgress now;
  now.iteration = 500, now.iterations = 1000, now.iterations_per_second = 12.5, now.loss = 0.05, now.splats = 123456;
  now.psnr = 25.5, now.seconds = 40, now.eta_seconds = 40;
  const auto line = [&](int columns) { return with_bar(with_time_left(now), now.share(), columns); };
  const std::string bar = line(120);
  EXPECT_EQ(std::count(bar.begin(), bar.end(), '#'), std::count(bar.begin(), bar.end(), '.') - 3)
      << "half, and three points: " << bar;
  for (const char* part : {"500/1000", "12.5 it/s", "0.0500", "25.50 dB", "123 456 splats", "ETA 40 s"})
    EXPECT_NE(bar.find(part), std::string::npos) << part;
  for (int columns : {1, 20, 60, 80, 100, 300}) EXPECT_LT(int(line(columns).size()), columns);
}

}  // namespace
}  // namespace app
