package io.holdfast.saga.jdbc.testing;

import java.util.List;

/** A server that is there already, named by a JDBC URL; the user in it must be allowed to create databases. */
record GivenServer(Address maintenance) implements TestServer {

    static GivenServer at(String url) {
        return new GivenServer(Address.parse(url));
    }

    @Override
    public String kind() {
        return "given";
    }

    @Override
    public List<String> log() {
        throw new UnsupportedOperationException("the log of a server given by URL cannot be read from here");
    }
}
