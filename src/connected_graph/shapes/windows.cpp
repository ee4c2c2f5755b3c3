#include "connected_graph/shapes/functions.h"

#include <algorithm>

// Operators that move a window over an image.

namespace model_validator::shapes::functions {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Window {
  Shape kernel;
  Numbers strides, dilations, pads; ///< `pads`: all beginnings, then all ends
  std::string auto_pad;
  bool rounds_up = false;

  std::size_t axes() const { return kernel.size(); }
  bool keeps_size() const { return auto_pad.starts_with("SAME"); }
  Size padding(Sizes& sizes, std::size_t axis) const {
    return sizes.sum(Size::of(pads[axis]), Size::of(pads[axis + axes()]));
  }
};

Numbers setting(const Inference& at, const char* name, std::size_t count, std::int64_t otherwise) {
  const auto found = at.integers(name);
  return found && found->size() == count ? *found : Numbers(count, otherwise);
}

/// As profiles call it: `pads-fewer: half`.
std::string miscounted(const std::string& name, std::size_t given, std::size_t wanted) {
  if (2 * given == wanted) return name + "-fewer: half";
  return name + (given < wanted ? "-fewer" : "-more");
}

/// What the attributes say of a window. False where they are for another number of axes.
bool read_window(Inference& at, Window& to) {
  for (const char* name : {"strides", "dilations", "pads"}) {
    const auto found = at.integers(name);
    const std::size_t wanted = to.axes() * (std::string_view(name) == "pads" ? 2 : 1);
    if (!found || found->empty() || found->size() == wanted) continue;
    at.cannot_fit(miscounted(name, found->size(), wanted),
                  "attribute `" + std::string(name) + "` has " + std::to_string(found->size()) +
                      " numbers instead of " + std::to_string(wanted),
                  {0, 1}, Fails::at_load);
    return false;
  }
  const bool is_convolution = at.node.type == "Conv" || at.node.type == "ConvTranspose";
  const std::string padding = at.node.attributes->text("auto_pad").value_or("NOTSET");
  if (is_convolution && padding != "NOTSET" && at.integers("pads"))
    at.cannot_fit("auto_pad", "attributes `auto_pad` and `pads` exclude each other", {},
                  Fails::at_load);
  to.strides = setting(at, "strides", to.axes(), 1);
  to.dilations = setting(at, "dilations", to.axes(), 1);
  to.pads = setting(at, "pads", 2 * to.axes(), 0);
  to.auto_pad = padding;
  if (to.auto_pad == "VALID") to.pads.assign(2 * to.axes(), 0);
  to.rounds_up = at.flag("ceil_mode");
  const auto positive = [](std::int64_t each) { return each > 0; };
  const bool valid =
      std::all_of(to.strides.begin(), to.strides.end(), positive) &&
      std::all_of(to.dilations.begin(), to.dilations.end(), positive) &&
      std::none_of(to.pads.begin(), to.pads.end(), [](std::int64_t each) { return each < 0; });
  if (!valid)
    at.cannot_fit("negative", "strides and dilations must be positive, and paddings not negative",
                  {0}, Fails::at_load);
  return valid;
}

Size reach(Sizes& sizes, const Window& window, std::size_t axis) {
  const Size steps = sizes.difference(window.kernel[axis], Size::of(1));
  return sizes.sum(sizes.product(steps, Size::of(window.dilations[axis])), Size::of(1));
}

/// The last window must begin inside of the image or the padding before it.
Size rounded_up(Sizes& sizes, const Window& window, std::size_t axis, Size image, Size room,
                Size kernel) {
  const std::int64_t stride = window.strides[axis];
  const Size steps = sizes.quotient_rounded_up(room, Size::of(stride));
  const Size all = sizes.sum(steps, Size::of(1));
  const Size inside = sizes.sum(image, Size::of(window.pads[axis]));
  if (const auto first = sizes.product(steps, Size::of(stride)).number(), end = inside.number();
      first && end)
    return *first >= *end ? steps : all;
  const std::int64_t after = window.pads[axis + window.axes()];
  const bool always_inside = kernel.is_number() && *kernel.number() - after >= stride;
  return always_inside ? all : Size{};
}

/// How many windows there are along an axis.
Size windows(Sizes& sizes, const Window& window, std::size_t axis, Size image) {
  const Size stride = Size::of(window.strides[axis]);
  if (window.keeps_size()) return sizes.quotient_rounded_up(image, stride);
  const Size kernel = reach(sizes, window, axis);
  const Size room = sizes.difference(sizes.sum(image, window.padding(sizes, axis)), kernel);
  if (room.is_number() && *room.number() < -window.strides[axis]) return {};
  if (window.rounds_up) return rounded_up(sizes, window, axis, image, room, kernel);
  // A window that reaches beyond the image is one all the same, as integers are divided.
  const Size steps =
      room.is_number() ? sizes.truncated_quotient(room, stride) : sizes.quotient(room, stride);
  return sizes.sum(steps, Size::of(1));
}

/// How large an image is that gives so many windows.
Size image_of(Sizes& sizes, const Window& window, std::size_t axis, Size count,
              std::int64_t output_padding) {
  const Size stride = Size::of(window.strides[axis]);
  if (window.keeps_size()) return sizes.product(count, stride);
  const Size steps = sizes.product(sizes.difference(count, Size::of(1)), stride);
  const Size added = sizes.difference(Size::of(output_padding), window.padding(sizes, axis));
  return sizes.sum(sizes.sum(steps, reach(sizes, window, axis)), added);
}

struct Operands {
  std::size_t weight = 1, bias = 2;
};

/// Channels are divided among groups.
void check_groups(Inference& at, Size channels) {
  const std::int64_t groups = at.integer("group", 1);
  if (groups <= 0 || (channels.is_number() && *channels.number() % groups != 0))
    at.cannot_fit("groups",
                  "the channels of the weight cannot be divided into " + std::to_string(groups) +
                      " groups",
                  {1}, Fails::when_run);
}

/// What a window is too large for.
/// @param least  what must be left of an image beyond the window. Some runtimes mind only where the
/// number of windows comes out below 0.
void check_room(Inference& at, const Window& window, std::size_t axis, std::int64_t least) {
  const Size image = at.shape(0)->at(axis + 2);
  const Size kernel = reach(at.sizes, window, axis);
  if (window.keeps_size()) return;
  const Size room = at.sizes.sum(image, window.padding(at.sizes, axis));
  const Size left = at.sizes.difference(room, kernel);
  if (!left.is_number() || *left.number() >= least) return;
  const bool none = *left.number() > -2 * window.strides[axis];
  at.cannot_fit(none ? "window" : "window: fewer than none",
                "axis " + std::to_string(axis + 2) + " of " + at.name_of(0) + " is " +
                    at.sizes.text(image) + ", and the window reaches over " + at.sizes.text(kernel),
                {0, 1}, Fails::when_run);
}

/// The kernel's axes, as the weight has them; an attribute that says otherwise does not fit.
bool read_kernel(Inference& at, std::size_t weight, Window& to) {
  const Shape& sizes = *at.shape(weight);
  to.kernel.assign(sizes.begin() + 2, sizes.end());
  const auto stated = at.integers("kernel_shape");
  if (!stated || stated->empty()) return true;
  if (stated->size() != to.axes()) {
    at.cannot_fit("kernel_shape",
                  "attribute `kernel_shape` is for " + std::to_string(stated->size()) +
                      " axes and " + at.name_of(weight) + " for " + std::to_string(to.axes()),
                  {0, weight}, Fails::at_load);
    return false;
  }
  for (std::size_t i = 0; i < stated->size(); ++i)
    at.same(at.axis(weight, i + 2), {Size::of((*stated)[i]), weight, 0, "attribute `kernel_shape`"},
            Fails::when_run);
  return true;
}

/// Whether image and weight have as many axes, and at least channels.
bool ranks_fit(Inference& at, std::size_t weight) {
  const Shape* image = at.shape(0);
  const Shape* kernel = at.shape(weight);
  if (kernel == nullptr) return false;
  const bool equal = image == nullptr || image->size() == kernel->size();
  if (equal && kernel->size() >= 3) return true;
  // With the attribute, a runtime does not look at the weight before it needs it.
  const Fails fails = at.integers("kernel_shape") ? Fails::when_run : Fails::at_load;
  at.cannot_fit("rank",
                equal ? at.name_of(weight) + " has too few axes"
                      : at.name_of(0) + " has " + std::to_string(image->size()) + " axes and " +
                            at.name_of(weight) + " " + std::to_string(kernel->size()),
                {0, weight}, fails);
  return false;
}

/// By what some runtimes take a padding all the same: it counts as zeros, or a dilated window
/// reaches beyond it.
std::string padding_that_is_minded(Inference& at, const Window& window, std::size_t axis,
                                   std::int64_t pad) {
  if (at.integer("count_include_pad", 0) != 0) return "padding: counted";
  const auto reaches = reach(at.sizes, window, axis).number();
  return reaches && pad < *reaches ? "padding: dilated" : "padding";
}

/// A window must not lie in the padding alone.
void check_padding(Inference& at, const Window& window) {
  if (window.auto_pad != "NOTSET") return;
  for (std::size_t i = 0; i < window.axes(); ++i)
    for (const std::int64_t pad : {window.pads[i], window.pads[i + window.axes()]})
      if (window.kernel[i].is_number() && pad >= *window.kernel[i].number())
        return at.cannot_fit(padding_that_is_minded(at, window, i, pad),
                             "a padding of " + std::to_string(pad) +
                                 " is as large as the window, which is " +
                                 at.sizes.text(window.kernel[i]),
                             {0}, Fails::at_load);
}

void convolve(Inference& at, const Operands& operands) {
  if (!ranks_fit(at, operands.weight)) return;
  const Shape* image = at.shape(0);
  const Shape& weight = *at.shape(operands.weight);
  const Size groups = Size::of(std::max<std::int64_t>(at.integer("group", 1), 1));
  if (image != nullptr)
    at.same(at.axis(0, 1),
            {at.sizes.product(weight[1], groups), operands.weight, 1,
             "the number of channels that the weight is for"},
            Fails::when_run);
  check_groups(at, weight[0]);
  if (at.given(operands.bias) && at.must_have_rank(operands.bias, 1, Fails::when_run) &&
      at.shape(operands.bias) != nullptr)
    at.same(at.axis(operands.bias, 0), at.axis(operands.weight, 0), Fails::when_run);
  Window window;
  if (!read_kernel(at, operands.weight, window) || !read_window(at, window)) return;
  for (std::size_t i = 0; image != nullptr && i < window.axes(); ++i) check_room(at, window, i, 0);
  Shape result{image == nullptr ? Size{} : image->at(0), weight[0]};
  for (std::size_t i = 0; i < window.axes(); ++i)
    result.push_back(image == nullptr ? Size{} : windows(at.sizes, window, i, image->at(i + 2)));
  at.set(0, std::move(result));
}

} // namespace

