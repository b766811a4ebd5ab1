package io.outboxcdc.router;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever the type, a number gives all its digits back. */
class NumberPropertyTest {

    @Property(tries = 5_000)
    void aDecimalKeepsItsDigits(@ForAll BigInteger digits, @ForAll @IntRange(min = -30, max = 30) int scale)
            throws NotExpressibleException {
        keepsItsDigits(new BigDecimal(digits, scale).toPlainString());
        keepsItsDigits(new BigDecimal(digits, scale).toString());
    }

    @Property(tries = 5_000)
    void aShortDecimalKeepsItsDigits(@ForAll @Scale(9) BigDecimal number) throws NotExpressibleException {
        keepsItsDigits(number.toPlainString());
    }

    private static void keepsItsDigits(String text) throws NotExpressibleException {
        Number read = (Number) Objects.requireNonNull(JsonReader.read(text));

        BigDecimal back = ShapeFinder.exact(read);
        assertThat(back).isEqualByComparingTo(text);
        // A lone .0 says that it is no whole number, which the type says as well.
        if (new BigDecimal(text).scale() > 1) {
            assertThat(back.scale()).isGreaterThanOrEqualTo(new BigDecimal(text).scale());
        }
    }
}
