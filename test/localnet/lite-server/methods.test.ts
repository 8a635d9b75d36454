import { beginCell, Cell, Dictionary } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BlockId,
  MASTERCHAIN,
  sameBlock,
  shortBlockName,
  WHOLE_SHARD,
} from '../../../src/chain/block-id.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { shardsIntersect } from '../../../src/chain/shards.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { encodeRequest, type LiteRequest } from '../../../src/lite/methods/codec.ts';
import { type CheckedRequest, checkAnswer } from '../../lite/methods/support/check-answer.ts';
import { LOWEST_LT, storeAugmentedE } from '../../support/chain-builder/cells.ts';
import { LEFT, RIGHT, type SampleChain } from '../../support/chain-builder/sample-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sampleStore } from '../support/sample-store.ts';
import { answersFrom, NOW, type TestAnswers } from './support/answers.ts';

/** A built network: it splits and merges, has a key block, and a masterchain block that brings two blocks a shard. */
describe('the lite server of a built chain', () => {
  let chain: SampleChain;
  let answers: TestAnswers;
  let head: BlockId;
  beforeAll(() => {
    const sample = sampleStore();
    chain = sample.chain;
    answers = answersFrom(sample.store);
    head = sample.store.head;
  });

  /** Sends a request and checks the proof of the response. */
  async function check<R extends CheckedRequest>(request: R): Promise<ReturnType<typeof checkAnswer<R>>> {
    return checkAnswer(request, await answers.bytes(encodeRequest(request as LiteRequest)));
  }
  const allBlocks = () => [...chain.masterchain, ...chain.shardBlocks];

  it('reports the head, its clock and its version', async () => {
    const { rootHash, fileHash } = chain.zeroState.id;
    const info = await answers.ask({ method: 'getMasterchainInfo' });
    expect(info.last).toEqual(head);
    expect(info.stateRootHash).toEqual(chain.masterchain.at(-1)!.state.hash());
    expect(info.init).toEqual({ workchain: MASTERCHAIN, rootHash, fileHash });
    // It has the shards of every block, which mode 1 asks for.
    for (const mode of [0, 1])
      expect(await answers.ask({ method: 'getMasterchainInfoExt', mode })).toMatchObject({
        ...info,
        mode,
        lastUtime: chain.masterchain.at(-1)!.utime,
        now: NOW,
        version: 257,
      });
    expect(await answers.ask({ method: 'getTime' })).toEqual({ now: NOW });
    expect(await answers.ask({ method: 'getVersion' })).toMatchObject({ version: 257, capabilities: 15n });
  });

  it('returns every block and its header', async () => {
    for (const { id, bytes } of allBlocks()) {
      const block = await check({ method: 'getBlock', id });
      expect(block.equals(bytes)).toBe(true);
      for (const mode of [0, 1, 2, 16, 0xffff]) {
        const header = await check({ method: 'getBlockHeader', id, mode });
        expect(header.info.seqno).toBe(id.seqno);
      }
    }
  });

  it('returns whole states, and zero states in their original bytes', async () => {
    const zero = await answers.ask({ method: 'getState', id: chain.zeroState.id });
    expect(zero.data.equals(chain.zeroState.bytes)).toBe(true);
    for (const { id, state } of allBlocks())
      expect((await answers.ask({ method: 'getState', id })).rootHash).toEqual(state.hash());
  });

  it('proves accounts at every masterchain block, and the absence of one that does not exist', async () => {
    for (const { id } of chain.masterchain)
      for (const account of Object.values(chain.accounts)) {
        const whole = await check({ method: 'getAccountState', id, account });
        const last = chain.transactions.find(
          (made) => made.account.hash.equals(account.hash) && made.block.seqno <= whole.shardBlock.seqno,
        );
        expect(whole.lastTransLt).toBe(last?.lt);
        const pruned = await check({ method: 'getAccountStatePrunned', id, account });
        expect(pruned.lastTransLt).toBe(last?.lt);
      }
    const nobody = { workchain: 0, hash: Buffer.alloc(32, 0x77) };
    expect((await check({ method: 'getAccountState', id: head, account: nobody })).account).toBeUndefined();
  });

  it('proves the shards of every masterchain block', async () => {
    for (const { id, parts } of chain.masterchain) {
      const tops = parts.masterchain!.shards.map((top) => shortBlockName(top.id));
      const shards = await check({ method: 'getAllShardsInfo', id });
      expect(shards.map(shortBlockName)).toEqual(tops);
      for (const shard of [LEFT, RIGHT, WHOLE_SHARD])
        for (const exact of [true, false]) {
          const info = await answers.ask({ method: 'getShardInfo', id, workchain: 0, shard, exact });
          if (info.shardDescr.length > 0) expect(tops).toContain(shortBlockName(info.shardBlock));
          else expect(info.shardBlock.shard).toBe(0n);
        }
    }
  });

  it('proves shard blocks, also those between two top blocks', async () => {
    for (const { id } of chain.shardBlocks) {
      await check({ method: 'getShardBlockProof', id });
      const proof = await answers.ask({ method: 'getShardBlockProof', id });
      expect(proof.links).toHaveLength(id.seqno === 4 ? 2 : 1);
    }
    const own = await answers.ask({ method: 'getShardBlockProof', id: head });
    expect(own).toEqual({ masterchainId: head, links: [] });
  });

  it('finds blocks by seqno, logical time and time', async () => {
    for (const { id, endLt, utime } of allBlocks()) {
      const keys = [
        { mode: 1, id },
        { mode: 2, id, lt: endLt },
        { mode: 4, id, utime },
      ];
      for (const key of keys) {
        const place = { workchain: id.workchain, shard: id.shard, seqno: key.mode === 1 ? id.seqno : 0 };
        const found = await answers.ask({ ...key, method: 'lookupBlock', id: place });
        await check({ ...key, method: 'lookupBlock', id: place });
        // The whole workchain, as a prefix, lies in its right half.
        const isItself = sameBlock(found.id, id) || id.shard === WHOLE_SHARD;
        expect(isItself, shortBlockName(id)).toBe(true);
        if (id.seqno > 1) await check({ ...key, method: 'lookupBlockWithProof', id: place, mcBlockId: head });
      }
    }
  });

  it('lists the transactions of every block in pages of any size, in both orders', async () => {
    for (const { id, parts } of allBlocks()) {
      const all = (parts.transactions ?? []).map(({ hash }) => hash.toString('hex'));
      for (const count of [1, 3, 256])
        for (const reverse of [0, 64]) expect(await pages(id, count, reverse)).toHaveLength(all.length);
      expect((await pages(id, 256, 0)).toSorted()).toEqual(all.toSorted());
    }
  });

  /** Hashes of all transactions of a block, page by page; the two functions must agree. */
  async function pages(id: BlockId, count: number, reverse: number): Promise<string[]> {
    const found: string[] = [];
    for (let after: { account: Buffer; lt: bigint } | undefined; ; ) {
      const request = { id, count, mode: 39 | reverse | (after ? 128 : 0), after };
      const page = await check({ ...request, method: 'listBlockTransactions' });
      const full = await check({ ...request, method: 'listBlockTransactionsExt' });
      const hashes = page.transactions.map(({ hash }) => hash.toString('hex'));
      expect(full.transactions.map(({ hash }) => hash.toString('hex'))).toEqual(hashes);
      found.push(...hashes);
      if (!page.incomplete) return found;
      const { account, lt } = page.transactions.at(-1)!;
      after = { account, lt };
    }
  }

  it('returns the history of an account, sixteen transactions at a time', async () => {
    const { left } = chain.accounts;
    const own = chain.transactions.filter(({ account }) => account.hash.equals(left.hash));
    expect(own.length).toBeGreaterThan(16);
    const { lt, hash } = own[0]!;
    const history = await check({ method: 'getTransactions', account: left, lt, hash, count: 100 });
    expect(history).toHaveLength(16);
    const oldest = own.at(-1)!;
    const end = await check({
      method: 'getTransactions',
      account: left,
      lt: oldest.lt,
      hash: oldest.hash,
      count: 5,
    });
    expect(end).toHaveLength(1);
    for (const { block: id, lt: one } of own) {
      const found = await answers.ask({ method: 'getOneTransaction', id, account: left, lt: one });
      expect(found.transaction.length).toBeGreaterThan(0);
    }
    const { block: id } = own[0]!;
    const none = await answers.ask({ method: 'getOneTransaction', id, account: left, lt: lt + 1n });
    expect(none.transaction).toHaveLength(0);
  });

  it('proves the configuration before and after a key block', async () => {
    for (const { id } of chain.masterchain)
      for (const mode of [0, 0x200, 0x8000]) {
        if (mode === 0x8000 && id.seqno < 3) continue;
        await check({ method: 'getConfigAll', id, mode });
        await check({ method: 'getConfigParams', id, mode, paramList: [8, -7, 999] });
      }
    const early = chain.masterchain[1]!.id;
    const none = await answers.refusal({ method: 'getConfigAll', id: early, mode: 0x8000 });
    expect(none.message).toContain(' : not in db');
  });

  it('proves libraries, and the absence of those that do not exist', async () => {
    const hashes = [chain.library.hash(), Buffer.alloc(32, 9)];
    const found = await answers.ask({ method: 'getLibraries', libraryList: hashes });
    expect(found.result.map(({ hash }) => hash)).toEqual([hashes[0]]);
    for (const { id } of chain.masterchain)
      for (const mode of [0, 1]) {
        const libraries = await check({ method: 'getLibrariesWithProof', id, mode, libraryList: hashes });
        expect(libraries).toHaveLength(id.seqno >= 3 ? 1 : 0);
      }
  });

  it('shows signed shard blocks of the next step, and serves them by their id, to those who may ask', async () => {
    const { steps, store } = sampleStore(4);
    const { refusal } = answersFrom(store);
    const all = { method: 'nonfinal.getPendingShardBlocks', mode: 0 } as const;
    expect(await refusal(all)).toEqual({ code: 0, message: 'query is not allowed' });
    const asking = answersFrom(store, { showsSigned: true });
    expect(await asking.ask(all)).toEqual({ signedBlocks: [], candidates: [] });
    const next = steps[4]!;
    store.showSigned(next.shards);
    const { signedBlocks } = await asking.ask(all);
    expect(signedBlocks).toHaveLength(next.shards.length);
    const inLeft = signedBlocks.filter(({ shard }) => shardsIntersect(shard, LEFT));
    expect(await asking.ask({ ...all, mode: 1, workchain: 0, shard: LEFT })).toMatchObject({
      signedBlocks: inLeft,
    });
    const id = signedBlocks[0]!;
    const answer = await asking.ask({ method: 'getBlock', id });
    expect(answer.data.equals(next.shards[0]!.load())).toBe(true);
    const state = await asking.ask({ method: 'getState', id });
    expect(state.rootHash).toEqual(chain.shardBlocks.find((block) => sameBlock(block.id, id))!.state.hash());
    // No masterchain block leads there yet.
    expect(await asking.refusal({ method: 'getShardBlockProof', id })).toBeDefined();
    store.showSigned([]);
    expect((await asking.refusal({ method: 'getBlock', id })).message).toContain('not in db');
    store.showSigned(next.shards);
    store.append(next);
    expect(await asking.ask(all)).toEqual({ signedBlocks: [], candidates: [] });
    expect((await asking.ask({ method: 'getBlock', id })).data.equals(answer.data)).toBe(true);
  });

  it('proves the sizes of out-queues and counts the blocks of validators', async () => {
    for (const { id } of allBlocks())
      expect(await check({ method: 'getBlockOutMsgQueueSize', id, mode: 1 })).toBe(
        id.workchain === MASTERCHAIN ? 0 : id.seqno,
      );
    const { shards } = await answers.ask({ method: 'getOutMsgQueueSizes', mode: 0 });
    expect(shards.map(({ id, size }) => [id.seqno, size])).toEqual([
      [7, 0],
      [6, 6],
    ]);
    const one = { mode: 1, workchain: 0, shard: LEFT };
    expect((await answers.ask({ method: 'getOutMsgQueueSizes', ...one })).shards).toHaveLength(1);
    const stats = await answers.ask({ method: 'getValidatorStats', id: head, mode: 0, limit: 1 });
    expect(stats).toMatchObject({ count: 1, complete: false });
    const all = await answers.ask({ method: 'getValidatorStats', id: head, mode: 0, limit: 10 });
    expect(all).toMatchObject({ count: 2, complete: true });
    const queue = await answers.ask({ method: 'getDispatchQueueInfo', id: head, mode: 1, maxAccounts: 5 });
    expect(queue).toMatchObject({ accountDispatchQueues: [], complete: true });
  });

  it('proves older masterchain blocks and refuses a step forward without signatures', async () => {
    const memory = { load: async () => undefined, save: async () => undefined };
    for (const { id: to } of chain.masterchain.slice(0, -1)) {
      const request = { method: 'getBlockProof', mode: 1, knownBlock: head, targetBlock: to } as const;
      const prover = await createHeadProver({ anchor: head, store: memory, log: createQuietLog() });
      await prover.prove(() => answers.bytes(encodeRequest(request)), to);
    }
    const forward = { method: 'getBlockProof', mode: 0, knownBlock: chain.zeroState.id } as const;
    const { code, message } = await answers.refusal(forward);
    expect(code).toBe(651);
    expect(message).toMatch(
      /^cannot load proof for \(-1,8000000000000000,3\):.*the signatures .* are not known here$/,
    );
  });
});

