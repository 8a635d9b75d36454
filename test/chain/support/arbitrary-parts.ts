import fc from 'fast-check';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import type { ExtBlkRef } from '../../../src/chain/tlb/block.ts';
import { buildExtraCurrencies, type CurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import type { Anycast, MsgAddress } from '../../../src/chain/tlb/msg-address.ts';

export const uint = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
export const int = (bits: number): fc.Arbitrary<number> =>
  fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
export const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
export const coins = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 60n }),
  fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }),
);
export const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

const anycast: fc.Arbitrary<Anycast | undefined> = fc.option(
  fc
    .integer({ min: 1, max: 30 })
    .chain((depth) => fc.record({ depth: fc.constant(depth), prefix: uint(depth) })),
  { nil: undefined },
);
const anyBits = fc.integer({ min: 0, max: 511 }).chain((bits) =>
  fc.uint8Array({ minLength: (bits + 7) >> 3, maxLength: (bits + 7) >> 3 }).map((bytes) => {
    const value = Buffer.from(bytes);
    if (bits & 7) value[bits >> 3]! &= 0xff00 >> (bits & 7);
    return { bits, value };
  }),
);

/** Addresses of all kinds. */
export const address: fc.Arbitrary<MsgAddress> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  anyBits.map((bits) => ({ kind: 'extern' as const, ...bits })),
  fc.record({ kind: fc.constant('std' as const), workchain: int(8), hash, anycast }),
  fc.tuple(anyBits, int(32), anycast).map(([own, workchain, prefix]) => ({
    kind: 'var' as const,
    workchain,
    ...own,
    // A longer prefix is malformed.
    anycast: prefix !== undefined && prefix.depth <= own.bits ? prefix : undefined,
  })),
);

/** A reference to a block. */
export const blockRef: fc.Arbitrary<ExtBlkRef> = fc.record({
  endLt: uint64,
  seqno: uint(32),
  rootHash: hash,
  fileHash: hash,
});

/** Names of shards of any size. */
export const shard: fc.Arbitrary<bigint> = fc
  .tuple(fc.integer({ min: 0, max: 60 }), uint64)
  .map(([bits, prefix]) => {
    const end = 1n << BigInt(63 - bits);
    return BigInt.asIntN(64, (prefix & ~(2n * end - 1n)) | end);
  });

/** A cell that is told from others by a number. */
export function cellOf(arena: BuildingArena, number: number): number {
  return arena.build(new CellBuilder().uint(number, 32));
}

/** Nanotons with extra currencies. */
export function amountOf(
  arena: BuildingArena,
  grams: bigint,
  extra: Readonly<Record<number, bigint>> = {},
): CurrencyCollection {
  const currencies = Object.entries(extra).map(([id, amount]) => ({ id: Number(id), amount }));
  return { grams, extra: buildExtraCurrencies(arena, currencies) };
}

/** The full name of a block that is told from others by a number. */
export function blockId(workchain: number, shardName: bigint, seqno: number): BlockId {
  const [rootHash, fileHash] = [Buffer.alloc(32, seqno), Buffer.alloc(32, seqno + 1)];
  return { workchain, shard: shardName, seqno, rootHash, fileHash };
}
