// Rows that keep coming: two machines add batches to a total each, the totals are merged, and the error is that of one
// pass over all rows, to the bit.
#include <cstdint>
#include <iostream>
#include <tare/tare.hpp>
#include <vector>

namespace {

struct Batch {
  std::vector<float> logits;
  std::vector<std::int64_t> labels;
};

// What a data loader would yield: 1,000 rows of three classes, row `first` and on.
Batch batch_from(std::int64_t first) {
  Batch out;
  for (std::int64_t i = first; i < first + 1000; ++i) {
    const auto x = static_cast<float>(i % 97) / 16.0F;
    out.logits.insert(out.logits.end(), {x, 1.0F, -x});
    out.labels.push_back(i % 7 == 0 ? 2 : i % 3 == 0 ? 1 : 0);
  }
  return out;
}

int fail(const tare::Error& error) {
  std::cerr << tare::message(error) << '\n';
  return 1;
}

}  // namespace

int main() {
  auto here = tare::State::make({.classes = 3}).value();
  auto there = tare::State::make({.classes = 3}).value();
  std::vector<float> logits;
  std::vector<std::int64_t> labels;
  for (std::int64_t first = 0; first < 10'000; first += 1000) {
    const Batch batch = batch_from(first);
    const auto rows = tare::from_logits(batch.logits, 3, batch.labels);
    if (!rows) return fail(rows.error());
    auto& total = first % 2000 == 0 ? here : there;
    if (const auto done = total.add(*rows); !done) return fail(done.error());  // the total is as it was
    logits.insert(logits.end(), batch.logits.begin(), batch.logits.end());
    labels.insert(labels.end(), batch.labels.begin(), batch.labels.end());
  }
  const auto sent = tare::State::load(there.save().value());  // bytes, as they would cross a network
  if (!sent) return fail(sent.error());
  if (const auto done = here.merge(*sent); !done) return fail(done.error());

  const auto total = here.measure({.norms = {1}, .estimators = {"ece_ew"}});
  const auto whole = tare::from_logits(logits, 3, labels);
  if (!total || !whole) return 1;
  const auto once = tare::estimate(*whole, {.estimator = "ece_ew", .norm = 1});
  if (!once) return fail(once.error());
  std::cout << here.rows() << " rows, ece_ew " << total->headline().value << '\n';
  return total->headline().value == once->value ? 0 : 1;
}
