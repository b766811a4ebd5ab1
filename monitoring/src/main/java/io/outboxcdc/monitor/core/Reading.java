package io.outboxcdc.monitor.core;

import java.util.Optional;
import java.util.function.Function;

/** What a source answered, or why it did not. Not knowing is an outcome of its own, never a zero. */
public sealed interface Reading<T> {

    /** The answer. */
    record Known<T>(T answer) implements Reading<T> {}

    /**
     * No answer.
     *
     * @param why in words for a person; without payloads and secrets
     */
    record Unknown<T>(String why) implements Reading<T> {}

    /** The value of a source that answered. */
    static <T> Reading<T> known(T value) {
        return new Known<>(value);
    }

    /** A source that did not answer. */
    static <T> Reading<T> unknown(String reason) {
        return new Unknown<>(reason);
    }

    /** The answer, when there is one. */
    default Optional<T> value() {
        return this instanceof Known<T> known ? Optional.of(known.answer()) : Optional.empty();
    }

    /** Why there is no answer. */
    default Optional<String> reason() {
        return this instanceof Unknown<T> unknown ? Optional.of(unknown.why()) : Optional.empty();
    }

    /** What is in the answer; the reason stays when there is none. */
    default <R> Reading<R> map(Function<? super T, ? extends R> inner) {
        if (this instanceof Known<T> known) {
            return new Known<>(inner.apply(known.answer()));
        }
        return new Unknown<>(((Unknown<T>) this).why());
    }
}
