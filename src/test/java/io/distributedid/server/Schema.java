package io.distributedid.server;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The part of JSON Schema that the description of the paths uses. An unknown keyword is an error. */
final class Schema {

    private static final Set<String> KEYWORDS = Set.of(
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "enum",
            "pattern",
            "minimum",
            "maximum",
            "oneOf",
            "allOf",
            "nullable",
            "format",
            "description",
            "default");

    private final Map<String, Object> document;

    private final List<String> faults = new ArrayList<>();

    private Schema(Map<String, Object> document) {
        this.document = document;
    }

    /** What does not fit; empty if all does. */
    static List<String> faults(Map<String, Object> document, Object schema, Object value) {
        Schema check = new Schema(document);
        check.check(schema, value, "$");
        return check.faults;
    }

    /** Follows a reference, if it is one. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> resolved(Map<String, Object> document, Object node) {
        Map<String, Object> map = (Map<String, Object>) node;
        if (!(map.get("$ref") instanceof String reference)) {
            return map;
        }
        Object target = document;
        for (String part : reference.substring(2).split("/")) {
            target = ((Map<String, Object>) target).get(part);
            if (target == null) {
                throw new AssertionError("A reference has no target: " + reference);
            }
        }
        return resolved(document, target);
    }

    private void check(Object node, Object value, String place) {
        Map<String, Object> schema = resolved(document, node);
        Set<String> unknown = new TreeSet<>(schema.keySet());
        unknown.removeAll(KEYWORDS);
        expect(unknown.isEmpty(), place, "unknown keywords " + unknown);
        if (value == null) {
            expect(Boolean.TRUE.equals(schema.get("nullable")), place, "null");
            return;
        }
        if (schema.get("type") instanceof String type) {
            expect(isOfType(type, value), place, value + " is no " + type);
        }
        if (schema.get("enum") instanceof List<?> values) {
            expect(values.contains(value), place, value + " is none of " + values);
        }
        if (schema.get("pattern") instanceof String pattern) {
            expect(
                    Pattern.compile(pattern).matcher(value.toString()).find(),
                    place,
                    value + " does not match " + pattern);
        }
        if (schema.get("minimum") instanceof Number least && value instanceof Number number) {
            expect(number.longValue() >= least.longValue(), place, value + " is less than " + least);
        }
        if (schema.get("maximum") instanceof Number most && value instanceof Number number) {
            expect(number.longValue() <= most.longValue(), place, value + " is more than " + most);
        }
        checkCombined(schema, value, place);
        if (value instanceof JsonObject object) {
            checkObject(schema, object, place);
        } else if (value instanceof JsonArray array) {
            checkArray(schema, array, place);
        }
    }

    private void checkCombined(Map<String, Object> schema, Object value, String place) {
        if (schema.get("allOf") instanceof List<?> all) {
            all.forEach(each -> check(each, value, place));
        }
        if (schema.get("oneOf") instanceof List<?> choices) {
            long fitting = choices.stream()
                    .filter(each -> faults(document, each, value).isEmpty())
                    .count();
            expect(fitting == 1, place, value + " fits " + fitting + " of oneOf");
        }
    }

    private static boolean isOfType(String type, Object value) {
        return switch (type) {
            case "object" -> value instanceof JsonObject;
            case "array" -> value instanceof JsonArray;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Integer || value instanceof Long;
            default -> throw new AssertionError("An unknown type: " + type);
        };
    }

    private void checkObject(Map<String, Object> schema, JsonObject object, String place) {
        if (schema.get("required") instanceof List<?> required) {
            required.forEach(name -> expect(object.containsKey((String) name), place, name + " is missing"));
        }
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        for (String name : object.fieldNames()) {
            Object other = schema.get("additionalProperties");
            if (properties.containsKey(name)) {
                check(properties.get(name), object.getValue(name), place + "." + name);
            } else if (other instanceof Map<?, ?>) {
                check(other, object.getValue(name), place + "." + name);
            } else {
                expect(!Boolean.FALSE.equals(other), place, "unknown member " + name);
            }
        }
    }

    private void checkArray(Map<String, Object> schema, JsonArray array, String place) {
        if (schema.get("minItems") instanceof Integer least) {
            expect(array.size() >= least, place, "fewer items than " + least);
        }
        if (schema.get("maxItems") instanceof Integer most) {
            expect(array.size() <= most, place, "more items than " + most);
        }
        for (int i = 0; schema.containsKey("items") && i < array.size(); i++) {
            check(schema.get("items"), array.getValue(i), place + "[" + i + "]");
        }
    }

    private void expect(boolean holds, String place, String fault) {
        if (!holds) {
            faults.add(place + ": " + fault);
        }
    }
}
