"""What torch's functions and tensor methods give, by their names."""

from __future__ import annotations

CASTS = {
    "long": "int64", "int": "int32", "short": "int16", "char": "int8", "byte": "uint8",
    "bool": "bool", "float": "float32", "double": "float64", "half": "float16",
    "bfloat16": "bfloat16", "chalf": "complex32", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""Methods that convert, and the dtype they convert to."""
LEGACY = {
    "LongTensor": "int64", "IntTensor": "int32", "ShortTensor": "int16", "CharTensor": "int8",
    "ByteTensor": "uint8", "BoolTensor": "bool", "FloatTensor": "float32",
    "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16",
}  # fmt: skip
"""Classes of tensors that name a dtype."""
MAKERS = {
    "zeros": "float32", "ones": "float32", "empty": "float32", "rand": "float32",
    "randn": "float32", "eye": "float32", "linspace": "float32", "logspace": "float32",
    "hann_window": "float32", "randint": "int64", "randperm": "int64", "tril_indices": "int64",
    "triu_indices": "int64",
}  # fmt: skip
"""Functions that make a tensor from nothing, and its dtype unless ``dtype`` says otherwise."""
FILLERS = {"tensor": 0, "as_tensor": 0, "arange": 0, "full": 1}
"""Those whose dtype follows from a value, and where that stands."""
LIKE = frozenset(
    {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"}
)  # fmt: skip
NEW = frozenset({"new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"})
INDICES = frozenset(
    {
        "argmax", "argmin", "argsort", "nonzero", "count_nonzero", "bincount", "searchsorted",
        "bucketize", "multinomial", "one_hot",
    }
)  # fmt: skip
"""The result is int64 whatever the operand is."""
TESTS = frozenset(
    {
        "eq", "ne", "gt", "ge", "lt", "le", "isnan", "isinf", "isfinite", "isneginf", "isposinf",
        "isclose", "isin", "logical_and", "logical_or", "logical_not", "logical_xor", "any", "all",
    }
)  # fmt: skip
"""The result is a boolean tensor."""
PAIRS = frozenset(
    {"topk", "sort", "max", "min", "median", "mode", "kthvalue", "cummax", "cummin"}
)  # fmt: skip
"""With a dimension they give values and int64 indices."""
SUMS = frozenset({"sum", "cumsum", "prod", "cumprod", "nansum"})
"""They add integers and booleans up in int64."""
SAME = frozenset(
    {
        "clone", "detach", "detach_", "contiguous", "view", "reshape", "unsqueeze", "squeeze",
        "expand", "expand_as", "view_as", "repeat", "permute", "transpose", "t", "flatten",
        "unflatten", "masked_fill", "masked_fill_", "clamp", "clamp_", "clamp_min", "clamp_max",
        "gather", "index_select", "take_along_dim", "masked_select", "flip", "roll", "abs",
        "narrow", "pin_memory", "requires_grad_", "index_fill", "index_fill_", "scatter",
        "scatter_", "scatter_add", "scatter_add_", "index_add", "index_add_", "fill_", "zero_",
        "add_", "sub_", "mul_", "amax", "amin", "tril", "triu", "diag", "diagonal", "unfold",
        "movedim", "swapaxes", "broadcast_to", "repeat_interleave", "unique", "cat", "stack",
        "concat", "hstack", "vstack", "remainder", "fmod", "neg", "squeeze_", "unsqueeze_",
        "copy_", "atleast_1d", "atleast_2d", "clip",
    }
)  # fmt: skip
"""The result has the dtype of the first operand."""
FLOATING = frozenset(
    {
        "mean", "std", "var", "softmax", "log_softmax", "exp", "log", "sqrt", "rsqrt", "sin",
        "cos", "tan", "tanh", "sigmoid", "erf", "norm", "logsumexp", "log2", "log10", "log1p",
        "reciprocal",
    }
)  # fmt: skip
"""The result is floating point, also of integers."""
OF_TENSORS_ONLY = frozenset(
    {
        "detach", "detach_", "contiguous", "unsqueeze", "unsqueeze_", "expand", "expand_as",
        "view_as", "permute", "masked_fill", "masked_fill_", "clamp", "clamp_", "clamp_min",
        "clamp_max", "index_select", "masked_select", "narrow", "pin_memory", "requires_grad_",
        "scatter", "scatter_", "scatter_add", "scatter_add_", "index_add", "index_add_",
        "softmax", "log_softmax", "logsumexp", "rsqrt", "sigmoid", "movedim", "clone",
        "count_nonzero", "eq", "ne", "gt", "ge", "lt", "le", "logical_and", "logical_or",
        "logical_not", "logical_xor", "isnan", "isinf", "isfinite", "amax", "amin", "topk",
        "repeat_interleave", "bincount", "multinomial", "index_fill", "index_fill_", "zero_",
    }
)  # fmt: skip
"""Methods that show, by being called, that the object is a tensor and no array or list."""
MOVES = frozenset({"cpu", "cuda", "neuron"})
LEAVES = frozenset({"numpy", "tolist", "item", "split", "chunk", "unbind", "tensor_split"})
"""Methods whose result is no tensor."""
NO_TENSORS = frozenset(
    {
        "device", "dtype", "load", "save", "no_grad", "enable_grad", "inference_mode", "is_tensor",
        "numel", "compile", "manual_seed", "seed", "initial_seed", "get_default_dtype",
        "set_default_dtype", "set_default_device", "finfo", "iinfo", "autocast", "equal",
        "allclose", "is_floating_point", "is_complex", "get_rng_state", "set_rng_state", "typename",
        "broadcast_shapes", "result_type", "can_cast", "unbind", "split", "chunk", "meshgrid",
        "broadcast_tensors", "set_grad_enabled", "get_device_module", "set_printoptions",
        "use_deterministic_algorithms", "set_num_threads", "is_grad_enabled", "unravel_index",
        "tensor_split", "where", "size", "scalar_tensor", "cond", "frombuffer",
    }
)  # fmt: skip
"""Functions of ``torch`` whose result is no tensor, or not one alone."""
