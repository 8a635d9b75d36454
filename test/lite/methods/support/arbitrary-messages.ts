import fc from 'fast-check';
import type { SignatureSet } from '../../../../src/chain/tl/signatures.ts';
import type {
  BlockLink,
  LiteMethod,
  LiteRequestOf,
  LiteResponseOf,
} from '../../../../src/lite/methods/codec.ts';
import {
  accountId,
  blockId,
  blockPlace,
  byMode,
  bytes,
  hash,
  int,
  list,
  long,
  uint,
  zeroStateId,
} from '../../../chain/tl/arbitrary-values.ts';

const method = <M extends LiteMethod>(name: M) => fc.constant(name);
const bool = fc.boolean();
const mode = uint;

const listRequest = { id: blockId, mode, count: uint, after: fc.record({ account: hash, lt: long }) };

/** Any request of each function. */
export const arbitraryRequests: { readonly [M in LiteMethod]: fc.Arbitrary<LiteRequestOf<M>> } = {
  getAccountState: fc.record({ method: method('getAccountState'), id: blockId, account: accountId }),
  getAccountStatePrunned: fc.record({
    method: method('getAccountStatePrunned'),
    id: blockId,
    account: accountId,
  }),
  getAllShardsInfo: fc.record({ method: method('getAllShardsInfo'), id: blockId }),
  getBlock: fc.record({ method: method('getBlock'), id: blockId }),
  getBlockHeader: fc.record({ method: method('getBlockHeader'), id: blockId, mode }),
  getBlockOutMsgQueueSize: fc.record({ method: method('getBlockOutMsgQueueSize'), mode, id: blockId }),
  getBlockProof: byMode(
    fc.record({ method: method('getBlockProof'), mode, knownBlock: blockId, targetBlock: blockId }),
    { targetBlock: 0 },
  ),
  getConfigAll: fc.record({ method: method('getConfigAll'), mode, id: blockId }),
  getConfigParams: fc.record({ method: method('getConfigParams'), mode, id: blockId, paramList: list(int) }),
  getDispatchQueueInfo: byMode(
    fc.record({
      method: method('getDispatchQueueInfo'),
      mode,
      id: blockId,
      afterAddr: hash,
      maxAccounts: int,
    }),
    { afterAddr: 1 },
  ),
  getLibraries: fc.record({ method: method('getLibraries'), libraryList: list(hash) }),
  getLibrariesWithProof: fc.record({
    method: method('getLibrariesWithProof'),
    id: blockId,
    mode,
    libraryList: list(hash),
  }),
  getMasterchainInfo: fc.record({ method: method('getMasterchainInfo') }),
  getMasterchainInfoExt: fc.record({ method: method('getMasterchainInfoExt'), mode }),
  getOneTransaction: fc.record({
    method: method('getOneTransaction'),
    id: blockId,
    account: accountId,
    lt: long,
  }),
  getOutMsgQueueSizes: byMode(
    fc.record({ method: method('getOutMsgQueueSizes'), mode, workchain: int, shard: long }),
    { workchain: 0, shard: 0 },
  ),
  getShardBlockProof: fc.record({ method: method('getShardBlockProof'), id: blockId }),
  getShardInfo: fc.record({
    method: method('getShardInfo'),
    id: blockId,
    workchain: int,
    shard: long,
    exact: bool,
  }),
  getState: fc.record({ method: method('getState'), id: blockId }),
  getTime: fc.record({ method: method('getTime') }),
  getTransactions: fc.record({
    method: method('getTransactions'),
    count: uint,
    account: accountId,
    lt: long,
    hash,
  }),
  getValidatorStats: byMode(
    fc.record({
      method: method('getValidatorStats'),
      mode,
      id: blockId,
      limit: int,
      startAfter: hash,
      modifiedAfter: uint,
    }),
    { startAfter: 0, modifiedAfter: 2 },
  ),
  getVersion: fc.record({ method: method('getVersion') }),
  listBlockTransactions: byMode(fc.record({ method: method('listBlockTransactions'), ...listRequest }), {
    after: 7,
  }),
  listBlockTransactionsExt: byMode(
    fc.record({ method: method('listBlockTransactionsExt'), ...listRequest }),
    { after: 7 },
  ),
  lookupBlock: byMode(
    fc.record({ method: method('lookupBlock'), mode, id: blockPlace, lt: long, utime: uint }),
    { lt: 1, utime: 2 },
  ),
  lookupBlockWithProof: byMode(
    fc.record({
      method: method('lookupBlockWithProof'),
      mode,
      id: blockPlace,
      mcBlockId: blockId,
      lt: long,
      utime: uint,
    }),
    { lt: 1, utime: 2 },
  ),
  'nonfinal.getPendingShardBlocks': byMode(
    fc.record({ method: method('nonfinal.getPendingShardBlocks'), mode, workchain: int, shard: long }),
    { workchain: 0, shard: 0 },
  ),
  runSmcMethod: fc.record({
    method: method('runSmcMethod'),
    mode,
    id: blockId,
    account: accountId,
    methodId: long,
    params: bytes,
  }),
  sendMessage: fc.record({ method: method('sendMessage'), body: bytes }),
};

const signatures = list(fc.record({ nodeIdShort: hash, signature: bytes }));

