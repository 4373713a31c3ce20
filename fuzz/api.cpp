// Any bytes as options and numbers of every call of the public interface: no crash, no exception, no number that is
// none.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <tare/tare.hpp>
#include <vector>

namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  int whole() {
    const int kind = byte() % 4;
    if (kind < 2) return byte() % 32;
    std::int32_t out = 0;
    for (int i = 0; i < 4; ++i) out = static_cast<std::int32_t>(static_cast<std::uint32_t>(out) << 8 | byte());
    return out;
  }
  double real() {
    if (byte() % 2 == 0) return byte() / 255.0;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double out = 0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
  template <class Table>
  std::string name(const Table& table) {
    const std::size_t i = byte();
    return i < 240 ? std::string(table[i % table.size()].name) : std::string(i - 240, 'x');
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

void expect(bool fine) {
  if (!fine) __builtin_trap();
}

void look(const tare::Result<tare::Measurement>& m) {
  if (!m) {
    expect(!m.error().what.empty());
    return;
  }
  for (const tare::EstimateRow& line : m->estimates) expect(!line.value || std::isfinite(*line.value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  const std::size_t columns = in.byte() % 5, n = in.byte() % 40;
  std::vector<double> values(n * columns);
  for (double& x : values) x = in.real();
  std::vector<int> labels(n);
  for (int& y : labels) y = in.byte() < 250 ? in.byte() % 4 : in.whole();
  std::vector<double> weights(in.byte() % 4 == 0 ? n : 0);
  for (double& w : weights) w = in.real();
  const bool logits = in.byte() % 2 == 0;
  const auto p =
      logits ? tare::from_logits(values, columns, labels, weights) : tare::from_probs(values, columns, labels, weights);
  if (!p) {
    expect(!tare::message(p.error()).empty());
    return 0;
  }
  const int bins = in.whole(), norm = in.whole();
  switch (in.byte() % 6) {
    case 0:
      look(tare::measure(*p, {.bins = bins, .norms = {norm}, .resample = in.byte() % 8 == 0}, {.threads = 1}));
      break;
    case 1: {
      const auto e = tare::estimate(*p, {.estimator = in.name(tare::estimators()), .norm = norm, .bins = bins});
      expect(!e || std::isfinite(e->value));
      break;
    }
    case 2: {
      const auto model = tare::fit(in.name(tare::methods()), *p,
                                   {.bins = bins, .lambda = in.real(), .mu = in.real(), .max_iterations = in.byte()});
      if (!model) break;
      const auto out = model->apply(*p);
      expect(out.has_value());
      expect(tare::Calibrator::from_json(model->to_json().value()).has_value());
      break;
    }
    case 3: {
      const auto t =
          tare::test(*p, {.bins = bins, .norm = norm, .resamples = in.byte(), .alpha = in.real(), .detectable = false});
      if (t)
        for (const tare::TestLine& line : t->lines) expect(!line.p_value || (*line.p_value > 0 && *line.p_value <= 1));
      break;
    }
    case 4: {
      auto state = tare::State::make({.classes = in.byte() % 5U, .bins = bins});
      if (!state) break;
      const bool added = state->add(*p).has_value();
      expect(state->rows() == (added ? p->size() : 0));
      look(state->measure());
      break;
    }
    default:
      (void)tare::State::load({reinterpret_cast<const char*>(data), size});
      (void)tare::Calibrator::from_json({reinterpret_cast<const char*>(data), size});
      (void)tare::truth({reinterpret_cast<const char*>(data), size}, "identity");
      (void)tare::truth("uniform", {reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
