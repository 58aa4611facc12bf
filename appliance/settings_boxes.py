"""Settings of the other boxes of one house; settings.py tells of the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from appliance.settings_thought import Table

BoxName = Annotated[str, StringConstraints(pattern=r"^[^\W_][\w '-]*$", max_length=40, to_lower=True)]
Where = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.-]+(:\d{1,5})?$", max_length=260)]
MOST = 16


class Boxes(Table):
    """Without `name` and `others` the box knows no other one."""

    name: str = Field("", pattern=r"^$|^[^\W_][\w '-]*$", max_length=40)
    """What this box is called in the others' settings, such as kitchen; empty: it has nothing to do with others."""
    others: dict[BoxName, Where] = Field({})
    """The other boxes of the house: what you call one = its name or address (IPv4) in the network, such as
    hall = "192.168.1.21"; with another `port` than this box's, "192.168.1.21:9000"."""
    key_file: Path | None = None
    """Holds the house key, the same on all of its boxes; readable by the bridge's user only.
    `appliance bridge key` makes one."""
    port: int = Field(8_775, ge=1, le=65_535)
    """Where the bridge listens for the others, by UDP and TCP."""
    address: str = Field("0.0.0.0", pattern=r"^[0-9.]{7,15}$")
    """Likewise, as an IPv4 address of this machine; 0.0.0.0 is all of them."""
    one_answers: bool = True
    """Whether of several boxes that heard the wake word only the one answers that heard it best."""

    @model_validator(mode="after")
    def _whole(self) -> Boxes:
        if self.others and not (self.name and self.key_file):
            raise ValueError("with others, a name of its own and a key_file as well")
        if self.own in self.others:
            raise ValueError(f"{self.own} is this box, and none of the others")
        if len(self.others) > MOST:
            raise ValueError(f"at most {MOST} others")
        return self

    @property
    def own(self) -> str:
        return re.sub(r"\s+", " ", self.name).lower()
