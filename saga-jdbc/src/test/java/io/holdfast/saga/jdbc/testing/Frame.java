package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** One message of PostgreSQL's wire protocol; those before the login have no type and here have type 0. */
final class Frame {

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    private final char type;
    private final byte[] body;

    private Frame(char type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    static Frame read(DataInputStream in) throws IOException {
        char type = (char) in.readUnsignedByte();
        return new Frame(type, body(in));
    }

    static Frame readUntyped(DataInputStream in) throws IOException {
        return new Frame((char) 0, body(in));
    }

    private static byte[] body(DataInputStream in) throws IOException {
        var body = new byte[in.readInt() - Integer.BYTES];
        in.readFully(body);
        return body;
    }

    char type() {
        return type;
    }

    void write(OutputStream out) throws IOException {
        var bytes = ByteBuffer.allocate(1 + Integer.BYTES + body.length);
        if (type != 0) {
            bytes.put((byte) type);
        }
        bytes.putInt(body.length + Integer.BYTES).put(body);
        out.write(bytes.array(), 0, bytes.position());
        out.flush();
    }

    /** Asks whether the connection may be encrypted; answered with one byte, not with a message. */
    boolean asksForEncryption() {
        return type == 0 && (code() == SSL_REQUEST || code() == GSS_REQUEST);
    }

    /** From a client: Query or Sync, each of which the server answers with ReadyForQuery. */
    boolean endsQuery() {
        return type == 'Q' || type == 'S';
    }

    /** From a server: ReadyForQuery. */
    boolean saysReady() {
        return type == 'Z';
    }

    private int code() {
        return ByteBuffer.wrap(body).getInt();
    }

    /** The {@code index}-th of the zero-terminated strings that the body begins with. */
    String text(int index) throws EOFException {
        int start = 0;
        for (int seen = 0, at = 0; at < body.length; at++) {
            if (body[at] == 0) {
                if (seen++ == index) {
                    return new String(body, start, at - start, UTF_8);
                }
                start = at + 1;
            }
        }
        throw new EOFException("message " + type + " has no string " + index);
    }
}
