package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;

import java.util.ArrayList;
import java.util.List;

/** Collects findings, so that all come at once. */
final class Findings {
    private final List<Finding> list = new ArrayList<>();

    void add(Code code, String object, String found, String remedy) {
        list.add(new Finding(code, object, found, remedy));
    }

    List<Finding> list() {
        return List.copyOf(list);
    }
}
