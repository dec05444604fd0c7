"""What a wizard draws, shown on a page of this machine while it works: a picture that any browser keeps renewing."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from pipsight.page.access import Access

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

BOUNDARY = "frame"
WAIT_S = 1.0
PAGE = (
    b"<!doctype html><meta charset=utf-8><title>pipsight</title>"
    b"<body style='margin:0;background:#222'><img src=frames style='width:100%;height:100vh;object-fit:contain'>"
)


class Preview:
    """A page at `address` that shows the newest picture; only this machine can see it."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._picture, self._number, self._over = b"", 0, False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, name="preview", daemon=True)

    def show(self, jpeg: bytes) -> None:
        """Show another picture."""
        with self._news:
            self._picture, self._number = jpeg, self._number + 1
            self._news.notify_all()

    def after(self, number: int) -> tuple[int, bytes]:
        """Wait a moment for a picture newer than this one; its number and the picture, the old number where none came.

        A negative number says that there will be none any more.
        """
        with self._news:
            self._news.wait_for(lambda: self._over or self._number > number, WAIT_S)
            return (-1 if self._over else self._number), self._picture

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._news:
            self._over = True
            self._news.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(preview: Preview) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            named = [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in self.headers.items()]
            if refusal := Access().refusal({"headers": named}):
                self.send_error(403, refusal)
                return
            if self.path not in ("/", "/frames"):
                self.send_error(404)
                return
            self.send_response(200)
            kind = "text/html" if self.path == "/" else f"multipart/x-mixed-replace; boundary={BOUNDARY}"
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            if self.path == "/":
                self.wfile.write(PAGE)
            else:
                self._stream()

        def _stream(self) -> None:
            number = 0
            while number >= 0:
                newest, picture = preview.after(number)
                if newest > number:
                    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + picture + b"\r\n")
                    except OSError:
                        return
                number = newest

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler
