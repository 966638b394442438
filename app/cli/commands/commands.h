// One function a command, given what it reads of the options. Results go to stdout, everything else to the log.
#pragma once

#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

Outcome run_train(const Options& options);
Outcome run_blocks(const Options& options);
Outcome run_align(const AlignTask& task, const ConsoleOptions& console);
Outcome run_render(const RenderTask& task);
Outcome run_evaluate(const EvaluateTask& task);
Outcome run_thumbnail(const ThumbnailTask& task);
Outcome run_convert(const ConvertTask& task);
Outcome run_info(const InfoTask& task);
Outcome run_doctor(int threads, const ConsoleOptions& console);
Outcome run_bench(const BenchTask& task);
Outcome run_serve(const ServeTask& task);    // splats in a browser, until it is interrupted
Outcome run_window(const WindowTask& task);  // no command given: the application with its window

}  // namespace app
