package io.holdfast.saga.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of the documentation leads to a file, every page can be reached, and tests it names are there. */
class DocumentationLinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Contract))`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");

    @Test
    void every_link_leads_to_a_file() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            links(page).filter(link -> !Files.exists(link)).forEach(link -> dead.add(page + " -> " + link));
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void every_page_is_linked_from_another() throws IOException {
        List<Path> pages = pages();
        List<Path> linked = pages.stream()
                .flatMap(page -> links(page).filter(link -> !link.equals(page)))
                .toList();
        assertThat(pages).filteredOn(page -> !linked.contains(page)).containsExactly(ROOT.resolve("README.md"));
    }

    @Test
    void every_test_that_is_named_is_there() throws IOException {
        try (Stream<Path> modules = Files.walk(ROOT)) {
            List<String> tests = modules.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java") || name.endsWith("Contract.java"))
                    .toList();
            assertThat(TEST.matcher(Files.readString(ROOT.resolve("docs/reliability.md")))
                            .results())
                    .extracting(name -> name.group(1) + ".java")
                    .isNotEmpty()
                    .isSubsetOf(tests);
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static Stream<Path> links(Path page) {
        try {
            return LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !link.contains("://"))
                    .map(link -> page.resolveSibling(link).normalize());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
