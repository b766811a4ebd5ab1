package io.outboxcdc.monitor.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/** Sends alerts to Alertmanager's API v2, which ends alerts that it does not hear of: so they are sent again and again. */
public final class AlertmanagerReceiver implements Receiver {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpPost post;
    private final String runbook;

    /** Sends to the Alertmanager at this base URL. */
    public AlertmanagerReceiver(URI url, String runbook) {
        this.post = new HttpPost(URI.create(url.toString().replaceAll("/+$", "") + "/api/v2/alerts"));
        this.runbook = runbook;
    }

    @Override
    public String name() {
        return "alertmanager";
    }

    @Override
    public boolean wantsRepeats() {
        return true;
    }

    @Override
    public void send(String group, List<Alert> alerts) throws IOException {
        ArrayNode list = JSON.createArrayNode();
        for (Alert alert : alerts) {
            ObjectNode one = list.addObject();
            ObjectNode labels = one.putObject("labels");
            labels.put("alertname", alert.rule().alertName());
            labels.put("severity", alert.rule().severity().label());
            alert.labels().forEach(labels::put);
            ObjectNode annotations = one.putObject("annotations");
            annotations.put("summary", alert.rule().summary());
            annotations.put("description", alert.detail());
            annotations.put("runbook_url", runbook + "#" + alert.rule().anchor());
            one.put("startsAt", alert.since().toString());
            alert.resolved().ifPresent(end -> one.put("endsAt", end.toString()));
        }
        post.json(list.toString());
    }
}
