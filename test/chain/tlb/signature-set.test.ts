import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { readBlockProof, readBlockSignatures, readSignaturePairs } from '../support/block-signatures.ts';
import { hash, raw, read } from '../support/built-cells.ts';

const signature = (fill: number): Buffer => Buffer.alloc(64, fill);
const pairs = Array.from({ length: 5 }, (_, i) => ({ nodeIdShort: hash(i), signature: signature(100 + i) }));

function pairDictionary(tag = 5): Dictionary<number, Builder> {
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), raw);
  pairs.forEach((pair, i) => {
    const value = beginCell().storeBuffer(pair.nodeIdShort).storeUint(tag, 4);
    list.set(i, value.storeBuffer(pair.signature));
  });
  return list;
}

function common(tag: number, count = pairs.length): Builder {
  const head = beginCell().storeUint(tag, 8).storeUint(0x353ec84d, 32).storeUint(2, 32);
  return head.storeUint(count, 32).storeUint(17n, 64).storeDict(pairDictionary());
}

/** A chain of cells with bytes, as nodes write long strings. */
function stringCell(bytes: Buffer): Cell {
  const builder = beginCell().storeBuffer(bytes.subarray(0, 127));
  if (bytes.length > 127) builder.storeRef(stringCell(bytes.subarray(127)));
  return builder.endCell();
}

const set = { validatorSetHash: 0x353ec84d, catchainSeqno: 2, signatures: pairs };

describe('signatures of a block', () => {
  it('are read in the form of the classic consensus', () => {
    const wanted = { set: { kind: 'ordinary', ...set }, weight: 17n };
    expect(read(readBlockSignatures, common(0x11))).toEqual(wanted);
    const none = beginCell()
      .storeUint(0x11, 8)
      .storeUint(1, 32)
      .storeUint(2, 32)
      .storeUint(0, 96)
      .storeBit(0);
    expect(read(readBlockSignatures, none).set.signatures).toEqual([]);
  });

  it('are read in the form of the simplex consensus', () => {
    for (const length of [0, 4, 127, 128, 500]) {
      const candidate = Buffer.alloc(length, 0x5a);
      const builder = common(0x12).storeBuffer(hash(7)).storeUint(118, 32).storeRef(stringCell(candidate));
      expect(read(readBlockSignatures, builder)).toEqual({
        set: { kind: 'simplex', ...set, sessionId: hash(7), slot: 118, candidate },
        weight: 17n,
      });
    }
  });

  it('are refused when they are of another form', () => {
    const simplex = (candidate: Cell) =>
      common(0x12).storeBuffer(hash(7)).storeUint(118, 32).storeRef(candidate);
    const chained = fromCoreCell(beginCell().storeDictDirect(pairDictionary(15)).endCell());
    expect(() => readSignaturePairs(chained, chained.root)).toThrow(CellError);
    for (const builder of [
      common(0x13),
      common(0x11, 4),
      common(0x12),
      simplex(beginCell().storeUint(0, 7).endCell()),
      simplex(stringCell(Buffer.alloc(17 * 127))),
    ])
      expect(() => read(readBlockSignatures, builder)).toThrow(CellError);
  });

  it('come with a proof of the header', () => {
    const root = beginCell().storeUint(9, 8).endCell();
    const proof = (tag: number) =>
      beginCell()
        .storeUint(tag, 8)
        .storeUint(0, 8)
        .storeInt(-1, 32)
        .storeUint(0, 64)
        .storeUint(125, 32)
        .storeBuffer(hash(3))
        .storeBuffer(hash(4))
        .storeRef(root);
    const bag = fromCoreCell(proof(0xc3).storeMaybeRef(common(0x11)).endCell());
    const read1 = readBlockProof(bag, bag.root);
    expect(read1.block).toEqual({
      workchain: -1,
      shard: -(2n ** 63n),
      seqno: 125,
      rootHash: hash(3),
      fileHash: hash(4),
    });
    expect(bag.hash(read1.root)).toEqual(root.hash());
    expect(readBlockSignatures(bag, read1.signatures).weight).toBe(17n);
    expect(read(readBlockProof, proof(0xc3).storeBit(0)).signatures).toBe(-1);
    expect(() => read(readBlockProof, proof(0xc4).storeBit(0))).toThrow(CellError);
  });
});
