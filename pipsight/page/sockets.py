"""The WebSockets of a table: a page follows it and asks on one, calibrates on one, its camera sends pictures on one."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

from pipsight.asking import BadAsk, asked
from pipsight.events import Refused, as_json
from pipsight.page.mailbox import Behind, Mailbox
from pipsight.sources import PAGE
from pipsight.trouble import PipsightError, in_words, sentence
from pipsight.wizards.offered import work_of
from pipsight.wizards.wizard import Desk, Wizard
from pipsight.wizards.wizard_asks import replied, wished
from vision.errors import VisionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket

    from pipsight.live_table import LiveTable
    from pipsight.wizards.wizard_asks import Wish

LONGEST_ASK = 1 << 14
LARGEST_PICTURE = 1 << 23
CLOSED_BEHIND, CLOSED_JUNK = 4408, 4400
MOST_JUNK = 20


async def follow(socket: WebSocket, table: LiveTable) -> None:
    """Serve one page until it leaves."""
    mailbox = Mailbox()
    sending = asyncio.create_task(_send(socket, table.picture, mailbox))
    try:
        await asyncio.to_thread(table.join, mailbox)  # waits while the table looks at a picture
        await _hear(socket, table, mailbox)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        sending.cancel()
        await asyncio.to_thread(table.leave, mailbox)
        await asyncio.gather(sending, return_exceptions=True)


async def _send(socket: WebSocket, newest: Callable[[], tuple[int, bytes]], mailbox: Mailbox) -> None:
    """Send what the mailbox holds, as fast as the browser takes it."""
    try:
        async for text in mailbox.news():
            if text is not None:
                await socket.send_text(text)
                continue
            number, picture = await asyncio.to_thread(newest)
            mailbox.sent_picture(number)
            await socket.send_bytes(picture)
    except Behind:
        await socket.close(CLOSED_BEHIND, "this page has taken nothing for a long time: load it again")


async def _hear(socket: WebSocket, table: LiveTable, mailbox: Mailbox) -> None:
    """Do what the page asks for, one thing after the other; too much junk ends it."""
    junk = 0
    while True:
        try:
            message = _message(await socket.receive())
            if message == {"ask": "picture"}:
                mailbox.want_picture()
                continue
            refused = await asyncio.to_thread(table.do, asked(message))
        except BadAsk as bad:
            junk += 1
            refused = [Refused(sentence(str(bad)))]
        for event in refused:
            mailbox.told(as_json(event, table.session.time_s))
        if junk >= MOST_JUNK:
            await socket.close(CLOSED_JUNK, "too much that cannot be understood: see docs/protocol.md")
            return


def _message(received: Any) -> Any:
    """What a page says. Raises BadAsk for what is no JSON, WebSocketDisconnect where it has left."""
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1005))
    text = received.get("text")
    if text is None:
        raise BadAsk("pictures go to the table's camera, not here")
    if len(text) > LONGEST_ASK:
        raise BadAsk(f"a message has at most {LONGEST_ASK} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadAsk("a message is one JSON object") from None


async def calibrate(socket: WebSocket, table: LiveTable) -> None:
    """Serve one page at which somebody calibrates; who leaves stops the wizard."""
    mailbox = Mailbox()
    desk = Desk(mailbox)
    sending = asyncio.create_task(_send(socket, desk.picture, mailbox))
    try:
        await _attend(socket, table, desk, mailbox)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        desk.close()
        await asyncio.to_thread(table.take_back, desk)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _attend(socket: WebSocket, table: LiveTable, desk: Desk, mailbox: Mailbox) -> None:
    """Begin one wizard and hand in what the person says; too much junk ends it."""
    begun, junk = False, 0
    while junk < MOST_JUNK:
        try:
            match _message(await socket.receive()):
                case {"ask": "picture"}:
                    mailbox.want_picture()
                case {"ask": "stop"}:
                    desk.close()
                    await asyncio.to_thread(table.take_back, desk)
                case message if begun:
                    desk.reply(replied(message))
                case message:
                    await asyncio.to_thread(_begin, table, desk, wished(message))
                    begun = True
        except (BadAsk, PipsightError, VisionError) as bad:
            junk += 1
            mailbox.told(as_json(Refused(sentence(str(bad))), 0))
    await socket.close(CLOSED_JUNK, "too much that cannot be understood: see docs/protocol.md")


def _begin(table: LiveTable, desk: Desk, wish: Wish) -> None:
    """Let a wizard work at the table's camera. Raises Lent or CameraError."""
    table.lend(desk)
    hold = table.hold if table.live else None
    Wizard(desk, work_of(wish, table.source, hold), lambda: table.take_back(desk)).start()


async def take_pictures(socket: WebSocket, table: LiveTable) -> None:
    """Take the pictures of a page's camera; after each one the page hears {"took": number}, or why it was refused.

    A page says which camera it sends, so that two of them never show one table in turns.
    """
    number, source = 0, socket.query_params.get("source", PAGE)
    try:
        while True:
            number += 1
            answer = await asyncio.to_thread(_taken, table, source, await socket.receive_bytes(), number)
            await socket.send_json(answer)
    except KeyError:
        await socket.close(CLOSED_JUNK, "only pictures are taken here, as binary messages")
    except (WebSocketDisconnect, RuntimeError):
        pass


def _taken(table: LiveTable, source: str, data: bytes, number: int) -> dict[str, Any]:
    camera = table.pushed
    if camera is None or (PAGE not in (source, table.source) and source != table.source):
        return as_json(Refused("This table is seen by another camera: choose this page's camera first."), 0)
    if len(data) > LARGEST_PICTURE:
        return as_json(Refused("A picture has at most 8 million bytes: make it smaller."), 0)
    try:
        camera.push(data)
    except Exception as error:
        words = in_words(error)
        if words is None:
            raise
        return as_json(Refused(sentence(words)), 0)
    return {"took": number}
