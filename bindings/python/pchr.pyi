"""Reads, renders, checks and converts 2D skeletal characters and sprite sheets."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path as PurePath
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Unpack, final

import numpy as np
from numpy.typing import NDArray

Path: TypeAlias = str | PathLike[str]
Names: TypeAlias = str | Sequence[str]
Size: TypeAlias = int | str | tuple[int | None, int | None]

__version__: str

class Error(Exception):
    """A file is at fault, or an argument."""

    code: str
    """Stable name of the rule, as in docs/findings.md."""
    file: str | None
    path: str | None
    """The path inside the file, in the terms of its format."""
    offset: int | None
    """The offset in bytes from the start of the file."""

class Finding(TypedDict):
    """A finding, as `pchr validate --json` prints it."""

    code: str
    message: str
    severity: Literal["error", "warning", "note"]
    line: NotRequired[int]
    column: NotRequired[int]
    offset: NotRequired[int]
    other_file: NotRequired[str]
    path: NotRequired[str]
    pointer: NotRequired[str]

class Reading(TypedDict, total=False):
    """How to read a file."""

    atlas: Path | Sequence[Path] | None
    fps: float | None
    page_alpha: Literal["auto", "straight", "premultiplied"]
    missing: Literal["hide", "box"] | None
    movie_clips: Literal["first", "play"]
    layer: str | Sequence[str] | None
    symbol: str | Sequence[str] | None
    flip_v: bool
    y_down: bool
    keep_going: bool
    limits: Mapping[str, int] | None

class Look(TypedDict, total=False):
    """Options of `pchr-view` by their long names."""

    interpolate: bool
    physics: bool | None
    wind: str | tuple[float, float]
    gravity: float
    physics_mix: float
    skins: Names
    meshes: Names
    hide_meshes: Names
    tracks: Names
    bones: Names
    attach: Names
    size: Size | None
    scale: float
    padding: int | str
    fit: str | tuple[float, float, float, float]
    fit_whole: bool
    background: str
    background_fit: str | tuple[float, float, float, float]
    background_opacity: float
    alpha: Literal["straight", "premultiplied"]
    additive: Literal["keep", "pure"]
    filter: str
    antialias: str
    show: Names

class One(Look, total=False):
    time: float | None
    frame: int | None

class Many(Look, total=False):
    frames: str | Iterable[int] | None

@final
class Poses:
    """The world transforms of bones over time."""

    animation: str | None
    bones: list[str]
    seconds: NDArray[np.float64]
    """(poses,)"""
    matrices: NDArray[np.float32]
    """(poses, bones, 6): the x axis, the y axis and the position; NaN if the bone is inactive."""

    def __len__(self) -> int: ...

@final
class Character:
    """A character. It is immutable, and threads may share it."""

    @property
    def path(self) -> PurePath: ...
    @property
    def animations(self) -> list[str]: ...
    @property
    def skins(self) -> list[str]: ...
    @property
    def bones(self) -> list[str]: ...
    def info(self) -> dict[str, Any]: ...
    def findings(self) -> list[Finding]: ...
    def render(self, animation: str | None = None, **keywords: Unpack[One]) -> NDArray[np.uint8]: ...
    def render_many(
        self,
        animation: str | None = None,
        *,
        times: Sequence[float] | None = None,
        jobs: int = 0,
        **keywords: Unpack[Many],
    ) -> NDArray[np.uint8]: ...
    def poses(
        self,
        animation: str | None = None,
        fps: float | None = None,
        *,
        skins: Names | None = None,
        physics: bool | None = None,
    ) -> Poses: ...
    def convert(
        self,
        output: Path,
        *,
        to: str | None = None,
        animations: Names | None = None,
        skins: Names | None = None,
        fps: int | None = None,
        allow_missing_images: bool = False,
        force: bool = False,
    ) -> dict[str, Any]: ...
    def diff(self, other: Character, *, epsilon: float = 0.001) -> dict[str, Any]: ...

def find(folder: Path) -> list[PurePath]: ...
def open(path: Path, *, skins: Names | None = None, **keywords: Unpack[Reading]) -> Character: ...
def validate(path: Path, **keywords: Unpack[Reading]) -> list[Finding]: ...
