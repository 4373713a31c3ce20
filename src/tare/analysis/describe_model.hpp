// A saved calibrator as a person looks at it: its numbers, and what it does to a probability.
#pragma once

#include <cstddef>
#include <optional>

#include "tare/core/model.hpp"
#include "tare/core/result.hpp"

namespace tare::detail::analysis {

// `shown`: the class whose curve is drawn; empty: the one that moves most.
Result<ModelDescription> describe_model(const Model& model, std::optional<std::size_t> shown);

}  // namespace tare::detail::analysis