void convolution(Inference& at) { convolve(at, {}); }

/// What follows the weight are zero points.
void integer_convolution(Inference& at) { convolve(at, {1, at.node.inputs.size()}); }

void quantised_convolution(Inference& at) {
  constexpr std::size_t weight = 3, scale = 4;
  convolve(at, {weight, 8});
  const bool many = at.has_rank(scale, 1) && !at.shape(scale)->front().is(1);
  if (many && at.shape(weight) != nullptr && !at.shape(weight)->empty())
    at.same(at.axis(scale, 0), at.axis(weight, 0), Fails::when_run);
}

/// The sizes of the image that a transposed convolution makes. False where they cannot be.
bool add_extents(Inference& at, const Window& window, Shape& result) {
  const Shape* image = at.shape(0);
  const Numbers more = setting(at, "output_padding", window.axes(), 0);
  const auto stated = at.integers("output_shape");
  for (std::size_t i = 0; !stated && i < more.size(); ++i)
    if (more[i] > 0 && more[i] >= std::max(window.strides[i], window.dilations[i])) {
      at.cannot_fit("output_padding",
                    "an output padding must be less than the stride or the dilation", {0},
                    Fails::when_run);
      return false;
    }
  for (std::size_t i = 0; i < window.axes(); ++i) {
    Size size;
    if (stated && stated->size() >= window.axes())
      size = Size::of((*stated)[stated->size() - window.axes() + i]);
    else if (image != nullptr)
      size = image_of(at.sizes, window, i, image->at(i + 2), more[i]);
    result.push_back(size);
  }
  return true;
}

