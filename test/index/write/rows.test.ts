import { type Builder, beginCell, type Cell, type Message } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import { accountPrefix } from '../../../src/index/format/position.ts';
import { createSeqnoParts } from '../../../src/index/write/seqno-parts.ts';
import { finishSeqno, putTransaction } from '../../../src/ingest/decode/decode-seqno.ts';
import {
  ACCOUNT,
  DESCRIPTIONS,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../../chain/support/transaction-samples.ts';
import { type DecodedTables, openDecodedTables } from '../../ingest/decode/support/check-seqnos.ts';
import { type Row, readCore } from '../../ingest/decode/support/core-rows.ts';

let tables: DecodedTables;
let lastSeqno = 0;

beforeAll(async () => {
  tables = await openDecodedTables();
});
afterAll(() => tables?.close());

/** Writes transactions as those of a seqno of their own and reads their rows from the database, those of receivers too. */
async function rowsOf(cells: readonly Cell[], options: { readonly isSystem?: boolean } = {}) {
  const mcSeqno = ++lastSeqno;
  const parts = createSeqnoParts(mcSeqno, { globalVersion: 14 });
  const id = { workchain: 0, shard: WHOLE_SHARD, seqno: 9 };
  const hashes = { rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) };
  for (const cell of cells) {
    const bag = readBoc(cell.toBoc());
    const transaction = readTransaction(bag, bag.root, 0);
    putTransaction(parts, { ...id, ...hashes }, transaction, {
      account: accountKey(0, transaction.account.hash),
      isSystem: options.isSystem ?? false,
      states: { after: undefined, before: undefined },
    });
  }
  const decoded = finishSeqno(parts, { genUtime: 0, blockCount: 0, hasKeyBlock: false });
  const own = (rows: Row[]) => rows.filter((row) => row.mc_seqno === mcSeqno);
  await tables.load(decoded);
  return {
    decoded,
    transactions: own(await tables.rows('transactions')),
    messages: own(await tables.rows('messages')),
    place: { mcSeqno, id },
  };
}

/** Samples have times that no chain reaches. */
function sample(name: string, messages: Parameters<typeof transactionOf>[1] = {}): Cell {
  return transactionCell(transactionOf(DESCRIPTIONS[name]!, { lt: 50n, ...messages }));
}

function atTime(message: Message, lt: bigint): Message {
  return message.info.type === 'external-in'
    ? message
    : { ...message, info: { ...message.info, createdLt: lt } as Message['info'] };
}

describe('transaction rows', () => {
  it.each(Object.keys(DESCRIPTIONS))('%s', async (name) => {
    const cell = sample(name);
    const { transactions, place } = await rowsOf([cell]);
    expect(transactions).toEqual([readCore(cell, place).row]);
  });
});

describe('message rows', () => {
  it('do not exist for logical times that no column holds', async () => {
    const name = Object.keys(DESCRIPTIONS)[0]!;
    await expect(rowsOf([sample(name, { lt: 2n ** 63n })])).rejects.toThrow('a logical time is too large');
  });

  it('cover all kinds', async () => {
    const inbound = Object.values(MESSAGES).map((message, i) =>
      sample('storage', { in: atTime(message as Message, 7n), lt: BigInt(100 + i) }),
    );
    const sent: readonly Message[] = [MESSAGES.internal, MESSAGES.deploying, MESSAGES.log];
    const out = sent.map((message, i) => atTime(message, BigInt(20 + i)));
    const cells = [...inbound, sample('storage', { out, lt: 200n })];
    const { messages, transactions, place } = await rowsOf(cells);
    const core = cells.map((cell) => readCore(cell, place));
    const expected = core.flatMap((one) => [...(one.inbound ? [one.inbound] : []), ...one.outbound]);
    expect(messages).toHaveLength(expected.length);
    expect(messages).toEqual(expect.arrayContaining(expected.map(({ row }) => row)));
    expect(transactions).toEqual(expect.arrayContaining(core.map(({ row }) => row)));
  });

  it('of internal messages are left to the writer, unless no account sent them', async () => {
    const cell = sample('storage', { in: atTime(MESSAGES.internal, 7n) });
    const { decoded } = await rowsOf([cell]);
    expect([decoded.messages.count, [...decoded.received.rowFrom]]).toEqual([
      0,
      [0, decoded.received.bytes.length],
    ]);
    const { decoded: system, messages } = await rowsOf([cell], { isSystem: true });
    expect([system.messages.count, [...system.received.rowFrom]]).toEqual([1, [0, 0]]);
    expect(messages).toMatchObject([{ ordinal: 0, lt: '7' }]);
  });

  it('replace the first bits of an address with its anycast prefix', async () => {
    const address = (builder: Builder) =>
      builder
        .storeUint(0b101, 3)
        .storeUint(12, 5)
        .storeUint(0xfff, 12)
        .storeInt(0, 8)
        .storeBuffer(ACCOUNT.hash);
    // ihr_disabled, bounce and bounced stand before the source.
    const whole = beginCell()
      .storeUint(0b0_1_1_0, 4)
      .store((to) => void address(to))
      .storeAddress(ACCOUNT)
      .storeCoins(5)
      .storeBit(0)
      .storeCoins(0)
      .storeCoins(0)
      .storeUint(7, 64)
      .storeUint(8, 32)
      .storeUint(0, 2)
      .endCell();
    const { bits, refs } = sample('storage');
    const messages = beginCell().storeMaybeRef(whole).storeBit(0).endCell();
    const cell = [messages, ...refs.slice(1)]
      .reduce((to, ref) => to.storeRef(ref), beginCell().storeBits(bits))
      .endCell();
    const { messages: rows } = await rowsOf([cell]);
    expect(rows).toMatchObject([
      {
        ordinal: 0,
        src8: `${accountPrefix(Buffer.from(`00fff${ACCOUNT.hash.toString('hex').slice(3)}`, 'hex'))}`,
        lt: '7',
        created_at: 8 - 2 ** 31,
      },
    ]);
  });
});
