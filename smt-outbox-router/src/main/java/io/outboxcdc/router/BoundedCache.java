package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Remembers what was worked out for a key. Starts afresh when it is full: what it holds is few and cheap to work out
 * again, and forgetting all needs no book-keeping on the way of each record. Thread-safe; threads that meet at a new key
 * may each work it out.
 */
final class BoundedCache<K, V> {

    private final int limit;
    private final Map<K, V> entries = new ConcurrentHashMap<>();

    BoundedCache(int limit) {
        this.limit = limit;
    }

    V get(K key, Function<? super K, ? extends V> compute) {
        V known = find(key);
        if (known != null) {
            return known;
        }
        V computed = compute.apply(key);
        put(key, computed);
        return computed;
    }

    @Nullable
    V find(K key) {
        return entries.get(key);
    }

    void put(K key, V value) {
        if (entries.size() >= limit) {
            entries.clear();
        }
        entries.put(key, value);
    }

    int size() {
        return entries.size();
    }
}