const signatureSet: fc.Arbitrary<SignatureSet> = fc.oneof(
  fc.record({
    kind: fc.constant('ordinary' as const),
    validatorSetHash: uint,
    catchainSeqno: uint,
    signatures,
  }),
  fc.record({
    kind: fc.constant('simplex' as const),
    catchainSeqno: uint,
    validatorSetHash: uint,
    signatures,
    sessionId: hash,
    slot: uint,
    candidate: bytes,
  }),
);

const linkEnds = { toKeyBlock: bool, from: blockId, to: blockId, destProof: bytes };
const blockLink: fc.Arbitrary<BlockLink> = fc.oneof(
  fc.record({ kind: fc.constant('back' as const), ...linkEnds, proof: bytes, stateProof: bytes }),
  fc.record({
    kind: fc.constant('forward' as const),
    ...linkEnds,
    configProof: bytes,
    signatures: signatureSet,
  }),
);

const shardLinks = list(fc.record({ id: blockId, proof: bytes }));
const libraries = list(fc.record({ hash, data: bytes }));
const masterchainInfo = { last: blockId, stateRootHash: hash, init: zeroStateId };
const accountState = fc.record({
  id: blockId,
  shardBlock: blockId,
  shardProof: bytes,
  proof: bytes,
  state: bytes,
});
const blockHeader = fc.record({ id: blockId, mode, headerProof: bytes });
const configInfo = fc.record({ mode, id: blockId, stateProof: bytes, configProof: bytes });
const metadata = fc.record({ mode, depth: int, initiator: accountId, initiatorLt: long });
const transactionId = byMode(fc.record({ mode, account: hash, lt: long, hash, metadata }), {
  account: 0,
  lt: 1,
  hash: 2,
  metadata: 8,
});

/** Any response of each function. */
export const arbitraryAnswers: { readonly [M in LiteMethod]: fc.Arbitrary<LiteResponseOf<M>> } = {
  getAccountState: accountState,
  getAccountStatePrunned: accountState,
  getAllShardsInfo: fc.record({ id: blockId, proof: bytes, data: bytes }),
  getBlock: fc.record({ id: blockId, data: bytes }),
  getBlockHeader: blockHeader,
  getBlockOutMsgQueueSize: byMode(fc.record({ mode, id: blockId, size: long, proof: bytes }), { proof: 0 }),
  getBlockProof: fc.record({ complete: bool, from: blockId, to: blockId, steps: list(blockLink) }),
  getConfigAll: configInfo,
  getConfigParams: configInfo,
  getDispatchQueueInfo: byMode(
    fc.record({
      mode,
      id: blockId,
      accountDispatchQueues: list(fc.record({ addr: hash, size: long, minLt: long, maxLt: long })),
      complete: bool,
      proof: bytes,
    }),
    { proof: 0 },
  ),
  getLibraries: fc.record({ result: libraries }),
  getLibrariesWithProof: fc.record({
    id: blockId,
    mode,
    result: libraries,
    stateProof: bytes,
    dataProof: bytes,
  }),
  getMasterchainInfo: fc.record(masterchainInfo),
  getMasterchainInfoExt: fc.record({
    ...masterchainInfo,
    mode,
    version: int,
    capabilities: long,
    lastUtime: uint,
    now: uint,
  }),
  getOneTransaction: fc.record({ id: blockId, proof: bytes, transaction: bytes }),
  getOutMsgQueueSizes: fc.record({
    shards: list(fc.record({ id: blockId, size: int })),
    extMsgQueueSizeLimit: int,
  }),
  getShardBlockProof: fc.record({ masterchainId: blockId, links: shardLinks }),
  getShardInfo: fc.record({ id: blockId, shardBlock: blockId, shardProof: bytes, shardDescr: bytes }),
  getState: fc.record({ id: blockId, rootHash: hash, fileHash: hash, data: bytes }),
  getTime: fc.record({ now: uint }),
  getTransactions: fc.record({ ids: list(blockId), transactions: bytes }),
  getValidatorStats: fc.record({
    mode,
    id: blockId,
    count: int,
    complete: bool,
    stateProof: bytes,
    dataProof: bytes,
  }),
  getVersion: fc.record({ mode, version: int, capabilities: long, now: uint }),
  listBlockTransactions: fc.record({
    id: blockId,
    reqCount: uint,
    incomplete: bool,
    ids: list(transactionId),
    proof: bytes,
  }),
  listBlockTransactionsExt: fc.record({
    id: blockId,
    reqCount: uint,
    incomplete: bool,
    transactions: bytes,
    proof: bytes,
  }),
  lookupBlock: blockHeader,
  lookupBlockWithProof: fc.record({
    id: blockId,
    mode,
    mcBlockId: blockId,
    clientMcStateProof: bytes,
    mcBlockProof: bytes,
    shardLinks,
    header: bytes,
    prevHeader: bytes,
  }),
  'nonfinal.getPendingShardBlocks': fc.record({ signedBlocks: list(blockId), candidates: list(blockId) }),
  runSmcMethod: byMode(
    fc.record({
      mode,
      id: blockId,
      shardBlock: blockId,
      shardProof: bytes,
      proof: bytes,
      stateProof: bytes,
      initC7: bytes,
      libExtras: bytes,
      exitCode: int,
      result: bytes,
    }),
    { shardProof: 0, proof: 0, stateProof: 1, initC7: 3, libExtras: 4, result: 2 },
  ),
  sendMessage: fc.record({ status: int }),
};
