# SPDX-License-Identifier: GPL-2.0-or-later
# Both ends of a TLS connection in one process, through memory, by libssl: a handshake without certificates, five bytes there, three back.
import ssl


def end(side, is_server):
    context = ssl.SSLContext(side)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AECDH-AES256-SHA@SECLEVEL=0")
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    return context.wrap_bio(incoming, outgoing, server_side=is_server), incoming, outgoing


client, to_client, from_client = end(ssl.PROTOCOL_TLS_CLIENT, False)
server, to_server, from_server = end(ssl.PROTOCOL_TLS_SERVER, True)
waiting = [client, server]
while waiting:
    for it in list(waiting):
        try:
            it.do_handshake()
            waiting.remove(it)
        except ssl.SSLWantReadError:
            pass
        to_server.write(from_client.read())
        to_client.write(from_server.read())
client.write(b"hello")
to_server.write(from_client.read())
assert server.read(100) == b"hello"
server.write(b"bye")
to_client.write(from_server.read())
assert client.read(100) == b"bye"