void transposed_convolution(Inference& at) {
  if (!ranks_fit(at, 1)) return;
  const Shape* image = at.shape(0);
  const Shape& weight = *at.shape(1);
  const Size groups = Size::of(std::max<std::int64_t>(at.integer("group", 1), 1));
  const Size channels = at.sizes.product(weight[1], groups);
  if (image != nullptr) at.same(at.axis(0, 1), at.axis(1, 0), Fails::when_run);
  check_groups(at, weight[0]);
  if (at.given(2) && at.must_have_rank(2, 1, Fails::when_run) && at.shape(2) != nullptr)
    at.same(at.axis(2, 0), {channels, 1, 1, "the number of channels that it makes"},
            Fails::when_run);
  Window window;
  if (!read_kernel(at, 1, window) || !read_window(at, window)) return;
  Shape result{image == nullptr ? Size{} : image->at(0), channels};
  if (add_extents(at, window, result)) at.set(0, std::move(result));
}

void pooling(Inference& at) {
  const Shape* image = at.shape(0);
  const auto kernel = at.stated("kernel_shape");
  if (image == nullptr || !kernel || at.flag("channels_last")) return;
  if (image->size() != kernel->size() + 2)
    return at.cannot_fit("kernel_shape",
                         "attribute `kernel_shape` is for " + std::to_string(kernel->size()) +
                             " axes, and " + at.name_of(0) + " has " +
                             std::to_string(image->size()) + " with batch and channels",
                         {0}, Fails::at_load);
  Window window;
  window.kernel = *kernel;
  if (!read_window(at, window)) return;
  check_padding(at, window);
  // Integers are divided towards 0: a window may reach beyond the image by less than a stride.
  for (std::size_t i = 0; i < window.axes(); ++i) check_room(at, window, i, 1 - window.strides[i]);
  Shape result{image->at(0), image->at(1)};
  for (std::size_t i = 0; i < window.axes(); ++i)
    result.push_back(windows(at.sizes, window, i, image->at(i + 2)));
  at.set(1, result);
  at.set(0, std::move(result));
}

