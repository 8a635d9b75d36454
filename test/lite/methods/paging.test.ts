import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ListedTransaction,
  type ListRange,
  type ListTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
  type ReadRange,
  readBlockTransactions,
} from '../../../src/lite/methods/block-transactions.ts';
import type { LiteRequest } from '../../../src/lite/methods/codec.ts';
import { ProofFailure, type QueryServer } from '../../../src/lite/methods/proofs.ts';
import { getTransactions, readHistory } from '../../../src/lite/methods/transactions.ts';
import { buildTransaction } from '../../support/chain-builder/accounts.ts';
import { type BuiltBlock, buildBlock } from '../../support/chain-builder/block.ts';
import { type SampleChain, sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { createSampleServer } from '../../support/chain-builder/sample-server.ts';
import { decodeRequest } from '../../support/lite-server.ts';

const ON = { verify: true };
const ACCOUNTS = 3;
const TRANSACTIONS_EACH = 100;

/** A block with more transactions than one response holds. */
function busyBlock(chain: SampleChain): BuiltBlock {
  const { parts } = chain.shardBlocks.at(-1)!;
  const transactions = Array.from({ length: ACCOUNTS * TRANSACTIONS_EACH }, (_, i) =>
    buildTransaction({
      account: { workchain: 0, hash: Buffer.alloc(32, 0x10 + (i % ACCOUNTS)) },
      lt: parts.startLt + BigInt(1 + i),
      utime: parts.utime,
    }),
  );
  return buildBlock({ ...parts, endLt: parts.startLt + 1000n, transactions });
}

describe('readBlockTransactions and readHistory', () => {
  let chain: SampleChain;
  let busy: BuiltBlock;
  let requests: LiteRequest[];
  let ask: QueryServer;
  beforeAll(() => {
    chain = sampleChain();
    busy = busyBlock(chain);
    const server = createSampleServer({ ...chain, shardBlocks: [...chain.shardBlocks, busy] });
    ask = (request) => {
      requests.push(decodeRequest(request));
      return server(request);
    };
  });

  /** Reads transactions of a block, and says how many each page was to have. */
  async function readBlock<T extends ListedTransaction>(list: ListTransactions<T>, part: ReadRange = {}) {
    requests = [];
    const transactions: T[] = [];
    const listPage = (page: ListRange) => list(ask, busy.id, page, ON);
    const incomplete = await readBlockTransactions(listPage, part, (one) => transactions.push(one));
    return { transactions, incomplete, counts: countsOf(requests) };
  }

  it('read all transactions of a block, 256 at a time', async () => {
    const { transactions, incomplete, counts } = await readBlock(listBlockTransactions);
    expect(transactions).toHaveLength(ACCOUNTS * TRANSACTIONS_EACH);
    expect(incomplete).toBe(false);
    expect(new Set(transactions.map(({ hash }) => hash.toString('hex')))).toHaveLength(300);
    expect(counts).toEqual([256, 256]);
  });

  it('read the cells too, and no more than the limit', async () => {
    const { transactions, incomplete, counts } = await readBlock(listBlockTransactionsExt, { limit: 280 });
    expect(transactions).toHaveLength(280);
    expect(incomplete).toBe(true);
    expect(counts).toEqual([256, 24]);
    for (const { cells, cell, hash } of transactions) expect(cells.hash(cell)).toEqual(hash);
    const rest = await readBlock(listBlockTransactionsExt, { after: transactions.at(-1)! });
    expect(rest.transactions).toHaveLength(20);
    expect(rest.incomplete).toBe(false);
  });

  it('stop at a server that repeats unproven lists', async () => {
    const entry = { account: Buffer.alloc(32, 5), lt: 7n, hash: Buffer.alloc(32, 6) };
    const read = (transactions: readonly ListedTransaction[]) =>
      readBlockTransactions(
        async () => ({ transactions, incomplete: true }),
        {},
        () => undefined,
      );
    await expect(read([entry])).rejects.toThrow('transactions of a block are not in order');
    await expect(read([])).rejects.toThrow('an incomplete list of transactions is empty');
    await expect(read([])).rejects.toThrow(ProofFailure);
  });

  it('read a history, 16 at a time, down to a limit, a logical time, or the start', async () => {
    const account = chain.accounts.left;
    const own = chain.transactions.filter((made) => made.account === account);
    const read = async (limit: number, toLt?: bigint) => {
      requests = [];
      const hashes: Buffer[] = [];
      const previous = await readHistory(
        (place, count) => getTransactions(ask, account, place, count, ON),
        { from: own[0]!, limit, toLt },
        ({ hash }) => hashes.push(hash),
      );
      return { hashes, previous, counts: countsOf(requests) };
    };
    const whole = await read(1000);
    expect(whole.hashes).toEqual(own.map(({ hash }) => hash));
    expect(whole.previous).toEqual({ lt: 0n, hash: Buffer.alloc(32) });
    expect(whole.counts).toEqual([16, 16]);

    const part = await read(18);
    expect(part.hashes).toHaveLength(18);
    expect(part.previous).toEqual({ lt: own[18]!.lt, hash: own[18]!.hash });
    expect(part.counts).toEqual([16, 2]);

    const recent = await read(1000, own[5]!.lt);
    expect(recent.hashes).toEqual(own.slice(0, 5).map(({ hash }) => hash));
    expect(recent.counts).toEqual([16]);
    expect(await read(0)).toMatchObject({ hashes: [], counts: [] });
    expect(await read(10, own[0]!.lt)).toMatchObject({ hashes: [], counts: [] });
  });
});

function countsOf(requests: readonly LiteRequest[]): number[] {
  return requests.map((request) => ('count' in request ? request.count : 0));
}
