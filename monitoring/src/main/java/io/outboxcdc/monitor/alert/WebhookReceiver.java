package io.outboxcdc.monitor.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Posts one JSON document for each group: {@code {"text", "group", "alerts": [{"status", "name", "severity", "labels",
 * "summary", "detail", "since", "runbook_url"}]}}. Chat services show {@code text}.
 */
public final class WebhookReceiver implements Receiver {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpPost post;
    private final String runbook;

    /** Posts to this URL. */
    public WebhookReceiver(URI url, String runbook) {
        this.post = new HttpPost(url);
        this.runbook = runbook;
    }

    @Override
    public String name() {
        return "webhook";
    }

    @Override
    public void send(String group, List<Alert> alerts) throws IOException {
        ObjectNode message = JSON.createObjectNode();
        message.put("text", alerts.stream().map(Alert::line).collect(Collectors.joining("\n")));
        message.put("group", group);
        ArrayNode list = message.putArray("alerts");
        for (Alert alert : alerts) {
            ObjectNode one = list.addObject();
            one.put("status", alert.resolved().isPresent() ? "resolved" : "firing");
            one.put("name", alert.rule().alertName());
            one.put("severity", alert.rule().severity().label());
            ObjectNode labels = one.putObject("labels");
            alert.labels().forEach(labels::put);
            one.put("summary", alert.rule().summary());
            one.put("detail", alert.detail());
            one.put("since", alert.since().toString());
            one.put("runbook_url", runbook + "#" + alert.rule().anchor());
        }
        post.json(message.toString());
    }
}
