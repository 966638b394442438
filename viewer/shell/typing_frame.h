// Dear ImGui's frame, for which text that was typed since the last one is there at once. Its own queue gives a key one
// change a frame, so that short presses are seen: of twenty letters, typed while one slow frame is drawn, each would
// need another frame. While a text field takes letters, what stands first in the queue and only types them is taken as
// a whole, in order; all else waits for the next frame, and goes through the queue as ever. Main thread.
#pragma once

namespace viewer {

void begin_typing_frame();  // in place of ImGui::NewFrame()

}  // namespace viewer