/// What was pooled goes back where it came from.
void unpooling(Inference& at) {
  const Shape* pooled = at.shape(0);
  const auto kernel = at.stated("kernel_shape");
  const auto wanted = at.given(2) ? at.listed(2) : std::nullopt;
  if (pooled == nullptr || !kernel || pooled->size() != kernel->size() + 2) return;
  if (wanted && wanted->size() != pooled->size())
    return at.cannot_fit("size-count",
                         at.name_of(2) + " has " + std::to_string(wanted->size()) +
                             " numbers, and " + at.name_of(0) + " " +
                             std::to_string(pooled->size()) + " axes",
                         {0, 2}, at.noticed(2));
  if (wanted) return at.set(0, *wanted);
  Window window;
  window.kernel = *kernel;
  if (at.given(2) || !read_window(at, window)) return at.set(0, Shape(pooled->size()));
  Shape result{pooled->at(0), pooled->at(1)};
  for (std::size_t i = 0; i < window.axes(); ++i)
    result.push_back(image_of(at.sizes, window, i, pooled->at(i + 2), 0));
  at.set(0, std::move(result));
}

void global_pooling(Inference& at) {
  const Shape* image = at.shape(0);
  if (image == nullptr || image->size() < 2 || at.flag("channels_last")) return;
  Shape result{image->at(0), image->at(1)};
  result.resize(image->size(), Size::of(1));
  at.set(0, std::move(result));
}

