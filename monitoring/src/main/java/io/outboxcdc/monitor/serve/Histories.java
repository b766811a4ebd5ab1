package io.outboxcdc.monitor.serve;

import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.core.TimeSeries.Point;
import io.outboxcdc.monitor.sample.Sampler.History;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The end of the kept lines, as much as a chart can show. What is older is in Prometheus. */
public final class Histories {

    private static final int MOST_POINTS = 600;

    private Histories() {}

    /** Held and unconfirmed bytes over the same times. */
    public record Line(List<Point> retained, List<Point> unconfirmed) {}

    /** Lines for the page. */
    public static Map<String, Line> of(Map<String, History> histories) {
        Map<String, Line> lines = new LinkedHashMap<>();
        histories.forEach(
                (key, history) -> lines.put(key, new Line(last(history.retained()), last(history.unconfirmed()))));
        return lines;
    }

    private static List<Point> last(TimeSeries series) {
        List<Point> points = series.points();
        return List.copyOf(points.subList(Math.max(0, points.size() - MOST_POINTS), points.size()));
    }
}