/** Accounts by the first byte of their ids, and the logical times of the messages they deferred. */
const QUEUES: readonly [firstByte: number, lts: readonly number[]][] = [
  [0x10, [5, 9, 7]],
  [0x20, [3]],
  [0xf0, [8, 2]],
];

function idOf(firstByte: number): Buffer {
  return Buffer.alloc(32).fill(firstByte, 0, 1);
}

/** A state with deferred messages in place of its empty queues. */
function withQueues(state: Cell): Cell {
  const entries = QUEUES.map(([firstByte, lts]) => {
    const messages = Dictionary.empty(Dictionary.Keys.BigUint(64), Dictionary.Values.Cell());
    for (const lt of lts) messages.set(BigInt(lt), new Cell());
    return {
      key: BigInt(`0x${idOf(firstByte).toString('hex')}`),
      extra: BigInt(Math.min(...lts)),
      value: beginCell().storeDict(messages).storeUint(lts.length, 48),
    };
  });
  const info = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeBit(0).storeBit(1).storeUint(0, 4);
  const queue = storeAugmentedE(info, entries, 256, LOWEST_LT).storeBit(0).endCell();
  return new Cell({ bits: state.bits, refs: [queue, ...state.refs.slice(1)] });
}

describe('getDispatchQueueInfo', () => {
  const { chain, store } = sampleStore();
  const { id, state } = chain.shardBlocks.at(-1)!;
  const bag = fromCoreCell(withQueues(state));
  const answers = answersFrom({ ...store, head: store.head, state: () => ({ cells: bag, cell: bag.root }) });
  const list = (maxAccounts: number, after?: number) =>
    answers.ask({
      method: 'getDispatchQueueInfo',
      mode: after === undefined ? 0 : 2,
      id,
      maxAccounts,
      afterAddr: after === undefined ? undefined : idOf(after),
    });

  it('lists deferred messages by account, with their number, first and last logical time', async () => {
    const { accountDispatchQueues, complete } = await list(10);
    expect(complete).toBe(true);
    expect(accountDispatchQueues).toEqual([
      { addr: idOf(0x10), size: 3n, minLt: 5n, maxLt: 9n },
      { addr: idOf(0x20), size: 1n, minLt: 3n, maxLt: 3n },
      { addr: idOf(0xf0), size: 2n, minLt: 2n, maxLt: 8n },
    ]);
  });

  it('returns pages', async () => {
    const first = await list(2);
    expect(first.accountDispatchQueues.map(({ addr }) => addr[0])).toEqual([0x10, 0x20]);
    expect(first.complete).toBe(false);
    const rest = await list(2, 0x20);
    expect(rest.accountDispatchQueues.map(({ addr }) => addr[0])).toEqual([0xf0]);
    expect(rest.complete).toBe(true);
    // A full page is the last one if nothing follows.
    expect((await list(3)).complete).toBe(true);
  });

  it('refuses a request for no accounts', async () => {
    const request = { method: 'getDispatchQueueInfo', mode: 0, id, maxAccounts: 0 } as const;
    expect((await answers.refusal(request)).message).toBe('invalid max_accounts');
  });
});