/// Of ONNX's `Col2Im`: what windows saw, put together again.
void image_of_columns(Inference& at) {
  const auto image = at.listed(1);
  const auto kernel = at.listed(2);
  at.must_be_list(1, Fails::at_load);
  at.must_be_list(2, Fails::at_load);
  if (!image || !kernel) return;
  if (image->size() != kernel->size())
    return at.cannot_fit("block-rank",
                         at.name_of(1) + " is for " + std::to_string(image->size()) +
                             " axes, and " + at.name_of(2) + " for " +
                             std::to_string(kernel->size()),
                         {1, 2}, at.noticed(2));
  Window window;
  window.kernel = *kernel;
  if (!at.must_have_rank(0, 3, Fails::when_run) || !read_window(at, window)) return;
  const Shape* columns = at.shape(0);
  Size places = Size::of(1), numbers = Size::of(1);
  for (std::size_t i = 0; i < window.axes(); ++i) {
    places = at.sizes.product(places, windows(at.sizes, window, i, image->at(i)));
    numbers = at.sizes.product(numbers, kernel->at(i));
  }
  Shape result{{}, {}};
  if (columns != nullptr) {
    at.same(at.axis(0, 2), {places, 1, 0, "the number of windows in the image"}, Fails::when_run);
    result = {columns->at(0), at.sizes.quotient(columns->at(1), numbers)};
  }
  result.insert(result.end(), image->begin(), image->end());
  at.set(0, std::move(result));
}

void regions_of_interest(Inference& at) {
  const Shape* image = at.shape(0);
  const Shape* regions = at.shape(1);
  Size height = Size::of(at.integer("output_height", 1));
  Size width = Size::of(at.integer("output_width", 1));
  if (const auto pooled = at.integers("pooled_shape"); pooled && pooled->size() == 2) {
    height = Size::of((*pooled)[0]);
    width = Size::of((*pooled)[1]);
  }
  // RoiAlign has the image of each region in a list of its own.
  const std::int64_t numbers = at.node.type == "RoiAlign" ? 4 : 5;
  if (!at.must_have_rank(1, 2, Fails::at_load)) return;
  Size count;
  if (regions != nullptr) {
    at.same(at.axis(1, 1), {Size::of(numbers), 1, 1, "the length of a region"}, Fails::when_run);
    if (at.has_rank(2, 1)) at.same(at.axis(2, 0), at.axis(1, 0), Fails::when_run);
    count = regions->at(0);
  }
  const Size channels = image != nullptr && image->size() > 1 ? image->at(1) : Size{};
  at.set(0, Shape{count, channels, height, width});
}

/// Offsets for each window come before the bias.
void deformable_convolution(Inference& at) { convolve(at, {1, 3}); }

/// What it remembers of a sequence is one step shorter than the window.
void causal_convolution(Inference& at) {
  constexpr std::size_t steps = 2;
  same_as_first(at);
  if (!at.has_rank(0, 3)) return;
  const Size window = at.has_rank(1, 3) ? at.shape(1)->at(steps) : Size{};
  at.set(1,
         Shape{at.shape(0)->at(0), at.shape(0)->at(1), at.sizes.difference(window, Size::of(1))});
}

} // namespace model_validator::shapes::functions
