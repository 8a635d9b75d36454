import { Address, beginCell, storeMessage } from '@ton/core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { Dictionary } from '../../../src/chain/tlb/dictionary.ts';
import { readMsgAddress, writeMsgAddress } from '../../../src/chain/tlb/msg-address.ts';
import {
  buildInMsg,
  buildInMsgDescr,
  buildMessageEnvelope,
  buildOutMsg,
  buildOutMsgDescr,
  type InMsg,
  type IntermediateAddress,
  inMsgDescrCodec,
  type OutMsg,
  outMsgDescrCodec,
  readInMsg,
  readMessageEnvelope,
} from '../../../src/chain/tlb/msg-descr.ts';
import { address, amountOf, cellOf, coins, int, uint, uint64 } from '../support/arbitrary-parts.ts';
import { readOutMsg } from '../support/block-readers.ts';
import { totalExported, totalImportFees } from '../support/block-walks.ts';

const [FEE, TRANSIT_FEE, VALUE, FLAGS] = [300n, 100n, 5000n, 3n];
const SENDER = new Address(0, Buffer.alloc(32, 1));
let arena: BuildingArena;
let [envelope, transaction, cell] = [0, 0, 0];

/** Puts an internal message that carries nanotons and an extra currency into an envelope. */
function makeEnvelope(): number {
  const message = storeMessage({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: SENDER,
      dest: SENDER,
      value: { coins: VALUE },
      ihrFee: FLAGS,
      forwardFee: 700n,
      createdLt: 77n,
      createdAt: 1_700_000_000,
    },
    body: beginCell().endCell(),
  });
  const bag = fromCoreCell(beginCell().store(message).endCell());
  return buildMessageEnvelope(arena, {
    current: { kind: 'regular', destBits: 0 },
    next: { kind: 'regular', destBits: 96 },
    fwdFeeRemaining: FEE,
    message: arena.add(bag, bag.root),
    emittedLt: undefined,
    metadata: undefined,
  });
}

beforeEach(() => {
  arena = new BuildingArena();
  [envelope, transaction, cell] = [makeEnvelope(), cellOf(arena, 1), cellOf(arena, 2)];
});

describe('writeMsgAddress', () => {
  it('writes what readMsgAddress reads', () => {
    fc.assert(
      fc.property(address, (written) => {
        const builder = new CellBuilder();
        writeMsgAddress(builder, written);
        const slice = new Slice(arena, arena.build(builder));
        expect(readMsgAddress(slice)).toEqual(written);
        slice.end();
      }),
    );
  });
});

describe('buildMessageEnvelope', () => {
  it('writes both versions', () => {
    const station: fc.Arbitrary<IntermediateAddress> = fc.oneof(
      fc.record({ kind: fc.constant('regular' as const), destBits: fc.nat({ max: 96 }) }),
      fc.record({
        kind: fc.constant('prefix' as const),
        workchain: fc.oneof(int(8), int(32)),
        prefix: uint64,
      }),
    );
    // A longer address would leave no room for the rest.
    const initiator = address.filter((one) => !('bits' in one) || one.bits <= 256);
    const metadata = fc.record({ depth: uint(32), initiator, initiatorLt: uint64 });
    const written = fc.record({
      current: station,
      next: station,
      fwdFeeRemaining: coins,
      message: fc.constant(cell),
      emittedLt: fc.option(uint64, { nil: undefined }),
      metadata: fc.option(metadata, { nil: undefined }),
    });
    fc.assert(
      fc.property(written, (one) => {
        expect(readMessageEnvelope(arena, buildMessageEnvelope(arena, one))).toEqual(one);
      }),
    );
  });
});

/** What a value flow sees of one inbound message: fees, nanotons imported. */
const IN_MSGS: Record<InMsg['kind'], () => [InMsg, fees: bigint, imported: bigint]> = {
  ext: () => [{ kind: 'ext', message: cell, transaction }, 0n, 0n],
  ihr: () => [{ kind: 'ihr', message: cell, transaction, ihrFee: 1n, proofCreated: cell }, 0n, 0n],
  imm: () => [{ kind: 'imm', envelope, transaction, fwdFee: FEE }, FEE, 0n],
  fin: () => [{ kind: 'fin', envelope, transaction, fwdFee: FEE }, FEE, VALUE + FEE],
  deferred_fin: () => [{ kind: 'deferred_fin', envelope, transaction, fwdFee: FEE }, FEE, VALUE + FEE],
  tr: () => [{ kind: 'tr', envelope, outEnvelope: cell, transitFee: TRANSIT_FEE }, TRANSIT_FEE, VALUE + FEE],
  deferred_tr: () => [{ kind: 'deferred_tr', envelope, outEnvelope: cell }, 0n, VALUE + FEE],
  discard_fin: () => [{ kind: 'discard_fin', envelope, transactionId: 9n, fwdFee: FEE }, FEE, FEE],
  discard_tr: () => [
    { kind: 'discard_tr', envelope, transactionId: 9n, fwdFee: FEE, proofDelivered: cell },
    FEE,
    FEE,
  ],
};

