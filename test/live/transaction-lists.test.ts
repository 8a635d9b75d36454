import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CellError } from '../../src/chain/boc/cells.ts';
import type { Transaction } from '../../src/chain/tlb/transaction.ts';
import { UnattributedProofFailure } from '../../src/lite/errors.ts';
import { ProofFailure } from '../../src/lite/methods/proofs.ts';
import {
  type BlockTransactionsQuery,
  listTransactionsInBlock,
  readTransactionsInBlock,
} from '../../src/live/blocks.ts';
import { openMessageSearch, readAccountHistory } from '../../src/live/history.ts';
import type { LiveCall } from '../../src/live/session.ts';
import type { LiteResponse } from '../support/lite-response.ts';
import { openSampleServers, type SampleServers } from '../v2/support/sample-servers.ts';

describe('transaction lists of a lite server', () => {
  /** Changes the lists in responses. */
  let change: (response: LiteResponse) => LiteResponse;
  let context: SampleServers;
  // New servers for each test: one that failed a proof is distrusted for a while.
  beforeEach(async () => {
    change = (response) => response;
    const lists = ['getTransactions', 'listBlockTransactions', 'listBlockTransactionsExt'];
    context = await openSampleServers([
      { answer: ({ method }, honest) => (lists.includes(method) ? change(honest()) : undefined) },
    ]);
  });
  afterEach(() => context.close());

  const createCall = () =>
    ({
      ports: context.ports,
      usedServers: [],
      group: undefined,
      signal: AbortSignal.timeout(10_000),
      deadlineMs: performance.now() + 10_000,
    }) as unknown as LiveCall;
  const blockQuery = (): BlockTransactionsQuery => {
    const { workchain, shard, seqno } = context.chain.shardBlocks.at(-1)!.id;
    return { workchain, shard, seqno, limit: 256, after: undefined };
  };
  const history = { from: undefined, limit: 4, toLt: 0n, archival: undefined };

  type Take = (transaction: Pick<Transaction, 'lt'>) => void;
  const readers: [string, (take: Take) => Promise<unknown>][] = [
    ['listTransactionsInBlock', (take) => listTransactionsInBlock(createCall(), blockQuery(), take)],
    ['readTransactionsInBlock', (take) => readTransactionsInBlock(createCall(), blockQuery(), take)],
    [
      'readAccountHistory',
      (take) => readAccountHistory(createCall(), context.chain.accounts.left, history, take),
    ],
  ];

  it.each(readers)('are returned by %s if they are proven', async (_, read) => {
    const lts: bigint[] = [];
    await read(({ lt }) => lts.push(lt));
    expect(lts.length).toBeGreaterThanOrEqual(4);
  });

  it.each(readers)('are rejected by %s without their first id', async (_, read) => {
    change = withoutFirst;
    const taken: unknown[] = [];
    const error: unknown = await read((transaction) => taken.push(transaction)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ProofFailure);
    expect((error as Error).message).toMatch(/^VALIDATE_TRANSACTION/);
    expect(taken).toEqual([]);
  });

  it.each(readers.slice(1))('fail the proof in %s if a deeper cell cannot be read', async (_, read) => {
    const cause = new CellError('a pruned cell');
    const failed = read(() => {
      throw cause;
    });
    await expect(failed).rejects.toMatchObject({
      name: 'ProofFailure',
      message: 'VALIDATE_TRANSACTIONa pruned cell',
      cause,
    });
  });

  it('are not blamed on the server if the caller named the block or transaction', async () => {
    change = withoutFirst;
    const { rootHash, fileHash } = context.chain.shardBlocks.at(-1)!.id;
    const named = { ...blockQuery(), rootHash, fileHash };
    const { left } = context.chain.accounts;
    const { lt, hash } = context.chain.transactions.find(({ account }) => account === left)!;
    for (const read of [
      listTransactionsInBlock(createCall(), named, () => {}),
      readTransactionsInBlock(createCall(), named, () => {}),
      readAccountHistory(createCall(), left, { ...history, from: { lt, hash } }, () => {}),
    ])
      await expect(read).rejects.toBeInstanceOf(UnattributedProofFailure);
  });

  it('fail the proof in a message search if a transaction cannot be parsed', async () => {
    const { left } = context.chain.accounts;
    const search = await openMessageSearch(createCall(), left);
    const { transactions } = await search.recent();
    const { cells } = transactions[0]!;
    const child = cells.ref(transactions[0]!.cell, 0);
    expect(() => search.read({ cells, cell: child })).toThrow(ProofFailure);
  });
});

/** The response with an item less than its proof or its bag of cells. */
function withoutFirst(response: LiteResponse): LiteResponse {
  if ('ids' in response) return { ...response, ids: response.ids.slice(1) } as LiteResponse;
  return { ...response, transactions: Buffer.alloc(0) } as LiteResponse;
}
