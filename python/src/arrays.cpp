// From NumPy arrays to the arrays of tare/read, which decides what stays in place and what is converted.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "common.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/state/sample.hpp"

namespace tare::detail::python {
namespace {

using read::DType;
using read::Role;
using Code = nb::dlpack::dtype_code;

std::optional<DType> dtype_of(nb::dlpack::dtype t) {
  const auto pick = [&](DType one, DType two, DType four, DType eight) -> std::optional<DType> {
    switch (t.bits) {
      case 8:
        return one;
      case 16:
        return two;
      case 32:
        return four;
      case 64:
        return eight;
      default:
        return std::nullopt;
    }
  };
  if (t.lanes != 1) return std::nullopt;
  switch (static_cast<Code>(t.code)) {
    case Code::Bool:
      return t.bits == 8 ? std::optional(DType::boolean) : std::nullopt;
    case Code::Int:
      return pick(DType::i1, DType::i2, DType::i4, DType::i8);
    case Code::UInt:
      return pick(DType::u1, DType::u2, DType::u4, DType::u8);
    case Code::Float:
      return t.bits == 16 || t.bits == 32 || t.bits == 64 ? pick(DType::f2, DType::f2, DType::f4, DType::f8)
                                                          : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::string text(const nb::dict& fold, const char* key) {
  return fold.contains(key) ? nb::cast<std::string>(fold[key]) : std::string();
}

// A file, and which of its arrays or columns play which role; class names in the order of the columns.
read::Fold named_fold(const nb::dict& fold) {
  read::Fold out{.split = text(fold, "split")};
  if (fold.contains("file")) out.files = {text(fold, "file")};
  if (fold.contains("reading")) read_options(reading_options(out.reading), nb::cast<nb::dict>(fold["reading"]));
  if (fold.contains("members"))
    for (const auto [role, names] : nb::cast<nb::dict>(fold["members"]))
      out.members[role_of(nb::cast<std::string>(role))] = nb::cast<std::vector<std::string>>(names);
  if (fold.contains("classes")) out.reading.names = nb::cast<std::vector<std::string>>(fold["classes"]);
  return out;
}

}  // namespace

read::Array array_of(nb::handle object, const std::string& name) {
  const auto given = nb::cast<nb::ndarray<nb::ro, nb::device::cpu>>(object);
  const auto dtype = dtype_of(given.dtype());
  if (!dtype)
    throw Failure{{.code = Errc::unsupported,
                   .what = "numbers of this type cannot be read",
                   .place = {.array = name, .spelled = name},
                   .remedy = "convert it with .astype('float64')"}};
  read::Array out{.dtype = *dtype, .data = static_cast<const std::byte*>(given.data()), .name = name};
  for (std::size_t d = 0; d < given.ndim(); ++d) out.shape.push_back(given.shape(d));
  // The façade passes row-major or column-major arrays only; of one column, or one row, they are both.
  const bool matrix = given.ndim() == 2 && given.shape(0) > 1 && given.shape(1) > 1;
  out.fortran = matrix && given.stride(0) == 1 && given.stride(1) != 1;
  return out;
}

Role role_of(const std::string& name) {
  return *std::find_if(std::begin(read::all_roles), std::end(read::all_roles),
                       [&](Role role) { return read::role_name(role) == name; });
}

std::optional<Reduction> reduction_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "top_label") return Reduction::top_label;
  if (name == "positive") return Reduction::positive;
  if (name == "classwise") return Reduction::classwise;
  throw Failure{{.code = Errc::bad_option,
                 .what = "there is no reduction '" + foreign(name) + "'",
                 .remedy = "it is top_label, positive or classwise"}};
}

namespace {

int group_bins_of(const nb::dict& fold) {
  return fold.contains("group_bins") ? number_of(options::group_bins, nb::cast<nb::int_>(fold["group_bins"])) : 0;
}

// (name, numbers, None), or (name, codes, words).
read::Array group_of(nb::handle group) {
  const auto given = nb::cast<nb::tuple>(group);
  const auto name = nb::cast<std::string>(given[0]);
  read::Array out = array_of(given[1], name);
  out.columns = {name};
  if (given[2].is_none()) return out;
  out.dtype = DType::word;  // the façade passes int32
  out.words = std::make_shared<const std::vector<std::string>>(nb::cast<std::vector<std::string>>(given[2]));
  return out;
}

}  // namespace

GivenFold::GivenFold(const nb::dict& fold, bool labelled) : labelled_(labelled) {
  if (fold.contains("state")) {
    state_ = nb::cast<const SharedState*>(fold["state"]);
    parts_.source = text(fold, "source");
    return;
  }
  if (fold.contains("file")) {
    names_ = named_fold(fold);
    if (fold.contains("groups")) names_->groups = nb::cast<std::vector<std::string>>(fold["groups"]);
    names_->group_bins = group_bins_of(fold);
    return;
  }
  for (const Role role : read::all_roles) {
    const std::string name(read::role_name(role));
    if (fold.contains(name.c_str())) parts_[role] = array_of(fold[name.c_str()], name);
  }
  if (fold.contains("groups"))
    for (const nb::handle group : nb::cast<nb::list>(fold["groups"])) parts_.groups.push_back(group_of(group));
  parts_.group_bins = group_bins_of(fold);
  parts_.source = text(fold, "source");
  used_ = text(fold, "used");
  if (fold.contains("reduced")) {
    const auto given = nb::cast<nb::dict>(fold["reduced"]);
    const auto mean = [&](const char* name) {
      const auto two = nb::cast<nb::tuple>(given[name]);
      return Estimate{.value = nb::cast<double>(two[0]), .se = nb::cast<std::optional<double>>(two[1])};
    };
    const auto infinite = nb::cast<double>(given["infinite"]);  // their weight
    const std::uint64_t unit = infinite == std::floor(infinite) ? 1 : std::uint64_t{1} << 20;
    elsewhere_ = {nb::cast<std::string>(given["kind"]) == "logits" ? Kind::logits : Kind::probs,
                  nb::cast<std::size_t>(given["k"]),
                  {infinite > 0 ? Result<Estimate>(measure::infinite_nll(numeric::to_mass(infinite, unit), unit, ""))
                                : Result<Estimate>(mean("nll")),
                   Result<Estimate>(mean("brier"))}};
  }
  if (fold.contains("classes")) class_names_ = nb::cast<std::vector<std::string>>(fold["classes"]);
}

Result<Predictions> GivenFold::load(int threads) const {
  if (state_) {
    const std::lock_guard lock(state_->busy);
    return state::predictions_of(state_->running, parts_.source);
  }
  if (names_) {
    const auto data = read::Dataset::open(*names_, labelled_ ? read::LabelRule::needed : read::LabelRule::unwanted);
    return data ? state::load(*data, threads) : data.error();
  }
  if (labelled_) {
    auto out = read::assemble(parts_, threads);
    if (out && elsewhere_) {
      out->kind = elsewhere_->kind;
      out->k = elsewhere_->k;
      out->scores = std::make_shared<const MatrixScores>(elsewhere_->scores);
    }
    if (out && out->k == class_names_.size()) out->class_names = class_names_;
    if (out) out->used = used_;
    return out;
  }
  read::Parts parts = parts_;
  parts.labelled = false;
  for (const Role main : {Role::logits, Role::probs, Role::confidences}) {
    if (!parts[main]) continue;
    const std::size_t n = parts[main]->rows();
    const auto zeros = std::make_shared<const std::vector<std::int32_t>>(n);  // of the type of labels: read in place
    parts[main == Role::confidences ? Role::correct : Role::labels] =
        read::Array{.dtype = main == Role::confidences ? DType::u1 : DType::i4,
                    .shape = {n},
                    .data = reinterpret_cast<const std::byte*>(zeros->data()),
                    .owner = zeros,
                    .name = "labels"};
  }
  return read::assemble(parts, threads);
}

}  // namespace tare::detail::python
