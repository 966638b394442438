// Ends the search for a clean-up on every path, also where its job is dropped or throws: the window waits for an
// answer.
#pragma once

#include <utility>

#include "app/window/work_in_progress.h"
#include "viewer/app_state.h"
#include "viewer/mailbox.h"

namespace app {

class CleanupAnswer {
 public:
  CleanupAnswer(Opening& opening, viewer::Mailbox<viewer::CleanupProposal>& box) : opening_(opening), box_(box) {}
  ~CleanupAnswer() {
    box_.put(std::move(proposal));
    opening_.done = true;
  }
  CleanupAnswer(const CleanupAnswer&) = delete;
  CleanupAnswer& operator=(const CleanupAnswer&) = delete;

  Opening& opening() { return opening_; }

  viewer::CleanupProposal proposal;  // no reasons: nothing is proposed

 private:
  Opening& opening_;
  viewer::Mailbox<viewer::CleanupProposal>& box_;
};

}  // namespace app