const OUT_MSGS: Record<OutMsg['kind'], () => [OutMsg, exported: bigint]> = {
  ext: () => [{ kind: 'ext', message: cell, transaction }, 0n],
  new: () => [{ kind: 'new', envelope, transaction }, VALUE + FEE],
  new_defer: () => [{ kind: 'new_defer', envelope, transaction }, VALUE + FEE],
  imm: () => [{ kind: 'imm', envelope, transaction, reimport: cell }, 0n],
  tr: () => [{ kind: 'tr', envelope, imported: cell }, VALUE + FEE],
  tr_req: () => [{ kind: 'tr_req', envelope, imported: cell }, VALUE + FEE],
  deferred_tr: () => [{ kind: 'deferred_tr', envelope, imported: cell }, VALUE + FEE],
  deq_imm: () => [{ kind: 'deq_imm', envelope, reimport: cell }, 0n],
  deq: () => [{ kind: 'deq', envelope, importBlockLt: 2n ** 63n - 1n }, 0n],
  deq_short: () => [
    {
      kind: 'deq_short',
      envelopeHash: Buffer.alloc(32, 5),
      nextWorkchain: -1,
      nextAddrPrefix: 2n ** 64n - 1n,
      importBlockLt: 9n,
    },
    0n,
  ],
};

const key = (number: number): Buffer => Buffer.alloc(32, number);

describe('inbound messages', () => {
  it.each(Object.keys(IN_MSGS) as InMsg['kind'][])('%s is read as it was written', (kind) => {
    const [inMsg] = IN_MSGS[kind]();
    const slice = new Slice(arena, buildInMsg(arena, inMsg));
    expect(readInMsg(slice)).toEqual(inMsg);
    slice.end();
  });

  it('import value and fees into a block', () => {
    const descr = new Dictionary(arena, inMsgDescrCodec(12));
    const seen = Object.values(IN_MSGS).map((make) => make());
    let [root, fees, imported] = [-1, 0n, 0n];
    for (const [i, [inMsg, itsFees, itsValue]] of seen.entries()) {
      if (inMsg.kind === 'ihr') continue;
      root = descr.set(root, key(i), inMsg);
      [fees, imported] = [fees + itsFees, imported + itsValue];
    }
    const total = { feesCollected: fees, valueImported: { grams: imported, extra: -1 } };
    expect(totalImportFees(arena, buildInMsgDescr(arena, root, 12))).toEqual(total);
    // Nobody can know what instant routing would have brought.
    expect(() => descr.set(root, key(99), IN_MSGS.ihr()[0])).toThrow(CellError);
    const none = buildInMsgDescr(arena, -1, 12);
    expect(totalImportFees(arena, none)).toEqual({
      feesCollected: 0n,
      valueImported: { grams: 0n, extra: -1 },
    });
  });

  it('import ihr_fee in older global versions', () => {
    const [fin] = IN_MSGS.fin();
    const imported = [11, 12].map((version) => {
      const root = new Dictionary(arena, inMsgDescrCodec(version)).set(-1, key(1), fin);
      return totalImportFees(arena, buildInMsgDescr(arena, root, version)).valueImported.grams;
    });
    expect(imported).toEqual([VALUE + FEE + FLAGS, VALUE + FEE]);
  });
});

describe('outbound messages', () => {
  it.each(Object.keys(OUT_MSGS) as OutMsg['kind'][])('%s is read as it was written', (kind) => {
    const [outMsg] = OUT_MSGS[kind]();
    const slice = new Slice(arena, buildOutMsg(arena, outMsg));
    expect(readOutMsg(slice)).toEqual(outMsg);
    slice.end();
  });

  it('export value from a block', () => {
    const descr = new Dictionary(arena, outMsgDescrCodec(12));
    let [root, exported] = [-1, 0n];
    for (const [i, make] of Object.values(OUT_MSGS).entries()) {
      const [outMsg, value] = make();
      root = descr.set(root, key(i), outMsg);
      exported += value;
    }
    expect(totalExported(arena, buildOutMsgDescr(arena, root, 12))).toEqual({ grams: exported, extra: -1 });
    expect(totalExported(arena, buildOutMsgDescr(arena, -1, 12))).toEqual(amountOf(arena, 0n));
  });
});
