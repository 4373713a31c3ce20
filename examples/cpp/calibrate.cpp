// Fit a temperature on validation data, apply it to test data, measure what is left, and save the model.
#include <iostream>
#include <tare/tare.hpp>

int main() {
  const auto val = tare::read("data/resnet110_cifar10.npz", "val").value();  // your arrays: tare::from_logits(z, 10, y)
  const auto test = tare::read("data/resnet110_cifar10.npz", "test").value();
  const auto model = tare::fit("temperature", val).value();
  const auto after = model.apply(test).value();
  const auto m = tare::measure(after).value();
  std::cout << m.headline().value << "  " << m.verdict.sentence << '\n';
  return model.save("temperature.json") ? 0 : 1;
}
