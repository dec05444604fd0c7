"""Who may see the page: whoever knows the token, from a page of our own, by a name that is this machine's."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import Scope

COOKIE = "pipsight"
UNPAIRED = "This page is paired by a token: scan the QR code that pipsight shows, or open the address below it."
STRANGE = "This address is not one of pipsight's own."
FOREIGN = "Another site's page may not speak to pipsight."


@dataclass(frozen=True)
class Access:
    """What lets a browser in. hosts: this server's own names and addresses; token: "" where none is asked for."""

    hosts: frozenset[str] = frozenset({"127.0.0.1", "localhost", "::1"})
    token: str = ""

    def refusal(self, scope: Scope) -> str:
        """Why a request is not let in, in a sentence; "" where it is.

        A foreign name in Host is how another site's page would reach a server of this machine through its own name.
        """
        headers = dict(scope.get("headers", ()))
        host = _text(headers.get(b"host"))
        if _name(f"//{host}") not in self.hosts:
            return STRANGE
        origin = _text(headers.get(b"origin"))
        if (origin and not self._is_own(origin, host)) or _is_embedded_elsewhere(headers):
            return FOREIGN
        return "" if self.knows(scope) else UNPAIRED

    def _is_own(self, origin: str, host: str) -> bool:
        """Whether a page of this very server asks."""
        return _name(origin) in self.hosts and urlsplit(origin).netloc == host

    def knows(self, scope: Scope) -> bool:
        """Whether a request brings the token, in its address or in its cookie."""
        return not self.token or any(
            secrets.compare_digest(word.encode(), self.token.encode()) for word in _tokens(scope) if word
        )


def _is_embedded_elsewhere(headers: dict[bytes, bytes]) -> bool:
    """Whether another site's page wants something to show as its own: a picture, say, for which no Origin is sent.

    Browsers tell where what they fetch is wanted; to follow a link from anywhere is nothing bad.
    """
    elsewhere = headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site")  # another port is the same site
    return elsewhere and headers.get(b"sec-fetch-mode") != b"navigate"


def _tokens(scope: Scope) -> tuple[str, str]:
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
    kept = SimpleCookie()
    for name, value in scope.get("headers", ()):
        if name == b"cookie":
            try:
                kept.load(value.decode("latin-1"))
            except CookieError:
                continue
    return asked, kept[COOKIE].value if COOKIE in kept else ""


def _text(value: bytes | None) -> str:
    return (value or b"").decode("latin-1")


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def kept_token(path: Path) -> str:
    """The token that pairs pages with this machine, made once and kept, so that a phone stays paired."""
    try:
        known = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        known = ""
    if len(known) >= 16:
        return known
    token = secrets.token_urlsafe(12)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(token, encoding="ascii")
    return token
