package io.outboxcdc.upstream;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;

/**
 * Loads Debezium's published test classes so that they name other classes than they were written for. Debezium's own
 * classes and ours it loads as they are, but itself too: tests reach into their package.
 */
final class SwappingClassLoader extends ClassLoader {

    private static final String TEST_JAR = "-tests.jar!";

    private final SimpleRemapper swaps;

    /** @param swaps class for class, by their internal names */
    SwappingClassLoader(Map<String, String> swaps) {
        super(SwappingClassLoader.class.getClassLoader());
        this.swaps = new SimpleRemapper(Opcodes.ASM9, swaps);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && (name.startsWith("io.debezium.") || name.startsWith("io.outboxcdc.router."))) {
                loaded = defined(name);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    private @Nullable Class<?> defined(String name) {
        URL file = getResource(name.replace('.', '/') + ".class");
        if (file == null) {
            return null;
        }
        try (InputStream stream = file.openStream()) {
            byte[] code = stream.readAllBytes();
            byte[] swapped = file.toString().contains(TEST_JAR) ? swapped(code) : code;
            return defineClass(name, swapped, 0, swapped.length);
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + file + " failed", e);
        }
    }

    private byte[] swapped(byte[] code) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(code).accept(new ClassRemapper(writer, swaps), 0);
        return writer.toByteArray();
    }
}
