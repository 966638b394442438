// Answers the request for a clean-up on every path, also where its job is dropped or throws: the window waits for it.
#pragma once

#include <utility>

#include "studio/edit/messages.h"
#include "studio/jobs.h"
#include "viewer/bus.h"

namespace studio {

class CleanupAnswer {
 public:
  CleanupAnswer(Job& of, Bus& reports) : job(of), reports_(reports) {}
  ~CleanupAnswer() {
    reports_.put(std::move(proposal));
    job.done = true;
  }
  CleanupAnswer(const CleanupAnswer&) = delete;
  CleanupAnswer& operator=(const CleanupAnswer&) = delete;

  Job& job;
  CleanupProposal proposal;  // no scores: nothing is proposed

 private:
  Bus& reports_;
};

}  // namespace studio
