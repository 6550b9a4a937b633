"""Reads many event streams with one epoll loop, and says when the last of them had a message.

Commands come line by line on standard input, answers go to standard output, one line of JSON each:

  open FILE        opens a stream for each raw request of the file (each ended by a zero byte), 64 at a time, to the address given as
                   the only argument; answers when every stream has sent the end of its head
  await TEXT       answers when every stream has sent TEXT since the command before, with the time of the last (CLOCK_MONOTONIC, ns)
                   and the bytes that came; says {"ready": true} first, so that nothing is sent too early
  drain SECONDS    reads for so long, and answers with the bytes that came
"""

import json
import select
import socket
import sys
import time

AT_ONCE = 64
PATIENCE = 60
LONGEST = 1 << 16


class Readers:
    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self.address = (host, int(port))
        self.epoll = select.epoll()
        self.sockets = {}

    def open(self, file):
        with open(file, "rb") as requests:
            waiting = [request for request in requests.read().split(b"\0") if request][::-1]
        opening = {}
        count = len(waiting)
        end = time.monotonic() + PATIENCE + count / 100
        while waiting or opening:
            while waiting and len(opening) < AT_ONCE:
                stream = socket.create_connection(self.address)
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                stream.sendall(waiting.pop())
                self.sockets[stream.fileno()] = stream
                opening[stream.fileno()] = b""
                self.epoll.register(stream, select.EPOLLIN)
            for number, _ in self.epoll.poll(1):
                part = self.read(number)
                if number in opening:
                    opening[number] += part
                    head, ended, _ = opening[number].partition(b"\r\n\r\n")
                    if ended:
                        if b" 200 " not in head.split(b"\r\n")[0]:
                            raise RuntimeError(f"a stream was refused: {opening[number][:300]!r}")
                        del opening[number]
            if time.monotonic() > end:
                raise RuntimeError(f"{len(opening) + len(waiting)} of {count} streams did not open")
        answer(open=len(self.sockets))

    def wait(self, text):
        wanted = text.encode()
        missing = set(self.sockets)
        tails, size, end = {}, 0, time.monotonic() + PATIENCE
        answer(ready=True)
        while missing:
            for number, _ in self.epoll.poll(1):
                part = self.read(number)
                size += len(part)
                if number not in missing:
                    continue
                if wanted in part or (number in tails and wanted in tails[number] + part):
                    missing.discard(number)
                else:
                    # A message may come in pieces: what could be the beginning of the text is kept.
                    tails[number] = (tails.get(number, b"") + part)[-len(wanted) :]
            if time.monotonic() > end:
                raise RuntimeError(f"{len(missing)} of {len(self.sockets)} streams did not get {text!r}")
        answer(last=str(time.monotonic_ns()), bytes=size)

    def drain(self, seconds):
        size = 0
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            size += sum(len(self.read(number)) for number, _ in self.epoll.poll(left))
        answer(bytes=size)

    def read(self, number):
        part = self.sockets[number].recv(LONGEST)
        if not part:
            raise RuntimeError("the server has closed a stream")
        return part


def answer(**values):
    print(json.dumps(values), flush=True)


readers = Readers(sys.argv[1])
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    try:
        {"open": readers.open, "await": readers.wait, "drain": lambda text: readers.drain(float(text))}[command](rest)
    except (OSError, RuntimeError) as error:
        answer(error=str(error))
