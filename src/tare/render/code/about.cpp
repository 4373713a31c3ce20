#include <fmt/format.h>

#include "tare/core/names.hpp"
#include "tare/render/code/code.hpp"

namespace tare::inner::render {

std::string about(const Model& model, std::string_view title) {
  return fmt::format("{} ({}): {} of {} classes{}.", model.method, title, name(model.input), model.k,
                     model.columns == 1 ? ", one number per row" : "");
}

}  // namespace tare::inner::render
