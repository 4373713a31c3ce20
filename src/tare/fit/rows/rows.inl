// One row at a time. T is float or double: the type of the input. All else is double.

constexpr double masked_logit = -0x1p20;  // stands for a logit of -inf

template <class T>
constexpr double least() {
  return static_cast<double>(std::numeric_limits<T>::min());
}

template <class T>
std::size_t place_of_largest(const T* row, std::size_t k) {
  std::size_t top = 0;
  for (std::size_t j = 1; j < k; ++j)
    if (row[top] < row[j]) top = j;
  return top;
}

// As sum_of_eight(): the numbers j, j + 8, j + 16, ... are one of its eight.
inline double sum(const double* x, std::size_t n) {
  double s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < n; ++i) s[i % 8] += x[i];
  return sum_of_eight(s);
}

// Logits become probabilities.
inline void softmax(double* row, std::size_t k) {
  double top = row[0];
  for (std::size_t j = 1; j < k; ++j) top = larger(top, row[j]);
  for (std::size_t j = 0; j < k; ++j) row[j] = exp(row[j] - top);
  const double inverse = 1 / sum(row, k);
  for (std::size_t j = 0; j < k; ++j) row[j] *= inverse;
}

template <class T>
double log_sum_exp(const T* row, std::size_t k, std::size_t place) {
  const double top = static_cast<double>(row[place]);
  double s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t j = 0; j < k; ++j) s[j % 8] += exp(static_cast<double>(row[j]) - top);
  return top + log(sum_of_eight(s));
}

// ---- softmax(v z)

// The order of the logits is kept, bit for bit: a smaller one never gets the same probability as the largest.
template <class T>
void tempered(const T* row, std::size_t k, bool probabilities, double v, double* out) {
  if (k == 1) {
    const double x = static_cast<double>(row[0]);
    out[0] = tempered_odds(probabilities ? clipped_log_odds(x, least<T>()) : x, v);
    return;
  }
  const double top = static_cast<double>(row[place_of_largest(row, k)]);
  for (std::size_t j = 0; j < k; ++j) {
    const double z = static_cast<double>(row[j]);
    out[j] = probabilities ? tempered_ratio(larger(z, least<T>()) / top, v) : tempered_power(z - top, v);
  }
  softmax(out, k);
}

// `out` holds the tempered row, `plain` the row at v = 1. Rounding, or a mixture that is all uniform, must not tie the
// others with the top label.
inline void mix(const double* weights, const double* plain, std::size_t k, double* out) {
  const double uniform = weights[2] / static_cast<double>(k < 2 ? 2 : k);
  const double top = out[place_of_largest(out, k)];
  const double mixed_top = weights[0] * top + weights[1] * plain[place_of_largest(plain, k)] + uniform;
  for (std::size_t j = 0; j < k; ++j) {
    const bool behind = k == 1 ? out[j] <= 0.5 : out[j] < top;
    out[j] = weights[0] * out[j] + weights[1] * plain[j] + uniform;
    if (k == 1)
      out[j] = behind ? smaller(out[j], 0.5) : larger(out[j], 0.5 + 0x1p-53);
    else if (behind)
      out[j] = smaller(out[j], mixed_top * (1 - 0x1p-50));
  }
}

// ---- softmax(W x + b)

template <class T>
double one_logit(T x, bool probabilities) {
  const double z = static_cast<double>(x);
  return finite(probabilities ? clipped_log_odds(z, least<T>()) : z);
}

// One column becomes two features, (-z/2, z/2) or (ln(1-p), ln p).
template <class T>
void logit_features(const T* row, std::size_t columns, bool probabilities, double* x) {
  if (columns == 1) {
    const double z = one_logit(row[0], probabilities);
    x[1] = z / 2;
    x[0] = x[1] - z;
    return;
  }
  for (std::size_t j = 0; j < columns; ++j)
    x[j] = probabilities ? clipped_log(static_cast<double>(row[j]), least<T>()) : finite(static_cast<double>(row[j]));
}

template <class T>
void log_features(const T* row, std::size_t columns, bool probabilities, double* x) {
  if (columns == 1) {
    const double z = one_logit(row[0], probabilities);
    x[1] = log_sigma(z);
    x[0] = x[1] - z;
    return;
  }
  logit_features(row, columns, probabilities, x);
  if (probabilities) return;
  const double normaliser = log_sum_exp(x, columns, place_of_largest(x, columns));
  for (std::size_t j = 0; j < columns; ++j) x[j] -= normaliser;
}

// Of probabilities.
template <class T>
void exact_log_features(const T* row, std::size_t columns, double* x) {
  if (columns == 1) {
    const double p = static_cast<double>(row[0]);
    x[0] = exact_log_of_rest(p);
    x[1] = log_or_none(p);
    return;
  }
  for (std::size_t j = 0; j < columns; ++j) x[j] = log_or_none(static_cast<double>(row[j]));
}

// `size` numbers in w: 0, 1, k or k k of them (core/recipe.hpp). Sums run from the first feature to the last.
inline void affine(const double* x, std::size_t k, const double* w, std::size_t size, const double* b, double* out) {
  if (size == 1) {  // one column: only the difference of the two outputs is known
    out[0] = 0;
    out[1] = (x[1] - x[0]) * w[0] + b[0];
    return;
  }
  for (std::size_t c = 0; c < k; ++c) {
    if (size <= k) {
      out[c] = (size == k ? x[c] * w[c] : x[c]) + b[c];
      continue;
    }
    double sum_of_products = 0;
    for (std::size_t j = 0; j < k; ++j) sum_of_products += x[j] * w[c * k + j];
    out[c] = sum_of_products + b[c];
  }
}

