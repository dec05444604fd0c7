"""Where the server listens: on this machine alone, or in its local network with a certificate and a token."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipsight.config import PORT
from pipsight.page.access import Access, kept_token
from pipsight.page.certificate import Files, addresses, own_certificate
from pipsight.places import state_folder
from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    import uvicorn

    from pipsight.tables import Tables

LARGEST_MESSAGE = 1 << 23
LEAVING_S = 2


class CannotListen(PipsightError, OSError):
    """The server cannot be reached there; the text says what to do."""


@dataclass(frozen=True)
class Place:
    """Where a server is reached. address: what a browser of this machine opens; invitation: one of another device."""

    listening: socket.socket
    access: Access
    address: str
    invitation: str = ""
    files: Files | None = None


def listen(port: int = PORT, *, lan: bool = False) -> Place:
    """Take a port. Raises CannotListen where another program has it, or where there is no network."""
    taken = _bound("0.0.0.0" if lan else "127.0.0.1", port)
    port = taken.getsockname()[1]
    if not lan:
        return Place(taken, Access(), f"http://127.0.0.1:{port}/")
    others = addresses()
    if not others:
        taken.close()
        raise CannotListen("this machine is in no network: leave --lan out, or connect it first")
    names = ("127.0.0.1", "localhost", *others, socket.gethostname())
    access = Access(frozenset(name.lower() for name in (*names, "::1")), kept_token(state_folder() / "token"))
    files = own_certificate(state_folder() / "certificate", names)
    at = [f"https://{host}:{port}/?token={access.token}" for host in ("127.0.0.1", others[0])]
    return Place(taken, access, at[0], at[1], files)


def _bound(host: str, port: int) -> socket.socket:
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen()  # who comes before the server is ready waits
    except (OSError, OverflowError) as error:
        taken.close()
        used = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "is used by another program" if used else "cannot be used"
        raise CannotListen(f"port {port} {why}: choose another by --port, 0 for any") from None
    return taken


def serve(tables: Tables, place: Place) -> None:
    """Serve the page until ctrl-C."""
    serving(tables, place).run([place.listening])


def serving(tables: Tables, place: Place, access: Access | None = None) -> uvicorn.Server:
    """What serves the page there; it runs on `place.listening`. access: who may ask, if not whom the place lets in."""
    import uvicorn

    from pipsight.server import Connection, Server, application

    config = uvicorn.Config(
        application(tables, access or place.access, place.invitation),
        log_level="warning",
        ws=Connection,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=LEAVING_S,
        ssl_certfile=place.files and str(place.files.certificate),
        ssl_keyfile=place.files and str(place.files.key),
    )
    return Server(config, tables)
