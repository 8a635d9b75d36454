import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import { getAccountState, getAccountStatePruned, NoSuchShard } from '../../../src/lite/methods/accounts.ts';
import {
  listBlockTransactions,
  listBlockTransactionsExt,
} from '../../../src/lite/methods/block-transactions.ts';
import {
  getBlockBytes,
  getBlockHeader,
  getStateRootHash,
  getZeroState,
} from '../../../src/lite/methods/blocks.ts';
import type { LiteRequest } from '../../../src/lite/methods/codec.ts';
import {
  CONFIG_WITH_PREVIOUS_BLOCKS,
  getConfigAll,
  getConfigParams,
} from '../../../src/lite/methods/config.ts';
import { runSmcMethod } from '../../../src/lite/methods/get-methods.ts';
import { getLibraries, getLibrariesWithProof } from '../../../src/lite/methods/libraries.ts';
import { lookupBlock, lookupBlockWithProof } from '../../../src/lite/methods/lookups.ts';
import { sendMessage } from '../../../src/lite/methods/messages.ts';
import {
  LiteNetworkError,
  ProofFailure,
  type QueryServer,
  queryUnproven,
} from '../../../src/lite/methods/proofs.ts';
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from '../../../src/lite/methods/queues.ts';
import {
  getAllShardsInfo,
  getPendingShardBlocks,
  getShardBlockProof,
} from '../../../src/lite/methods/shards.ts';
import { getTransactions } from '../../../src/lite/methods/transactions.ts';
import { LEFT, sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { createSampleServer } from '../../support/chain-builder/sample-server.ts';
import { decodeRequest } from '../../support/lite-server.ts';

const ON = { verify: true };
const chain = sampleChain();
const server = createSampleServer(chain);
const head = chain.masterchain.at(-1)!;
const block = chain.shardBlocks[4]!;
const { left } = chain.accounts;
const [newest] = chain.transactions.filter(({ account }) => account === left);
const key = { workchain: 0, shard: LEFT };

/** The honest server, and what it was asked. */
function recording(): { ask: QueryServer; requests: LiteRequest[] } {
  const requests: LiteRequest[] = [];
  const ask: QueryServer = (request) => {
    requests.push(decodeRequest(request));
    return server(request);
  };
  return { ask, requests };
}

/** All queries whose responses are checked. */
const CHECKED: Record<string, (ask: QueryServer, options: typeof ON) => Promise<unknown>> = {
  getAccountState: (ask, options) => getAccountState(ask, head.id, left, options),
  getAccountStatePruned: (ask, options) => getAccountStatePruned(ask, head.id, left, options),
  getAllShardsInfo: (ask, options) => getAllShardsInfo(ask, head.id, options),
  getBlockBytes: (ask, options) => getBlockBytes(ask, block.id, options),
  getBlockHeader: (ask, options) => getBlockHeader(ask, block.id, options, 1),
  getBlockOutMsgQueueSize: (ask, options) => getBlockOutMsgQueueSize(ask, block.id, options),
  getConfigAll: (ask, options) => getConfigAll(ask, head.id, options),
  getConfigParams: (ask, options) => getConfigParams(ask, head.id, [8], options),
  getLibraries: (ask, options) => getLibraries(ask, [chain.library.hash()], options),
  getLibrariesWithProof: (ask, options) =>
    getLibrariesWithProof(ask, head.id, [chain.library.hash()], options),
  getShardBlockProof: (ask, options) => getShardBlockProof(ask, block.id, options),
  getStateRootHash: (ask, options) => getStateRootHash(ask, head.id, options),
  getTransactions: (ask, options) => getTransactions(ask, left, newest!, 16, options),
  getZeroState: (ask, options) => getZeroState(ask, chain.zeroState.id, options),
  listBlockTransactions: (ask, options) => listBlockTransactions(ask, block.id, { count: 3 }, options),
  listBlockTransactionsExt: (ask, options) => listBlockTransactionsExt(ask, block.id, { count: 3 }, options),
  lookupBlock: (ask, options) => lookupBlock(ask, { ...key, seqno: 4 }, options),
  lookupBlockWithProof: (ask, options) =>
    lookupBlockWithProof(ask, head.id, { ...key, lt: 4_000_001n }, options),
  runSmcMethod: (ask, options) =>
    runSmcMethod(ask, { block: head.id, account: left, methodId: 85143n, params: Buffer.alloc(0) }, options),
};

// The pool sends these by itself.
const getMasterchainInfo = (ask: QueryServer) => queryUnproven(ask, 'getMasterchainInfo', {});
const getTime = (ask: QueryServer) => queryUnproven(ask, 'getTime', {});

const PLAIN: Record<string, (ask: QueryServer) => Promise<unknown>> = {
  getMasterchainInfo,
  getOutMsgQueueSizes: (ask) => getOutMsgQueueSizes(ask),
  getPendingShardBlocks,
  getTime,
  sendMessage: (ask) => sendMessage(ask, Buffer.from('body')),
};

describe('lite methods', () => {
  it.each(Object.entries(CHECKED))('%s sends one query and returns what is proven', async (_name, query) => {
    const { ask, requests } = recording();
    expect(await query(ask, ON)).toBeDefined();
    expect(requests).toHaveLength(1);
    expect(await query(ask, { verify: false })).toBeDefined();
  });

  it.each(Object.entries(CHECKED))('%s refuses a malformed response', async (_name, query) => {
    for (const options of [ON, { verify: false }]) {
      await expect(query(async () => Buffer.alloc(0), options)).rejects.toThrow(ProofFailure);
      await expect(query(async () => Buffer.alloc(200), options)).rejects.toThrow(/^VALIDATE_[A-Z_]+/);
    }
  });

  it.each(Object.entries({ ...CHECKED, ...PLAIN }))(
    '%s throws the refusal of a server',
    async (_name, query) => {
      const failing: QueryServer = async () => {
        throw new LiteServerError(651, 'not in db');
      };
      await expect(query(failing, ON)).rejects.toThrow('LITE_SERVER_NOTREADY: not in db');
    },
  );

  it.each(Object.entries(PLAIN))('%s returns the response of the server unproven', async (_name, query) => {
    expect(await query(server)).toBeDefined();
    await expect(query(async () => Buffer.alloc(8))).rejects.toThrow(LiteNetworkError);
  });

  it('return the values of the chain', async () => {
    expect((await getMasterchainInfo(server)).last).toEqual(head.id);
    expect((await getTime(server)).now).toBe(1_700_000_100);
    expect(await sendMessage(server, Buffer.from('body'))).toBe(1);
    expect(
      (await getOutMsgQueueSizes(server, { workchain: -1, shard: WHOLE_SHARD })).extMsgQueueSizeLimit,
    ).toBe(8000);
    expect((await getAccountState(server, head.id, left, ON)).lastTransLt).toBe(newest!.lt);
    expect(await getBlockOutMsgQueueSize(server, block.id, ON)).toBe(4);
    expect((await lookupBlock(server, { ...key, seqno: 4 }, ON)).block).toEqual(block.id);
    const { cells, cell } = await getConfigParams(server, head.id, [8], ON);
    expect(configParam(cells, cell, 8)).toBeGreaterThan(0);
    const found = await lookupBlockWithProof(server, head.id, { ...key, utime: block.utime }, ON);
    expect(found.block).toEqual(block.id);
    const run = { block: head.id, account: left, methodId: 85143n, params: Buffer.alloc(0) };
    expect(await runSmcMethod(server, run, ON)).toMatchObject({ exitCode: 0 });
  });

  it('request proofs only with verify', async () => {
    const { ask, requests } = recording();
    for (const options of [ON, { verify: false }]) {
      await listBlockTransactions(ask, block.id, { count: 3 }, options);
      await listBlockTransactionsExt(ask, block.id, { count: 3, reverse: true }, options);
      await getBlockOutMsgQueueSize(ask, block.id, options);
    }
    expect(requests.map((request) => ('mode' in request ? request.mode : undefined))).toEqual([
      7 | 32,
      7 | 32 | 64,
      1,
      7,
      7 | 64,
      0,
    ]);
    await getConfigAll(ask, head.id, ON, CONFIG_WITH_PREVIOUS_BLOCKS);
    expect(requests.at(-1)).toMatchObject({ mode: 128 });
  });

  it('throw NoSuchShard for a workchain that does not exist', async () => {
    await expect(getAccountState(server, head.id, { ...left, workchain: 9 }, ON)).rejects.toThrow(
      NoSuchShard,
    );
  });

  it('send no query for the transactions before the first', async () => {
    const { ask, requests } = recording();
    expect(await getTransactions(ask, left, { lt: 0n, hash: Buffer.alloc(32) }, 16, ON)).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('query libraries in batches of 16, each hash once', async () => {
    const hash = chain.library.hash();
    const others = Array.from({ length: 20 }, (_, i) => Buffer.alloc(32, i));
    for (const query of [
      getLibraries,
      (ask: QueryServer, hashes: Buffer[]) => getLibrariesWithProof(ask, head.id, hashes, ON),
    ]) {
      const { ask, requests } = recording();
      const found = await query(ask, [hash, ...others, hash, ...others], ON);
      expect(found.map((library) => library.hash)).toEqual([hash]);
      expect(requests.map((request) => ('libraryList' in request ? request.libraryList.length : 0))).toEqual([
        16, 5,
      ]);
    }
  });
});
