package io.distributedid.recipes;

/** What a browser gets. The page {@code recipes.md} quotes the class. */
public record PhotoView(String id, String title) {

    public static PhotoView of(long id, String title) {
        return new PhotoView(Long.toString(id), title);
    }
}
