package io.outboxcdc.cli.verify;

import io.outboxcdc.client.ledger.Finding;
import io.outboxcdc.client.ledger.Finding.Kind;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** For a person: the numbers, and the first few events of each kind. */
public final class Report implements FindingSink {

    /** As many as fit on a screen together. */
    private static final int SHOWN = 10;

    private final Map<Kind, List<String>> examples = new EnumMap<>(Kind.class);

    @Override
    public void restart() {
        examples.clear();
    }

    @Override
    public void take(Finding finding, Optional<Place> place) {
        List<String> lines = examples.computeIfAbsent(finding.kind(), kind -> new ArrayList<>());
        if (lines.size() < SHOWN) {
            lines.add(finding.id()
                    + place.map(at -> "  %s-%d offset %d".formatted(at.topic(), at.partition(), at.offset()))
                            .orElse("")
                    + (finding.times() > 1 ? "  %d times".formatted(finding.times()) : ""));
        }
    }

    /** Prints all of it. */
    public void print(PrintWriter out, VerifyResult result, boolean atLeastOnce) {
        line(out, "rows compared", result.tally().committed());
        line(out, "records read", result.records());
        for (Kind kind : Kind.values()) {
            line(out, words(kind), result.tally().count(kind));
            List<String> lines = examples.getOrDefault(kind, List.of());
            lines.forEach(example -> out.println("    " + example));
            if (lines.size() == SHOWN) {
                out.println("    (the first " + SHOWN + "; --json lists all)");
            }
        }
        line(out, "dead letters sent again", result.tally().sentAgain());
        out.printf(
                Locale.ROOT, "%-24s %12s%n", "order judged by", result.order().text());
        result.notes().forEach(note -> out.println("note: " + note));
        out.println(
                switch (result.verdict(atLeastOnce)) {
                    case CLEAN -> "Clean: every row compared is in Kafka as it should be.";
                    case NOT_CLEAN -> "Not clean.";
                    case UNDECIDED -> "Undecided: no fault was found, and of some rows nothing can be said.";
                });
        out.flush();
    }

    private static String words(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void line(PrintWriter out, String what, long count) {
        out.printf(Locale.ROOT, "%-24s %,12d%n", what, count);
    }
}
