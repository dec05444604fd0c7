"""How the server describes what it takes and answers, wherever that is the same for many addresses."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path as InPath
from pydantic import BaseModel

FinishName = Annotated[
    str, InPath(pattern=r"^finish-[0-9a-f-]{1,20}$", description="A photo finish: finish-3f09c2-1, ...")
]
TableName = Annotated[str, InPath(pattern=r"^[0-9]{1,3}$", description="The table: 1, 2, ...")]


class Told(BaseModel):
    """An answer in one sentence."""

    detail: str


REFUSED: dict[int | str, dict[str, Any]] = {
    403: {"model": Told, "description": "Not paired, or asked from elsewhere"},
    404: {"model": Told, "description": "There is no such table or picture"},
    409: {"model": Told, "description": "It cannot be done, and why"},
}
