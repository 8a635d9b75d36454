/** A shard id as upper-case hex without prefix or padding; inside it is a signed 64-bit number. */
export function formatShardId(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).toUpperCase();
}
