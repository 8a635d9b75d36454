// Shards are signed 64-bit numbers: the first bits of the account ids in them, a one, and zeros.

const MAX_PREFIX_BITS = 60;

/** Whether a shard holds the accounts, or the smaller shards, whose names start like a prefix of 64 bits. */
export function shardContains(shard: bigint, prefix: bigint): boolean {
  // What stands above the lowest one is the shard's own prefix.
  return BigInt.asUintN(64, shard ^ prefix) < lowestBit(shard) << 1n;
}

/** Whether one of two shards of a workchain is a part of the other, or the same. */
export function shardsIntersect(a: bigint, b: bigint): boolean {
  return lowestBit(a) > lowestBit(b) ? shardContains(a, b) : shardContains(b, a);
}

/** The shards around a prefix, the whole workchain first. */
export function shardsAround(prefix: bigint): bigint[] {
  const shards: bigint[] = [];
  for (let bits = 0; bits <= MAX_PREFIX_BITS; bits++) {
    const end = 1n << BigInt(63 - bits);
    const high = BigInt.asUintN(64, prefix) & ~(2n * end - 1n);
    shards.push(BigInt.asIntN(64, high | end));
  }
  return shards;
}

/** The first 64 bits of an account id as a signed number. */
export function accountPrefix(id: Buffer): bigint {
  return id.readBigInt64BE(0);
}

/** The smallest shard around a prefix, as nodes name it. */
export function leafShard(prefix: bigint): bigint {
  return prefix | 1n;
}

function lowestBit(shard: bigint): bigint {
  return BigInt.asUintN(64, shard & -shard);
}
