"""A name server on 127.0.0.1 that knows one host: database.test has the address 127.0.0.1, and nothing else exists."""

import socket

QUESTION_END = 4  # bytes of type and class behind the name
TYPE_A = b"\x00\x01"

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
while True:
    query, client = server.recvfrom(512)
    end = query.index(b"\0", 12) + 1
    question = query[12 : end + QUESTION_END]
    name, kind = query[12:end].lower(), query[end : end + 2]
    known = name == b"\x08database\x04test\0"
    answers = 1 if known and kind == TYPE_A else 0
    # Flags: an answer, recursion offered; no such name (3) for all others.
    head = query[:2] + (b"\x81\x80" if known else b"\x81\x83") + b"\0\1" + bytes([0, answers]) + b"\0\0\0\0"
    address = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1" if answers else b""
    server.sendto(head + question + address, client)
