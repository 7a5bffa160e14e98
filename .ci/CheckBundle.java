import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Checks the bundle for Maven Central: every file is there with its checksums, the pom has what Central demands, the
 * jars have content, and the list of dependencies (SBOM) agrees with the pom and with the page of licences.
 *
 * <p>Usage: {@code java .ci/CheckBundle.java bundle.zip licences.md}. Prints every fault and ends with 1 if there is
 * one.
 */
class CheckBundle {

    private static final String PLACE = "io/distributedid/distributedid/";

    private static final Set<String> FILES = Set.of(
            ".pom",
            ".jar",
            "-sources.jar",
            "-javadoc.jar",
            "-tests.jar",
            "-cli.jar",
            "-server.jar",
            "-cyclonedx.json");

    private static final Map<String, String> CHECKSUMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");

    private static final Pattern COMPONENT = Pattern.compile("\"purl\"\\s*:\\s*\"pkg:maven/([^\"@]+)@([^\"?]+)");

    private static final Pattern LICENCE = Pattern.compile("\"(?:id|expression)\"\\s*:\\s*\"([^\"]+)\"");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`:]+):([^`]+)` \\| ([^|]+) \\|");

    private final List<String> faults = new ArrayList<>();

    private final XPath xpath = XPathFactory.newInstance().newXPath();

    private final Path files;

    private final String version;

    private CheckBundle(Path files, String version) {
        this.files = files;
        this.version = version;
    }

    public static void main(String[] arguments) throws Exception {
        Path bundle = Path.of(arguments[0]);
        Path folder = Files.createTempDirectory("bundle");
        CheckBundle check;
        try {
            unpack(bundle, folder);
            List<Path> versions = list(folder.resolve(PLACE));
            if (versions.size() != 1) {
                throw new IOException("versions=" + versions + ": a bundle has one version below " + PLACE);
            }
            check = new CheckBundle(
                    versions.get(0), versions.get(0).getFileName().toString());
            check.run(folder, Files.readString(Path.of(arguments[1])));
            if (check.faults.isEmpty()) {
                System.out.println(bundle.getFileName() + " has everything that Maven Central demands"
                        + (check.signed() ? "." : ", apart from signatures."));
            }
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
        if (!check.faults.isEmpty()) {
            check.faults.forEach(fault -> System.err.println(bundle.getFileName() + ": " + fault));
            System.exit(1);
        }
    }

    private void run(Path folder, String licences) throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            Set<String> others = all.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(files))
                    .map(file -> folder.relativize(file).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            expect(others.isEmpty(), "files=" + others + ": all files belong below " + PLACE + version);
        }
        checkNames();
        if (faults.isEmpty()) {
            Document pom = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file(".pom").toFile());
            checkChecksums();
            checkPom(pom);
            checkLibrary();
            checkSources();
            checkProgram("-cli.jar");
            checkProgram("-server.jar");
            expect(
                    names("-tests.jar").contains("io/distributedid/testkit/BackendContract.class"),
                    "-tests.jar: the contract of backends is missing");
            checkComponents(pom, licences);
        }
    }

    private void checkNames() throws IOException {
        Set<String> expected = new TreeSet<>();
        for (String each : FILES) {
            String name = file(each).getFileName().toString();
            expected.add(name);
            CHECKSUMS.keySet().forEach(suffix -> expected.add(name + "." + suffix));
            if (signed()) {
                expected.add(name + ".asc");
            }
        }
        Set<String> found = list(files).stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
        expect(found.containsAll(expected), "missing=" + without(expected, found));
        expect(expected.containsAll(found), "files=" + without(found, expected) + ": they do not belong to a bundle");
        for (Path each : list(files)) {
            expect(Files.size(each) > 0, each.getFileName() + " is empty");
        }
    }

    /** A bundle has all signatures or none. */
    private boolean signed() throws IOException {
        return list(files).stream().anyMatch(file -> file.toString().endsWith(".asc"));
    }

    private void checkChecksums() throws IOException, NoSuchAlgorithmException {
        for (String each : FILES) {
            for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
                String expected = HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance(checksum.getValue()).digest(Files.readAllBytes(file(each))));
                String written = Files.readString(file(each + "." + checksum.getKey()));
                expect(
                        written.strip().equals(expected),
                        each + "." + checksum.getKey() + "=" + written.strip() + ": expected is " + expected);
            }
        }
    }

    private void checkPom(Document pom) throws Exception {
        Map<String, String> fixed = Map.of(
                "groupId", "io.distributedid", "artifactId", "distributedid", "version", version, "packaging", "");
        for (Map.Entry<String, String> each : fixed.entrySet()) {
            String value = text(pom, "/project/" + each.getKey());
            expect(value.equals(each.getValue()), "pom: " + each.getKey() + "=" + value + ": not " + each.getValue());
        }
        expect(text(pom, "/project/parent").isEmpty(), "pom: the parent is not published: name none");
        for (String demanded : List.of(
                "name",
                "description",
                "url",
                "licenses/license/name",
                "licenses/license/url",
                "developers/developer/name",
                "scm/connection",
                "scm/developerConnection",
                "scm/url")) {
            String value = text(pom, "/project/" + demanded);
            expect(!value.isEmpty() && !value.contains("${"), "pom: " + demanded + "=" + value + ": give a text");
        }
        expect(text(pom, "//repositories|//pluginRepositories").isEmpty(), "pom: Central allows no repositories");
        expect(
                text(pom, "//dependency/version[contains(., 'SNAPSHOT')]").isEmpty(),
                "pom: a dependency has no final version");
    }

    private void checkLibrary() throws IOException {
        Set<String> names = names(".jar");
        for (String demanded : List.of("META-INF/LICENSE", "META-INF/jandex.idx", "module-info.class")) {
            expect(names.contains(demanded), ".jar: " + demanded + " is missing");
        }
        expect(
                names.stream().noneMatch(name -> name.matches("io/distributedid/(cli|server)/.*")),
                ".jar: it has a program, which belongs into -cli.jar and -server.jar");
        Optional<ModuleReference> module = ModuleFinder.of(file(".jar")).find("io.distributedid");
        expect(module.isPresent(), ".jar: it is not module io.distributedid");
        if (module.isPresent()) {
            checkJavadoc(module.get().descriptor());
        }
    }

    /** Every class has a source file. */
    private void checkSources() throws IOException {
        Set<String> sources = names("-sources.jar");
        Set<String> classes = names(".jar").stream()
                .filter(name -> name.endsWith(".class") && !name.contains("$"))
                .map(name -> name.replaceAll("class$", "java"))
                .collect(Collectors.toSet());
        expect(sources.containsAll(classes), "-sources.jar: missing=" + without(classes, sources));
        expect(sources.contains("META-INF/LICENSE"), "-sources.jar: META-INF/LICENSE is missing");
    }

    private void checkJavadoc(ModuleDescriptor module) throws IOException {
        Set<String> names = names("-javadoc.jar");
        List<String> pages = module.exports().stream()
                .filter(each -> !each.isQualified())
                .map(each -> "io.distributedid/" + each.source().replace('.', '/') + "/package-summary.html")
                .toList();
        expect(!pages.isEmpty(), ".jar: the module exports nothing");
        for (String page : pages) {
            expect(names.contains(page), "-javadoc.jar: " + page + " is missing");
        }
        expect(names.contains("index.html"), "-javadoc.jar: index.html is missing");
    }

    private void checkProgram(String jar) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        file(jar).toString(),
                        "--version")
                .redirectErrorStream(true)
                .start();
        String said = new String(program.getInputStream().readAllBytes()).strip();
        expect(
                program.waitFor() == 0 && said.equals("distributedid " + version),
                jar + ": --version prints: " + said);
        expect(names(jar).contains("META-INF/LICENSE"), jar + ": META-INF/LICENSE is missing");
    }

    private void checkComponents(Document pom, String licences) throws Exception {
        Map<String, Set<String>> components = components(Files.readString(file("-cyclonedx.json")));
        Map<String, String> listed = ROW.matcher(licences)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1) + "/" + row.group(2),
                        row -> row.group(3).strip()));
        NodeList dependencies =
                (NodeList) xpath.evaluate("/project/dependencies/dependency", pom, XPathConstants.NODESET);
        for (int i = 0; i < dependencies.getLength(); i++) {
            Node each = dependencies.item(i);
            String name = text(each, "groupId") + "/" + text(each, "artifactId");
            String written = text(each, "version");
            String number =
                    written.startsWith("${") ? text(pom, "//properties/" + written.replaceAll("[${}]", "")) : written;
            // The others are no one's dependency but the build's.
            if (text(each, "optional").equals("true") || text(each, "scope").matches("|compile|runtime")) {
                Set<String> known = components.get(name + "@" + number);
                expect(known != null, "-cyclonedx.json: " + name + " " + number + " of the pom is missing");
                if (known != null) {
                    // CycloneDX knows one name for "version 2.1 only" and "2.1 or later".
                    String page = listed.getOrDefault(name, "").replace("LGPL-2.1-or-later", "LGPL-2.1-only");
                    expect(
                            new TreeSet<>(Arrays.asList(page.split(" or "))).equals(known),
                            "licences.md: " + name + " is under " + page + "; its pom says " + known);
                }
            }
        }
    }

    /** From name and version to licences. A component's licences stand before its address, and after the one before. */
    private static Map<String, Set<String>> components(String json) {
        Map<String, Set<String>> components = new TreeMap<>();
        int end = 0;
        for (MatchResult found : COMPONENT.matcher(json).results().toList()) {
            components.put(
                    found.group(1) + "@" + found.group(2),
                    LICENCE.matcher(json.substring(end, found.start()))
                            .results()
                            .map(licence -> licence.group(1))
                            .collect(Collectors.toCollection(TreeSet::new)));
            end = found.end();
        }
        return components;
    }

    private String text(Node node, String path) throws Exception {
        return xpath.evaluate(path, node).strip();
    }

    private void expect(boolean holds, String fault) {
        if (!holds) {
            faults.add(fault);
        }
    }

    private Path file(String suffix) {
        return files.resolve("distributedid-" + version + suffix);
    }

    private Set<String> names(String suffix) throws IOException {
        try (JarFile jar = new JarFile(file(suffix).toFile())) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory() && entry.getSize() != 0)
                    .map(ZipEntry::getName)
                    .collect(Collectors.toSet());
        }
    }

    private static Set<String> without(Set<String> names, Set<String> others) {
        Set<String> rest = new TreeSet<>(names);
        rest.removeAll(others);
        return rest;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static void unpack(Path bundle, Path folder) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(bundle);
                Stream<Path> entries = Files.walk(zip.getPath("/"))) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                Path target = folder.resolve(entry.toString().substring(1));
                Files.createDirectories(target.getParent());
                Files.copy(entry, target);
            }
        }
    }
}
