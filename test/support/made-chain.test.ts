import { Address, beginCell, loadTransaction } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { toCoreCell } from '../../src/chain/boc/ton-core.ts';
import { MadeChain } from './made-chain.ts';

const account = (workchain: number, byte: number) =>
  Buffer.concat([Buffer.of(workchain), Buffer.alloc(32, byte)]);
const [alice, bob] = [account(0, 1), account(255, 2)] as const;
const addressOf = (key: Buffer) => new Address(key.readInt8(0), key.subarray(1));

describe('a made transaction', () => {
  it('is read by @ton/core with its messages', () => {
    const chain = new MadeChain();
    const body = beginCell().storeUint(7, 32).storeRef(beginCell().storeUint(9, 9)).endCell();
    const init = beginCell().storeUint(0b00110, 5).storeRef(body).storeRef(body).endCell();
    const out = [
      chain.internal({
        from: alice,
        to: bob,
        lt: 11n,
        at: 5,
        value: 3n,
        extraCurrencies: { 100: '5', 7: '6' },
        bounce: false,
        body: body.toBoc(),
        init: init.toBoc(),
      }),
      chain.log({ from: alice, lt: 12n, at: 5, body: { opcode: 0xffffffff, bytes: Buffer.from('x') } }),
    ];
    const { transaction, hash } = chain.transaction({
      account: alice,
      lt: 10n,
      now: 5,
      mcSeqno: 3,
      in: chain.external({ to: alice, importFee: 4n }),
      out,
      previous: { lt: 2n },
      endStatus: 'frozen',
      exitCode: -14,
      aborted: true,
      totalFees: 77n,
    });
    const cell = toCoreCell(transaction.cells, transaction.cell);
    expect(cell.hash()).toEqual(hash);
    const read = loadTransaction(cell.beginParse());
    expect(read).toMatchObject({
      lt: 10n,
      now: 5,
      prevTransactionLt: 2n,
      oldStatus: 'active',
      endStatus: 'frozen',
    });
    expect(read.totalFees.coins).toBe(77n);
    expect(read.description).toMatchObject({
      type: 'generic',
      aborted: true,
      computePhase: { exitCode: -14 },
    });
    expect(read.inMessage!.info).toMatchObject({ type: 'external-in', importFee: 4n });
    const [internal, log] = read.outMessages.values();
    expect(internal!.info).toMatchObject({ type: 'internal', bounce: false, createdLt: 11n, createdAt: 5 });
    if (internal!.info.type !== 'internal') throw new Error(internal!.info.type);
    expect(internal!.info.dest.equals(addressOf(bob))).toBe(true);
    expect([...internal!.info.value.other!]).toEqual([
      [7, 6n],
      [100, 5n],
    ]);
    expect(internal!.body.equals(body)).toBe(true);
    expect(internal!.init!.code!.equals(body)).toBe(true);
    expect(log!.info).toMatchObject({ type: 'external-out', createdLt: 12n });
    expect(log!.body.toString()).toBe('x{FFFFFFFF78}');
    expect(transaction.outMessages.map((message) => message.hash)).toEqual(
      out.map((message) => message.hash),
    );
  });

  it('may be a tick-tock one, or have a skipped compute phase', () => {
    const chain = new MadeChain();
    const read = (more: object) => {
      const { transaction } = chain.transaction({ account: bob, lt: 1n, now: 1, mcSeqno: 1, ...more });
      return loadTransaction(toCoreCell(transaction.cells, transaction.cell).beginParse()).description;
    };
    expect(read({ isTickTock: true })).toMatchObject({ type: 'tick-tock', computePhase: { exitCode: 0 } });
    expect(read({ skipped: 'no_state' })).toMatchObject({
      computePhase: { type: 'skipped', reason: 'no-state' },
    });
    expect(read({ isTickTock: true, skipped: 'no_gas', aborted: true })).toMatchObject({ aborted: true });
  });

  it('has many messages in the order of sending', () => {
    const chain = new MadeChain();
    const out = Array.from({ length: 300 }, (_, at) => chain.log({ from: alice, lt: BigInt(at), at: 1 }));
    const { transaction } = chain.transaction({ account: alice, lt: 1n, now: 1, mcSeqno: 1, out });
    expect(transaction.outMessages.map(({ hash }) => hash)).toEqual(out.map(({ hash }) => hash));
    const read = loadTransaction(toCoreCell(transaction.cells, transaction.cell).beginParse());
    expect(read.outMessagesCount).toBe(300);
    expect([...read.outMessages.keys()]).toEqual(out.map((_, at) => at));
  });
});
