// One function a command of the program. Results go to stdout, everything else to the log.
#pragma once

#include "app/console/outcome.h"
#include "app/options/options.h"

namespace app {

Outcome run_train(const Options& options);
Outcome run_render(const Options& options);
Outcome run_evaluate(const Options& options);
Outcome run_convert(const Options& options);
Outcome run_info(const Options& options);
Outcome run_doctor(const Options& options);
Outcome run_bench(const Options& options);
Outcome run_window(const Options& options);  // no command given: the application with its window

}  // namespace app
