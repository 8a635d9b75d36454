/** `2.<variant>.<patch>`: 0 and 1 are the variants of the two services that spoke v2 before, 2 is ours. */
export const V2_VERSION = '2.2.0';
