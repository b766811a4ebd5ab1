package io.outboxcdc.monitor.serve;

import io.outboxcdc.monitor.metric.Measurement;
import io.outboxcdc.monitor.metric.Metric;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Measurements in the formats of Prometheus. */
final class Exposition {

    private static final ExpositionFormats FORMATS = ExpositionFormats.init();

    private Exposition() {}

    /** A body and its type. */
    record Body(String contentType, String text) {}

    static Body of(List<Measurement> measurements, @Nullable String accept) throws IOException {
        Map<Metric, List<Measurement>> byMetric = measurements.stream()
                .collect(Collectors.groupingBy(
                        Measurement::metric, () -> new EnumMap<>(Metric.class), Collectors.toList()));
        List<MetricSnapshot> snapshots = byMetric.entrySet().stream()
                .map(entry -> snapshot(entry.getKey(), entry.getValue()))
                .toList();
        ExpositionFormatWriter writer = FORMATS.findWriter(accept);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.write(bytes, new MetricSnapshots(snapshots));
        return new Body(writer.getContentType(), bytes.toString(StandardCharsets.UTF_8));
    }

    private static MetricSnapshot snapshot(Metric metric, List<Measurement> measurements) {
        if (metric.kind() == Metric.Kind.COUNTER) {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(metric.baseName()).help(metric.help());
            measurements.forEach(found -> counter.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(labels(found))
                    .value(found.value())
                    .build()));
            return counter.build();
        }
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(metric.baseName()).help(metric.help());
        measurements.forEach(found -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(labels(found))
                .value(found.value())
                .build()));
        return gauge.build();
    }

    private static Labels labels(Measurement measurement) {
        return Labels.of(measurement.metric().of().labels(), measurement.labels());
    }
}
