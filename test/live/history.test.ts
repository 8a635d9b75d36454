import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/chain/address.ts';
import { openMessageSearch } from '../../src/live/history.ts';
import type { LiveCall } from '../../src/live/session.ts';
import { openSampleServers, type SampleServers } from '../v2/support/sample-servers.ts';

describe('openMessageSearch', () => {
  let context: SampleServers;
  beforeAll(async () => {
    context = await openSampleServers([{}]);
  });
  afterAll(() => context.close());

  const open = (account: AccountId) => {
    const call = {
      ports: context.ports,
      usedServers: [],
      group: undefined,
      signal: AbortSignal.timeout(10_000),
    };
    return openMessageSearch(
      { ...call, deadlineMs: performance.now() + 10_000 } as unknown as LiveCall,
      account,
    );
  };
  const own = (account: AccountId) => context.chain.transactions.filter((made) => made.account === account);

  it('returns the last transactions of an account and the end of its shard', async () => {
    const { left, mc } = context.chain.accounts;
    for (const account of [left, mc]) {
      const { transactions, endLt } = await (await open(account)).recent();
      expect(transactions.map(({ hash }) => hash)).toEqual(
        own(account)
          .slice(0, 16)
          .map(({ hash }) => hash),
      );
      const blocks = account === mc ? context.chain.masterchain : context.chain.shardBlocks;
      expect(endLt).toBe(blocks.at(-1)!.endLt);
    }
  });

  it('returns no transactions and the end of the shard for an account that does not exist', async () => {
    const search = await open({ workchain: 0, hash: Buffer.alloc(32, 0x23) });
    const endLt = context.chain.shardBlocks.at(-1)!.endLt;
    expect(await search.recent()).toEqual({ transactions: [], endLt });
  });

  it('finds the blocks of an account one after the other across a split and a merge', async () => {
    for (const account of [context.chain.accounts.left, context.chain.accounts.right]) {
      const search = await open(account);
      const found = [await search.blockAt(0n)];
      for (let i = 1; i < 6; i++) found.push(await search.blockAt(found.at(-1)!.info.endLt + 1n));
      const expected = context.chain.shardBlocks.filter(({ parts }) =>
        parts.transactions!.some((made) => made.account === account),
      );
      expect(expected).toHaveLength(6);
      expect(found.map(({ block }) => block)).toEqual(expected.map(({ id }) => id));
    }
  });

  it('finds the transactions of an account in a block in both directions', async () => {
    const { left, right } = context.chain.accounts;
    for (const account of [left, right]) {
      const search = await open(account);
      const header = await search.blockAt(2_000_000n);
      expect(header.block.seqno).toBe(2);
      const lts = own(account).flatMap(({ block, lt }) => (block.seqno === 2 ? [lt] : []));
      const [fourth, third, second, first] = lts;
      const ask = async (lt: bigint, count: number, reverse = false) => {
        const found = await search.inBlock(header, { lt, count, reverse });
        return { lts: found.own.map((one) => one.lt), more: found.more };
      };
      expect(await ask(0n, 3)).toEqual({ lts: [first, second, third], more: true });
      // Nothing follows the last account of a block; transactions of the next account follow any other.
      expect(await ask(third!, 3)).toEqual({ lts: [fourth], more: false });
      expect(await ask(fourth!, 3)).toEqual({ lts: [], more: false });
      expect(await ask(third!, 1, true)).toEqual({ lts: [second], more: true });
      expect((await ask(first!, 1, true)).lts).toEqual([]);
    }
  });

  it('names the failed step in the error text', async () => {
    const search = await open(context.chain.accounts.left);
    await expect(search.blockAt(10n ** 12n)).rejects.toThrow(
      /^failed to lookup block by given lt: LITE_SERVER_NOTREADY: cannot find block/,
    );
  });
});
