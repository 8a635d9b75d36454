/** Constructor ids of `Bool`. */
export const BOOL_TRUE = 0x997275b5;
export const BOOL_FALSE = 0xbc799737;

/** First byte of a `bytes` field with four bytes of head: this one and three of length. Below it, the byte is the length. */
export const FOUR_BYTE_HEAD = 254;

/** How long the head is that starts with 255: that byte and seven of length. */
export const EIGHT_BYTE_HEAD = 8;

/** From this length on the head of `bytes` has eight bytes. */
export const LONG_BYTES = 2 ** 24;

/**
 * No list of the lite-server protocol comes near this (servers cut at 256). The smallest items have 4 bytes,
 * so without it a message of 16 MiB could ask for four million objects.
 */
export const MAX_ITEMS = 65_536;
