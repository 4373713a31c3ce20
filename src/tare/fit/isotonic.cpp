#include "tare/fit/isotonic.hpp"

#include "tare/numeric/fixed.hpp"
#include "tare/numeric/order.hpp"
#include "tare/numeric/radix_sort.hpp"

namespace tare::fit {
namespace {

// Scores first .. last with one rate. numeric/pav.hpp does the same on groups with running totals, which cost more than
// the pooling; here rows go from the sorted keys straight into blocks.
struct Block {
  double first = 0;
  double last = 0;
  std::uint64_t mass = 0;
  std::uint64_t hits = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(hits) / static_cast<double>(mass); }
  [[nodiscard]] bool rises_to(const Block& next) const {
    return static_cast<numeric::u128>(hits) * next.mass < static_cast<numeric::u128>(next.hits) * mass;
  }
  void join(const Block& next) {
    last = next.last;
    mass += next.mass;
    hits += next.hits;
  }
};

class Pooling {
 public:
  void add(const Block& next) {
    if (open_.mass == 0) {
      open_ = next;
      return;
    }
    if (open_.rises_to(next)) {
      done_.push_back(open_);
      open_ = next;
      return;
    }
    open_.join(next);
    while (!done_.empty() && !done_.back().rises_to(open_)) {
      Block before = done_.back();
      before.join(open_);
      open_ = before;
      done_.pop_back();
    }
  }
  std::vector<Block> finish() {
    done_.push_back(open_);
    return std::move(done_);
  }

 private:
  std::vector<Block> done_;
  Block open_;
};

std::vector<Block> pooled(const Problem& problem) {
  Pooling pooling;
  if (!problem.weight.empty()) {
    const auto data = numeric::order(problem.score, problem.label, problem.weight, problem.threads);
    for (std::size_t g = 0; g < data.groups(); ++g)
      pooling.add({data.score(g), data.score(g), data.mass(g), data.hits(g)});
    return pooling.finish();
  }
  problem.score.visit([&](auto score) {
    const auto keys = numeric::sorted_keys(score, problem.label, problem.threads);
    for (std::size_t i = 0; i < keys.size();) {
      const auto from = keys[i] >> 1;  // without the label
      Block group{numeric::score_of(keys[i]), numeric::score_of(keys[i]), 0, 0};
      for (; i < keys.size() && keys[i] >> 1 == from; ++i) {
        ++group.mass;
        group.hits += keys[i] & 1;
      }
      pooling.add(group);
    }
  });
  return pooling.finish();
}

}  // namespace

Isotonic isotonic_curve(const Problem& problem, bool step) {
  Isotonic out{.step = step};
  for (const Block& block : pooled(problem)) {
    out.x.push_back(block.first);
    out.y.push_back(block.rate());
    if (step || block.first == block.last) continue;
    out.x.push_back(block.last);
    out.y.push_back(block.rate());
  }
  return out;
}

}  // namespace tare::fit
