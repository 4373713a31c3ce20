// What a fitted map does, as plain data in one of three forms, whatever its method is called. Maps are made of it
// (fit/rows), and so is all that leaves the program: headers, SQL, ONNX, torch.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::detail {

struct Recipe {
  Kind input = Kind::logits;
  std::size_t columns = 0;  // numbers per row, in and out

  // First, in rows of probabilities, those below 2^-53 become these (fit/zeros.hpp).
  struct Fill {
    double certain = 0, partial = 0;
    bool keep_top = false;
  };
  std::optional<Fill> fill = {};

  // softmax(v z); with three weights it is mixed with softmax(z) and the uniform row.
  struct Tempered {
    double v = 1;
    std::vector<double> weights = {};
  };

  // softmax(W x + b). One column has two features.
  enum class Features {
    logits,             // z; of probabilities ln p, those of 0 clipped
    log_probabilities,  // ln p; of logits z - log sum exp z
    exact_logarithms    // of probabilities ln p, where nothing brings a 0 back; of logits z
  };
  struct Affine {
    Features features = Features::logits;
    std::vector<double> w = {};  // empty: the identity; 1: of the log-odds; K: a diagonal; K K: row by row
    std::vector<double> b = {};
  };

  // One curve per class, and the row divided by its sum; two classes have one, for class 1.
  enum class Shape {
    sigmoid,        // of the log-odds z: sigma(a z + b)
    beta,           // of the log-odds: sigma(a ln s - b ln(1 - s) + c)
    steps,          // of the probability: y[number of x below it]
    sigmoid_steps,  // of the log-odds: steps of sigma(a z + b)
    linear,         // of the probability: through the points (x, y), constant outside
    stairs          // of the probability: y of the last x that is not above it
  };
  struct Curve {
    double a = 1, b = 0, c = 0;
    std::vector<double> x = {}, y = {};
  };
  struct Curves {
    Shape shape = Shape::sigmoid;
    std::vector<Curve> curve = {};
  };

  std::variant<Tempered, Affine, Curves> map = Tempered{};
};

constexpr bool of_log_odds(Recipe::Shape shape) {
  return shape == Recipe::Shape::sigmoid || shape == Recipe::Shape::beta || shape == Recipe::Shape::sigmoid_steps;
}

}  // namespace tare::detail
