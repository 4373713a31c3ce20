// A saved calibrator as a person looks at it: its numbers, and what it does to a probability.
#pragma once

#include <optional>

#include "tare/core/result.hpp"
#include "tare/core/shown_model.hpp"

namespace tare::inner::answer {

// `shown`: the class whose curve is drawn; empty: the one that moves most.
Result<ShownModel> show(const Model& model, std::optional<std::size_t> shown);

}  // namespace tare::inner::answer
