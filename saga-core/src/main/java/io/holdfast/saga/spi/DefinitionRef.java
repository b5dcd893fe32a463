package io.holdfast.saga.spi;

/**
 * A definition that a node can drive.
 *
 * @param typeName the type's name
 * @param typeVersion its version
 * @param hash the definition's hash
 */
public record DefinitionRef(String typeName, int typeVersion, String hash) {}
