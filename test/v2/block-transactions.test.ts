import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatFriendly, formatRaw } from '../../src/chain/address.ts';
import type { BlockId } from '../../src/chain/block-id.ts';
import { buildTransaction } from '../support/chain-builder/accounts.ts';
import { type BuiltBlock, buildBlock } from '../support/chain-builder/block.ts';
import { sampleChain } from '../support/chain-builder/sample-chain.ts';
import { blockJson } from './support/block-json.ts';
import { openSampleServers, type SampleServers } from './support/sample-servers.ts';

const ACCOUNTS = 3;
const IN_BUSY = 300;

/** A block with more transactions than a lite server returns at once. */
function busyBlock({ parts }: BuiltBlock): BuiltBlock {
  const transactions = Array.from({ length: IN_BUSY }, (_, i) =>
    buildTransaction({
      account: { workchain: 0, hash: Buffer.alloc(32, 0x10 + (i % ACCOUNTS)) },
      lt: parts.startLt + BigInt(1 + i),
      utime: parts.utime,
    }),
  );
  return buildBlock({ ...parts, endLt: parts.startLt + 1000n, transactions });
}

describe('getBlockTransactions and getBlockTransactionsExt', () => {
  let context: SampleServers;
  let busy: BuiltBlock;
  /** Returns another block than the requested one. */
  let isCareless = false;

  beforeAll(async () => {
    const chain = sampleChain();
    busy = busyBlock(chain.shardBlocks.at(-1)!);
    const shardBlocks = [...chain.shardBlocks, busy];
    const answer: Parameters<typeof openSampleServers>[0][0]['answer'] = (request, honest) => {
      if (isCareless && request.method === 'listBlockTransactions')
        Object.assign(request, { id: placed(shardBlocks, request.id) });
      return honest();
    };
    context = await openSampleServers([{ answer }], { ...chain, shardBlocks });
  });
  afterAll(() => context.close());

  const placed = (blocks: readonly BuiltBlock[], { shard, seqno }: BlockId) =>
    blocks.find(({ id }) => id.shard === shard && id.seqno === seqno)!.id;
  const nameOf = (id: BlockId) => {
    const { workchain, shard, seqno, root_hash, file_hash } = blockJson(id);
    return { workchain, shard, seqno, root_hash, file_hash };
  };
  const placeOf = ({ workchain, shard, seqno }: BlockId) => ({ workchain, shard: String(shard), seqno });

  async function list(method: string, params: object) {
    const { status, body } = await context.call(method, params);
    expect(status, body.error).toBe(200);
    return body.result;
  }
  async function refusal(params: object) {
    const { status, body } = await context.call('getBlockTransactions', params);
    return `${status} ${body.error}`;
  }
  const counts = (method: string) =>
    context.requests[0]!.flatMap((one) => (one.method === method && 'count' in one ? [one.count] : []));

  it('list more ids than a lite server returns at once', async () => {
    context.requests[0]!.length = 0;
    const all = await list('getBlockTransactions', { ...nameOf(busy.id), count: 10_000 });
    expect(all).toMatchObject({
      '@type': 'blocks.transactions',
      id: blockJson(busy.id),
      req_count: 10_000,
      incomplete: false,
    });
    expect(all.transactions).toHaveLength(IN_BUSY);
    expect(counts('listBlockTransactions')).toEqual([256, 256]);
    const sorted = busy.parts.transactions!.toSorted(
      (a, b) => a.account.hash.compare(b.account.hash) || Number(a.lt - b.lt),
    );
    expect(all.transactions).toEqual(
      sorted.map(({ account, lt, hash }) => ({
        '@type': 'blocks.shortTxId',
        mode: 135,
        account: formatRaw(account, 'lower'),
        lt: String(lt),
        hash: hash.toString('base64'),
      })),
    );
    for (const [count, asked] of [
      [256, [256]],
      [257, [256, 1]],
      [300, [256, 44]],
    ] as const) {
      context.requests[0]!.length = 0;
      const some = await list('getBlockTransactions', { ...nameOf(busy.id), count });
      expect(some.transactions).toEqual(all.transactions.slice(0, count));
      expect(some.incomplete).toBe(true);
      expect(counts('listBlockTransactions')).toEqual(asked);
    }
  });

  it('return more transactions than a lite server returns at once', async () => {
    const all = await list('getBlockTransactionsExt', { ...nameOf(busy.id), count: 10_000 });
    expect(all).toMatchObject({ '@type': 'blocks.transactionsExt', incomplete: false, req_count: 10_000 });
    const names = await list('getBlockTransactions', { ...nameOf(busy.id), count: 10_000 });
    const short = all.transactions.map(
      (one: { account: string; transaction_id: { lt: string; hash: string } }) => ({
        '@type': 'blocks.shortTxId',
        mode: 135,
        account: one.account.toLowerCase(),
        lt: one.transaction_id.lt,
        hash: one.transaction_id.hash,
      }),
    );
    expect(short).toEqual(names.transactions);
    expect(all.transactions[0]).toMatchObject({
      '@type': 'raw.transactionExt',
      account: `0:${'10'.repeat(32)}`,
      fee: '1',
      storage_fee: '1',
      other_fee: '0',
      out_msgs: [],
    });
    expect(all.transactions[0]).not.toHaveProperty('in_msg');
  });

  it('continue after a transaction whose account is given in any form', async () => {
    const all = await list('getBlockTransactions', { ...nameOf(busy.id), count: 300 });
    const last = all.transactions[120];
    const account = { workchain: 0, hash: Buffer.alloc(32, 0x11) };
    expect(last.account).toBe(formatRaw(account, 'lower'));
    for (const after_hash of [
      last.account,
      formatFriendly(account, { bounceable: false, testOnly: true }),
      account.hash.toString('hex'),
      account.hash.toString('base64'),
    ]) {
      const rest = await list('getBlockTransactions', {
        ...nameOf(busy.id),
        count: 10_000,
        after_lt: last.lt,
        after_hash,
      });
      expect(rest.transactions).toEqual(all.transactions.slice(121));
      expect(rest.incomplete).toBe(false);
    }
  });

  it('ignore a single hash and use both hashes', async () => {
    const { id, parts } = context.chain.shardBlocks.find((one) => one.id.seqno === 4)!;
    for (const hashes of [{}, { root_hash: '00'.repeat(32) }]) {
      const found = await list('getBlockTransactions', { ...placeOf(id), ...hashes });
      expect(found).toMatchObject({ id: blockJson(id), req_count: 40, incomplete: false });
      expect(found.transactions).toHaveLength(parts.transactions!.length);
    }
  });

  it('distrust no lite server for a block that does not exist', async () => {
    const made = { ...nameOf(context.chain.shardBlocks[0]!.id), root_hash: '11'.repeat(32) };
    expect(await refusal(made)).toMatch(/^500 LITE_SERVER_NOTREADY: block .* is not in db$/);
    isCareless = true;
    expect(await refusal(made)).toBe('500 VALIDATE_TRANSACTIONLiteserver responded with wrong block');
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
    isCareless = false;
  });

  it('return the error text of the lite server for a block that does not exist yet', async () => {
    const future = { workchain: -1, shard: '-9223372036854775808', seqno: 99_999_999 };
    expect(await refusal(future)).toMatch(/^500 LITE_SERVER_NOTREADY: cannot find block/);
  });
});
