"""whisper.cpp's own C functions (whisper.h 1.8), out of the module that pywhispercpp compiles it into.

pywhispercpp hands a filter of the logits a copy of the first one instead of their address, so it is not used itself.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p
from functools import cache
from importlib.util import find_spec
from math import isclose
from typing import Any

from appliance.errors import PartMissing

MODULE = "_pywhispercpp"

AbortCallback = CFUNCTYPE(c_bool, c_void_p)
LogCallback = CFUNCTYPE(None, c_int, c_char_p, c_void_p)


class TokenData(Structure):
    _fields_ = (
        ("id", c_int),
        ("timestamp", c_int),
        *((name, c_float) for name in ("p", "plog", "pt", "ptsum")),
        *((name, c_int64) for name in ("t0", "t1", "t_dtw")),
        ("vlen", c_float),
    )


LogitsFilter = CFUNCTYPE(None, c_void_p, c_void_p, POINTER(TokenData), c_int, POINTER(c_float), c_void_p)
"""Context, state, the tokens so far and their number, the logits of the next one, what was given along."""


class _VadParams(Structure):
    _fields_ = (
        ("threshold", c_float),
        *((name, c_int) for name in ("min_speech_ms", "min_silence_ms")),
        ("max_speech_s", c_float),
        ("speech_pad_ms", c_int),
        ("samples_overlap", c_float),
    )


class Params(Structure):
    """whisper_full_params; passed by value, so every field has to be here."""

    _fields_ = (
        *((name, c_int) for name in ("strategy", "n_threads", "n_max_text_ctx", "offset_ms", "duration_ms")),
        *((name, c_bool) for name in ("translate", "no_context", "no_timestamps", "single_segment")),
        *((name, c_bool) for name in ("print_special", "print_progress", "print_realtime", "print_timestamps")),
        ("token_timestamps", c_bool),
        *((name, c_float) for name in ("thold_pt", "thold_ptsum")),
        ("max_len", c_int),
        ("split_on_word", c_bool),
        ("max_tokens", c_int),
        ("debug_mode", c_bool),
        ("audio_ctx", c_int),
        ("tdrz_enable", c_bool),
        *((name, c_char_p) for name in ("suppress_regex", "initial_prompt")),
        ("carry_initial_prompt", c_bool),
        ("prompt_tokens", c_void_p),
        ("prompt_n_tokens", c_int),
        ("language", c_char_p),
        *((name, c_bool) for name in ("detect_language", "suppress_blank", "suppress_nst")),
        *((name, c_float) for name in ("temperature", "max_initial_ts", "length_penalty", "temperature_inc")),
        *((name, c_float) for name in ("entropy_thold", "logprob_thold", "no_speech_thold")),
        *((name, c_int) for name in ("best_of", "beam_size")),
        ("patience", c_float),
        *((name, c_void_p) for name in ("new_segment_callback", "new_segment_data")),
        *((name, c_void_p) for name in ("progress_callback", "progress_data")),
        *((name, c_void_p) for name in ("encoder_begin_callback", "encoder_begin_data")),
        ("abort_callback", AbortCallback),
        ("abort_data", c_void_p),
        ("logits_filter_callback", LogitsFilter),
        ("logits_filter_data", c_void_p),
        ("grammar_rules", c_void_p),
        *((name, c_size_t) for name in ("n_grammar_rules", "i_start_rule")),
        ("grammar_penalty", c_float),
        ("vad", c_bool),
        ("vad_model_path", c_char_p),
        ("vad_params", _VadParams),
    )


_DEFAULTS = {"n_max_text_ctx": 16_384, "thold_pt": 0.01, "entropy_thold": 2.4, "best_of": 5, "grammar_penalty": 100.0}
"""Some of greedy decoding, from all over the structure: where they stand elsewhere, it is another version's."""
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "whisper_init_from_file": (c_void_p, (c_char_p,)),
    "whisper_free": (None, (c_void_p,)),
    "whisper_full_default_params": (Params, (c_int,)),
    "whisper_full": (c_int, (c_void_p, Params, POINTER(c_float), c_int)),
    "whisper_full_n_segments": (c_int, (c_void_p,)),
    "whisper_full_n_tokens": (c_int, (c_void_p, c_int)),
    "whisper_full_get_segment_text": (c_char_p, (c_void_p, c_int)),
    "whisper_full_get_token_id": (c_int, (c_void_p, c_int, c_int)),
    "whisper_n_vocab": (c_int, (c_void_p,)),
    "whisper_token_eot": (c_int, (c_void_p,)),
    "whisper_token_to_str": (c_char_p, (c_void_p, c_int)),
    "whisper_log_set": (None, (LogCallback, c_void_p)),
}
"""Name -> what it returns, what it takes."""
_SILENT = LogCallback(lambda level, text, data: None)
GREEDY = 0


@cache
def library() -> Any:
    """Raises PartMissing where there is none, or one with another interface."""
    found = find_spec(MODULE)
    if found is None or found.origin is None:
        raise PartMissing("whisper.cpp is not installed", remedy="run: make setup")
    whisper = ctypes.CDLL(found.origin)
    for name, (returned, taken) in _FUNCTIONS.items():
        function = getattr(whisper, name)
        function.restype, function.argtypes = returned, taken
    params = whisper.whisper_full_default_params(GREEDY)
    wrong = [name for name, value in _DEFAULTS.items() if not isclose(getattr(params, name), value, rel_tol=1e-6)]
    if wrong:
        raise PartMissing(f"this whisper.cpp has other parameters ({', '.join(wrong)})", remedy="run: make setup")
    whisper.whisper_log_set(_SILENT, None)
    return whisper
