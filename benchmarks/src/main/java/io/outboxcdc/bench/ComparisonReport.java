package io.outboxcdc.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.debezium.transforms.outbox.EventRouter;
import io.outboxcdc.router.OutboxRouter;
import org.apache.kafka.connect.source.SourceRecord;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A comparison as a person and as a program reads it. */
public final class ComparisonReport {

    private final Effort effort;
    private final List<CaseResult> results;

    public ComparisonReport(Effort effort, List<CaseResult> results) {
        this.effort = effort;
        this.results = List.copyOf(results);
    }

    /** A table of nanoseconds and bytes per record. */
    public String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-18s %10s %10s %7s   %10s %10s %7s%n",
                "per record",
                "ours, ns",
                "stock, ns",
                "ratio",
                "ours, B",
                "stock, B",
                "ratio"));
        for (CaseResult result : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s %10.0f %10.0f %7.2f   %10.0f %10.0f %7.2f%n",
                    result.work().label,
                    result.ours().nanos(),
                    result.stock().nanos(),
                    result.timeRatio(),
                    result.ours().bytes(),
                    result.stock().bytes(),
                    result.allocationRatio()));
        }
        return text.toString();
    }

    /**
     * Writes one JSON object, with the numbers of each case in its array {@code cases}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode report = mapper.createObjectNode();
        report.put("effort", effort.name().toLowerCase(Locale.ROOT));
        report.put("java", System.getProperty("java.vm.version"));
        report.put("jvm_options", String.join(" ", RouterComparison.JVM_OPTIONS));
        report.put("processors", Runtime.getRuntime().availableProcessors());
        report.put("ours_version", new OutboxRouter<SourceRecord>().version());
        report.put("stock_version", new EventRouter<SourceRecord>().version());
        ArrayNode cases = report.putArray("cases");
        for (CaseResult result : results) {
            cases.addObject()
                    .put("case", result.work().label)
                    .put("description", result.work().description)
                    .put("ours_ns_per_record", rounded(result.ours().nanos(), 1))
                    .put("stock_ns_per_record", rounded(result.stock().nanos(), 1))
                    .put("time_ratio", rounded(result.timeRatio(), 3))
                    .put("ours_bytes_per_record", rounded(result.ours().bytes(), 1))
                    .put("stock_bytes_per_record", rounded(result.stock().bytes(), 1))
                    .put("allocation_ratio", rounded(result.allocationRatio(), 3));
        }
        mapper.writeValue(file.toFile(), report);
    }

    private static double rounded(double value, int digits) {
        double scale = Math.pow(10, digits);
        return Math.round(value * scale) / scale;
    }
}
