/** Random bytes before and the checksum after a packet's payload; both count in its length field. */
export const NONCE_BYTES = 32;
export const CHECKSUM_BYTES = 32;
export const LENGTH_BYTES = 4;
/** The length of a packet with an empty payload. */
export const MIN_PACKET_BYTES = NONCE_BYTES + CHECKSUM_BYTES;
/** The largest length that a C++ node sends or takes. */
export const MAX_PACKET_BYTES = 1 << 24;
