// stdin, stdout and stderr as scripts leave them: closed, full, or a pipe that nobody reads any more.
#pragma once

namespace app {

// Opens those that are closed on /dev/null; otherwise the next file opened would take their place and receive what is
// printed. First thing in main().
void open_standard_streams();

// Writes out stdout; false when results were lost there, a full disk say. A pipe closed by its reader loses nothing
// that anybody wanted.
bool flush_results();

}  // namespace app
