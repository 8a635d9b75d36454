import { type Builder, beginCell, type Cell, type Message } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readTransaction } from '../../../src/chain/tlb/transaction.ts';
import { putTransaction } from '../../../src/indexer/decode/decode-seqno.ts';
import { createSeqnoParts } from '../../../src/indexer/decode/seqno-parts.ts';
import {
  ACCOUNT,
  DESCRIPTIONS,
  hashOf,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../../chain/support/transaction-samples.ts';
import { type DecodedTables, openDecodedTables } from './support/check-seqnos.ts';
import { type Row, rowsOfCells } from './support/core-rows.ts';

let tables: DecodedTables;
let lastSeqno = 0;

beforeAll(async () => {
  tables = await openDecodedTables();
});
afterAll(() => tables?.close());

/** Writes transactions as those of a seqno of their own and reads their rows from the database. */
async function rowsOf(cells: readonly Cell[], globalVersion = 14) {
  const mcSeqno = ++lastSeqno;
  const parts = createSeqnoParts(mcSeqno, globalVersion);
  const id = { workchain: 0, shard: WHOLE_SHARD, seqno: 9 };
  const hashes = { rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) };
  for (const cell of cells) {
    const bag = readBoc(cell.toBoc());
    const transaction = readTransaction(bag, bag.root, 0);
    const account = accountKey(0, transaction.account.hash);
    putTransaction(parts, { ...id, ...hashes }, transaction, {
      account,
      isSystem: false,
      states: { after: undefined, before: undefined },
    });
  }
  await tables.put('transactions', parts.transactions.rows());
  await tables.put('messages', parts.messages.rows());
  const own = (rows: Row[]) => rows.filter((row) => row.mc_seqno === mcSeqno);
  return {
    transactions: own(await tables.rows('transactions')),
    messages: own(await tables.rows('messages')),
    place: { mcSeqno, globalVersion, id },
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
    const [expected] = rowsOfCells([cell], place).transactions;
    const nothing = {
      balance: null,
      balance_extra: null,
      code_hash: null,
      data_hash: null,
      frozen_hash: null,
    };
    expect(transactions).toEqual([{ ...expected, ...nothing }]);
  });

  it('cover both transactions of a merge, and a suspended account', async () => {
    const split = (builder: Builder) =>
      builder.storeUint(3, 6).storeUint(9, 6).storeUint(hashOf(4), 256).storeUint(hashOf(5), 256);
    const storage = (builder: Builder) => builder.storeCoins(17).storeBit(0).storeBit(0);
    const withDescription = (store: (builder: Builder) => void): Cell => {
      const { bits, refs } = sample('storage');
      const start = refs.slice(0, -1).reduce((to, ref) => to.storeRef(ref), beginCell().storeBits(bits));
      return start.storeRef(beginCell().store(store)).endCell();
    };
    const prepare = withDescription((to) => {
      to.storeUint(0b0110, 4).store(split).store(storage).storeBit(1);
    });
    const install = withDescription((to) => {
      to.storeUint(0b0111, 4).store(split).storeRef(prepare).storeBit(1).store(storage);
      to.storeBit(1).storeBit(0).storeCoins(5).storeBit(0).storeUint(0b0110, 4).storeUint(0b0_0_1, 3);
    });
    const info = {
      split_cur_shard_pfx_len: 3,
      split_acc_split_depth: 9,
      split_this_addr: '04'.repeat(32),
      split_sibling_addr: '05'.repeat(32),
      storage_fees_collected: '17',
      storage_fees_due: null,
      storage_status_change: 'unchanged',
    };
    const { transactions } = await rowsOf([prepare]);
    expect(transactions).toMatchObject([
      { ...info, kind: 'merge_prepare', aborted: true, destroyed: null, compute_skipped: null, credit: null },
    ]);
    expect((await rowsOf([install])).transactions).toMatchObject([
      {
        ...info,
        kind: 'merge_install',
        aborted: false,
        destroyed: true,
        credit: '5',
        credit_extra: null,
        compute_skipped: true,
        compute_skip_reason: 'suspended',
        compute_success: null,
      },
    ]);
  });
});

describe('message rows', () => {
  it.each([3, 11, 12, 14])('cover all kinds at global version %s', async (version) => {
    const inbound = Object.values(MESSAGES).map((message, i) =>
      sample('storage', { in: atTime(message as Message, 7n), lt: BigInt(100 + i) }),
    );
    const sent: readonly Message[] = [MESSAGES.internal, MESSAGES.deploying, MESSAGES.log];
    const out = sent.map((message, i) => atTime(message, BigInt(20 + i)));
    const cells = [...inbound, sample('storage', { out, lt: 200n })];
    const { messages, place } = await rowsOf(cells, version);
    const expected = rowsOfCells(cells, place).messages;
    expect(messages).toHaveLength(expected.length);
    expect(messages).toEqual(expect.arrayContaining([...expected]));
    const flags = messages
      .filter(({ value }) => value !== null)
      .map(({ extra_flags }) => extra_flags !== null);
    expect(new Set(flags)).toEqual(new Set([version >= 12]));
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
        peer: `00fff${ACCOUNT.hash.toString('hex').slice(3)}`,
        lt: '7',
        created_at: '8',
        value: '5',
      },
    ]);
  });
});
