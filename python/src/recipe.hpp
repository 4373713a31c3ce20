// What a fitted map does, for those who write it down in another form (python/tare/_maps.py), and as code.
#pragma once

#include <string>

#include "common.hpp"
#include "tare/core/model.hpp"

namespace tare::detail::python {

nb::dict recipe(const Model& model);
std::string header(const Model& model, const std::string& name);
std::string sql(const Model& model, const std::string& score);

}  // namespace tare::detail::python
