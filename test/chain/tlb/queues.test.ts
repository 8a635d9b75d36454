import { Address, beginCell, storeMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { Dictionary, lookUp } from '../../../src/chain/tlb/dictionary.ts';
import { buildMessageEnvelope } from '../../../src/chain/tlb/msg-descr.ts';
import {
  buildOutMsgQueueInfo,
  DISPATCH_QUEUE,
  type EnqueuedMsg,
  OUT_MSG_QUEUE,
  outMsgQueueKey,
  PROCESSED_INFO,
  processedInfoKey,
  readAccountDispatchQueue,
  readOutMsgQueueInfo,
} from '../../../src/chain/tlb/queues.ts';
import { cellOf } from '../support/arbitrary-parts.ts';

const address = new Address(0, Buffer.alloc(32, 1));

function envelopeAt(arena: BuildingArena, createdLt: bigint, emittedLt?: bigint): number {
  const message = storeMessage({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: address,
      dest: address,
      value: { coins: 1n },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt,
      createdAt: 1,
    },
    body: beginCell().endCell(),
  });
  const bag = fromCoreCell(beginCell().store(message).endCell());
  const station = { kind: 'regular', destBits: 0 } as const;
  return buildMessageEnvelope(arena, {
    current: station,
    next: station,
    fwdFeeRemaining: 0n,
    message: arena.add(bag, bag.root),
    emittedLt,
    metadata: undefined,
  });
}

describe('outbound queues', () => {
  it('have the lowest emitted lt of their messages as extra', () => {
    const arena = new BuildingArena();
    const queue = new Dictionary(arena, OUT_MSG_QUEUE);
    const waiting = [
      [900n, undefined],
      [500n, 800n],
      [700n, undefined],
    ] as const;
    let root = -1;
    for (const [i, [createdLt, emittedLt]] of waiting.entries()) {
      const key = outMsgQueueKey(i - 1, -(2n ** 63n) + BigInt(i), Buffer.alloc(32, i));
      const envelope = envelopeAt(arena, createdLt, emittedLt);
      root = queue.set(root, key, { enqueuedLt: 1000n, envelope });
      expect(queue.get(root, key)?.uint64()).toBe(1000n);
    }
    expect(queue.extra(root)).toBe(700n);
    expect(queue.extra(queue.delete(root, outMsgQueueKey(1, -(2n ** 63n) + 2n, Buffer.alloc(32, 2))))).toBe(
      800n,
    );
    expect(queue.extra(-1)).toBe(0n);
  });

  it('are keyed by workchain, prefix and hash', () => {
    const key = outMsgQueueKey(-1, -1n, Buffer.alloc(32, 7));
    expect(key.toString('hex')).toBe(`ffffffff${'ff'.repeat(8)}${'07'.repeat(32)}`);
    expect(outMsgQueueKey(0, 2n ** 63n, Buffer.alloc(32)).toString('hex')).toBe(
      `0000000080${'00'.repeat(39)}`,
    );
    expect(processedInfoKey(-(2n ** 63n), 5).toString('hex')).toBe(`80${'00'.repeat(7)}00000005`);
  });

  it('of deferred messages have the lowest lt as extra', () => {
    const arena = new BuildingArena();
    const own = new Dictionary<EnqueuedMsg>(arena, {
      keyBits: 64,
      write: (builder, { enqueuedLt, envelope }) => builder.uint64(enqueuedLt).ref(envelope),
    });
    const all = new Dictionary(arena, DISPATCH_QUEUE);
    const ofAccount = (lts: readonly number[]): number =>
      lts.reduce((root, lt) => {
        const key = Buffer.alloc(8);
        key.writeBigUInt64BE(BigInt(lt));
        return own.set(root, key, { enqueuedLt: BigInt(lt), envelope: cellOf(arena, lt % 2 ** 32) });
      }, -1);
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const messages = ofAccount([30, 20, 25, 2 ** 40]);
    let root = all.set(-1, first, { messages, count: 4 });
    expect(all.extra(root)).toBe(20n);
    root = all.set(root, second, { messages: ofAccount([7]), count: 1 });
    expect(all.extra(root)).toBe(7n);
    expect(readAccountDispatchQueue(lookUp(arena, root, 256, first)!)).toEqual({ messages, count: 4 });
    expect(all.extra(all.set(-1, first, { messages: -1, count: 0 }))).toBe(2n ** 64n - 1n);
  });

  it('are read as they were written, with processed info', () => {
    const arena = new BuildingArena();
    const envelope = envelopeAt(arena, 5n);
    const key = outMsgQueueKey(0, 1n, Buffer.alloc(32));
    const outQueue = new Dictionary(arena, OUT_MSG_QUEUE).set(-1, key, { enqueuedLt: 5n, envelope });
    const processed = new Dictionary(arena, PROCESSED_INFO);
    const place = processedInfoKey(-(2n ** 63n), 3);
    const processedInfo = processed.set(-1, place, { lastMsgLt: 9n, lastMsgHash: Buffer.alloc(32, 3) });
    expect(processed.get(processedInfo, place)?.uint64()).toBe(9n);
    for (const extra of [
      undefined,
      { dispatchQueue: -1, outQueueSize: 1 },
      { dispatchQueue: -1, outQueueSize: undefined },
    ]) {
      const info = { outQueue, processedInfo, extra };
      const cell = buildOutMsgQueueInfo(arena, info);
      expect(readOutMsgQueueInfo(arena, cell)).toEqual(info);
      const slice = new Slice(arena, cell);
      slice.skip(1);
      expect(slice.uint64()).toBe(5n);
    }
  });
});