// ---- one curve per class

// Log-odds keep their digits near 1: of the largest logit they are m - log sum of the others' exp z_j.
template <class T>
double odds_of_top_logit(const T* row, std::size_t k, std::size_t top) {
  double second = -std::numeric_limits<double>::infinity(), rest[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t j = 0; j < k; ++j)
    if (j != top) second = larger(second, static_cast<double>(row[j]));
  for (std::size_t j = 0; j < k; ++j)
    if (j != top) rest[j % 8] += exp(static_cast<double>(row[j]) - second);
  return finite(static_cast<double>(row[top]) - second - log(sum_of_eight(rest)));
}
template <class T>
double odds_of_top_probability(const T* row, std::size_t k, std::size_t top) {
  double rest[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t j = 0; j < k; ++j)
    if (j != top) rest[j % 8] += static_cast<double>(row[j]);
  return log_odds_of(static_cast<double>(row[top]), sum_of_eight(rest));
}

// What all classes of a row of three or more share.
struct RowFacts {
  double log_normaliser = 0;  // of logits: log sum exp z
  std::size_t top = 0;        // for log-odds: the largest, the first of equals,
  double top_odds = 0;        // and its log-odds
};
template <class T>
RowFacts row_facts(const T* row, std::size_t k, bool logits, bool odds) {
  RowFacts out;
  out.top = place_of_largest(row, k);
  if (logits) out.log_normaliser = log_sum_exp(row, k, out.top);
  if (odds) out.top_odds = logits ? odds_of_top_logit(row, k, out.top) : odds_of_top_probability(row, k, out.top);
  return out;
}

// x: the number of class j in that row. Its probability, or its log-odds.
inline double score_of_class(double x, std::size_t j, const RowFacts& facts, bool logits, bool odds) {
  if (!odds) return logits ? class_probability(x - facts.log_normaliser) : x;
  if (j == facts.top) return facts.top_odds;
  return logits ? class_odds(x - facts.log_normaliser) : log_odds(x);
}

// Two classes, in one column or two: of class 1. Both columns: the log-odds of 1 - 1e-30 are in the other one.
template <class T>
double score_of_two(const T* row, std::size_t columns, bool logits, bool odds) {
  const double one = static_cast<double>(row[columns - 1]);
  if (columns == 1) return logits ? (odds ? one : sigma(one)) : (odds ? log_odds(one) : one);
  const double zero = static_cast<double>(row[0]);
  if (logits) return odds ? finite(one - zero) : sigma(one - zero);
  return odds ? log_odds_of(one, zero) : one;
}

// Between the points `right` - 1 and `right` of n; outside the end values. `right` is the number of x that are not
// above.
inline double on_line(const double* x, const double* y, std::size_t n, std::size_t right, double score) {
  if (right == 0) return y[0];
  if (right == n) return y[n - 1];
  const double t = (score - x[right - 1]) / (x[right] - x[right - 1]);
  return smaller(y[right - 1] + (y[right] - y[right - 1]) * t, y[right]);  // rounding must not break the order
}

// Divides by the sum, if there is one.
inline bool normalised(double* row, std::size_t k) {
  double total = 0;
  for (std::size_t j = 0; j < k; ++j) total += row[j];
  if (total < std::numeric_limits<double>::min()) return false;
  for (std::size_t j = 0; j < k; ++j) row[j] /= total;
  return true;
}

// A row whose curves are all 0 keeps its uncalibrated probabilities: there is no better information.
template <class T>
void normalise(const T* row, std::size_t k, bool logits, double* out) {
  if (normalised(out, k)) return;
  const RowFacts facts = row_facts(row, k, logits, false);
  for (std::size_t j = 0; j < k; ++j) out[j] = score_of_class(static_cast<double>(row[j]), j, facts, logits, false);
  normalised(out, k);
}

// ---- before and after

// Below this 1 - p is 1.
inline bool is_nothing(double p) { return p < 0x1p-53; }

// The zeros of a row of probabilities share a rate, and the others make room for it; with `keep_top` as much as leaves
// the largest ahead.
inline void fill_zeros(double* row, std::size_t columns, double certain, double partial, bool keep_top) {
  std::size_t zeros = 0;
  for (std::size_t j = 0; j < columns; ++j) zeros += is_nothing(row[j]) || (columns == 1 && row[j] == 1);
  if (zeros == 0) return;
  double rate = zeros + 1 >= columns ? certain : partial;
  if (keep_top) {  // at these odds or above they would be as large
    const double top = columns == 1 ? 1 : row[place_of_largest(row, columns)];
    const double odds = top * static_cast<double>(zeros) * (1 - 0x1p-20);
    rate = smaller(rate, odds / (1 + odds));
  }
  if (columns == 1)
    row[0] = row[0] < 0.5 ? rate : 1 - rate;
  else
    for (std::size_t j = 0; j < columns; ++j)
      row[j] = is_nothing(row[j]) ? rate / static_cast<double>(zeros) : row[j] * (1 - rate);
}

// Classes whose logit was -inf have probability 0, whatever the map made of the number that stands for it.
template <class T>
void exclude_masked(const T* in, std::size_t columns, double* out) {
  double total = 0;
  std::size_t left = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    const bool masked = static_cast<double>(in[j]) == masked_logit;
    if (masked) out[j] = 0;
    left += !masked;
    total += out[j];
  }
  if (left == columns || columns == 1) return;
  for (std::size_t j = 0; j < columns; ++j)
    if (total > 0)
      out[j] /= total;
    else if (static_cast<double>(in[j]) != masked_logit)
      out[j] = 1 / static_cast<double>(left);
}
