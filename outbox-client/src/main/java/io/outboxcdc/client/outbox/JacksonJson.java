package io.outboxcdc.client.outbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON by Jackson, for applications that name no writer; dates as ISO text, and with the modules that are there. */
final class JacksonJson implements JsonWriter {

    private final JsonMapper mapper = JsonMapper.builder()
            .findAndAddModules()
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    static boolean isPresent() {
        return ClassPresence.of("com.fasterxml.jackson.databind.json.JsonMapper");
    }

    @Override
    public String write(Object object) throws JsonProcessingException {
        return mapper.writeValueAsString(object);
    }
}
