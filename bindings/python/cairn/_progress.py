"""The bar that progress=True shows: tqdm's if it is installed, else a line of text."""

import sys
from typing import Any


class Bar:
    """Called with the fraction of the work that is done."""

    def __init__(self) -> None:
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def __call__(self, fraction: float) -> None:
        if self._bar is not None:
            self._bar.update(100 * fraction - self._bar.n)
            if fraction >= 1:
                self._bar.close()
            return
        end = "\n" if fraction >= 1 else ""
        print(f"\r{fraction:4.0%}", end=end, file=sys.stderr, flush=True)
