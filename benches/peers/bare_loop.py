"""The least that a fan-out can be: one loop that writes the same bytes to every open socket. The limit of nchan and of the service.

Says 0 when it listens. Accepts streams on 127.0.0.1:$PEER_PORT and answers each with the head of an event stream. Every line on standard input is sent to all
as a message of $PEER_SIZE bytes that contains the line; then a line on standard output says how long that took (ns of processor time).
"""

import os
import select
import socket
import sys
import time

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
SIZE = int(os.environ["PEER_SIZE"])

listener = socket.create_server(("127.0.0.1", int(os.environ["PEER_PORT"])), backlog=4096)
epoll = select.epoll()
epoll.register(listener, select.EPOLLIN)
epoll.register(sys.stdin, select.EPOLLIN)
new, streams = {}, {}
print(0, flush=True)
running = True

while running:
    for number, _ in epoll.poll():
        if number == listener.fileno():
            stream, _ = listener.accept()
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            new[stream.fileno()] = stream
            epoll.register(stream, select.EPOLLIN)
        elif number == sys.stdin.fileno():
            text = sys.stdin.buffer.readline().strip()
            if not text:
                running = False
                break
            message = b"data: " + text + b" "
            message += b"x" * (SIZE - len(message) - 2) + b"\n\n"
            writes = [stream.send for stream in streams.values()]
            before = time.thread_time_ns()
            for write in writes:
                write(message)
            print(time.thread_time_ns() - before, flush=True)
        elif number in new:
            # The request fits into one read.
            stream = new.pop(number)
            if stream.recv(65536):
                streams[number] = stream
                stream.sendall(HEAD)
            else:
                epoll.unregister(number)
                stream.close()
        else:
            epoll.unregister(number)
            streams.pop(number).close()
