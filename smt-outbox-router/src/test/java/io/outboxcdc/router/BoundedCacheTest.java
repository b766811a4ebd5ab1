package io.outboxcdc.router;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

class BoundedCacheTest {

    @Test
    void aValueIsWorkedOutOnceAndTheCacheNeverOutgrowsItsLimit() {
        BoundedCache<Integer, String> cache = new BoundedCache<>(10);
        AtomicInteger computed = new AtomicInteger();

        for (int i = 0; i < 1_000; i++) {
            int key = i % 10;
            cache.get(key, number -> "v" + number + computed.incrementAndGet());
        }
        assertThat(computed).hasValue(10);

        for (int i = 0; i < 1_000; i++) {
            assertThat(cache.get(i, number -> "w" + number)).endsWith(String.valueOf(i < 10 ? i + 1 : i));
            assertThat(cache.size()).isLessThanOrEqualTo(10);
        }
    }
}
