/** The first byte of an exotic cell's data says what it is. */
export const PRUNED_BRANCH = 1;
export const LIBRARY_REFERENCE = 2;
export const MERKLE_PROOF = 3;
export const MERKLE_UPDATE = 4;

/** No cell may be deeper; it also bounds the recursion of everything that walks cells. */
export const MAX_DEPTH = 1024;

/** Bits of a level mask by its value (0 to 7): how many levels it names. */
export const LEVELS_IN_MASK = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

/** The bits of a hash with a depth, as exotic cells hold them. */
export const HASH_AND_DEPTH_BITS = 256 + 16;
