"""The JavaScript package with the kernel for browsers, if it was built: served below /kernel.

Pages analyse with it on the visitor's device.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import damka
from damka.server.static import StaticFiles

if TYPE_CHECKING:
    from damka.server.settings import Settings

__all__ = ["kernel_files", "kernel_json"]

PREFIX: Final = "/kernel"
_MODULE: Final = "index.js"
_NEEDED: Final = (_MODULE, "damka.wasm", "damka-simd.wasm")
_SERVED: Final = (".js", ".wasm", ".weights")


def kernel_files(settings: Settings) -> StaticFiles | None:
    """Return the package's files, or None if there is no complete package.

    It is in the folder of the settings, or in `dist/damka-js` of a checkout (`make js`).
    """
    folder = settings.kernel or Path(damka.__file__).parents[2] / "dist" / "damka-js"
    if not all((folder / name).is_file() for name in _NEEDED):
        return None
    return StaticFiles(folder, PREFIX, minified=False, suffixes=_SERVED)


def kernel_json(files: StaticFiles | None) -> dict[str, Any] | None:
    """Return the page data about the files: `Kernel` in web/lines.d.ts."""
    return None if files is None else {"module": files.url(_MODULE)}
