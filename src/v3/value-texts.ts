/** A hash as answers show it. */
export function formatHash(hash: Buffer): string {
  return hash.toString('base64');
}

/** A hash that may not be there. */
export function formatHashOrNull(hash: Buffer | null): string | null {
  return hash && formatHash(hash);
}

/** A shard: the signed number of the index as unsigned hex, without padding. */
export function formatShard(shard: string): string {
  return BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase();
}

/** An opcode: the signed number of the index as eight hex digits. */
export function formatOpcode(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`;
}
