import { WHOLE_SHARD } from '../../../../src/chain/block-id.ts';
import { LEFT, RIGHT, type SampleChain } from '../../../support/chain-builder/sample-chain.ts';
import type { CheckedRequest } from './check-answer.ts';

const LISTED = 7;
const WITH_PROOF = 32;
const REVERSE = 64;
const AFTER = 128;

/** One request of each kind, and of each case of a kind, about a built network. */
export function builtRequests(chain: SampleChain): Record<string, CheckedRequest> {
  const { masterchain, shardBlocks, accounts, transactions, library, zeroState } = chain;
  const head = masterchain.at(-1)!.id;
  const beforeMerge = masterchain[4]!.id;
  const [first] = masterchain;
  const block = shardBlocks.find(({ id }) => id.seqno === 4 && id.shard === LEFT)!;
  const merged = shardBlocks.at(-1)!;
  const nobody = { workchain: 0, hash: Buffer.alloc(32, 0x7b) };
  const newest = transactions.find(({ account }) => account === accounts.left)!;
  const oldest = transactions.findLast(({ account }) => account === accounts.left)!;
  const listed = block.parts.transactions![1]!;
  const after = { account: listed.account.hash, lt: listed.lt };
  const list = { id: block.id, count: 2 };
  const place = (shard: bigint, seqno = 0) => ({ workchain: 0, shard, seqno });
  const mcPlace = (seqno = 0) => ({ workchain: -1, shard: WHOLE_SHARD, seqno });
  const other = Buffer.alloc(32, 9);
  return {
    'an account': { method: 'getAccountState', id: beforeMerge, account: accounts.right },
    'an account of the masterchain': { method: 'getAccountState', id: head, account: accounts.mc },
    'an account that is not there': { method: 'getAccountState', id: head, account: nobody },
    'an account as its shard sees it': { method: 'getAccountState', id: block.id, account: accounts.left },
    'an account without code': { method: 'getAccountStatePrunned', id: head, account: accounts.left },
    'a method': {
      method: 'runSmcMethod',
      mode: 7,
      id: head,
      account: accounts.left,
      methodId: 1n,
      params: Buffer.alloc(0),
    },
    'all shards': { method: 'getAllShardsInfo', id: beforeMerge },
    'a block': { method: 'getBlock', id: block.id },
    'a zero state': { method: 'getState', id: zeroState.id },
    'a header': { method: 'getBlockHeader', id: head, mode: 0 },
    'a header after a split': { method: 'getBlockHeader', id: shardBlocks[2]!.id, mode: 1 },
    'a header after a merge': { method: 'getBlockHeader', id: merged.id, mode: 0 },
    'a shard block below another': { method: 'getShardBlockProof', id: block.id },
    'a shard block before a merge': { method: 'getShardBlockProof', id: shardBlocks[6]!.id },
    'a masterchain block by itself': { method: 'getShardBlockProof', id: head },
    'a look-up by seqno': { method: 'lookupBlock', mode: 1, id: mcPlace(3) },
    'a look-up by lt': { method: 'lookupBlock', mode: 2, id: place(RIGHT), lt: 4_000_001n },
    'a look-up by utime': { method: 'lookupBlock', mode: 4, id: mcPlace(), utime: first!.utime },
    'a proven look-up by seqno': {
      method: 'lookupBlockWithProof',
      mode: 1,
      id: place(LEFT, 4),
      mcBlockId: head,
    },
    'a proven look-up of a parent shard': {
      method: 'lookupBlockWithProof',
      mode: 1,
      id: place(LEFT, 2),
      mcBlockId: head,
    },
    'a proven look-up by lt': {
      method: 'lookupBlockWithProof',
      mode: 2,
      id: place(RIGHT),
      mcBlockId: head,
      lt: 4_000_001n,
    },
    'a proven look-up by utime': {
      method: 'lookupBlockWithProof',
      mode: 4,
      id: mcPlace(),
      mcBlockId: head,
      utime: first!.utime + 7,
    },
    'a proven look-up over a merge': {
      method: 'lookupBlockWithProof',
      mode: 2,
      id: place(RIGHT),
      mcBlockId: head,
      lt: merged.startLt,
    },
    'a proven look-up of the reference itself': {
      method: 'lookupBlockWithProof',
      mode: 1,
      id: mcPlace(head.seqno),
      mcBlockId: head,
    },
    'transactions of a block': {
      method: 'listBlockTransactions',
      mode: LISTED | WITH_PROOF,
      ...list,
      count: 256,
    },
    'the first transactions of a block': {
      method: 'listBlockTransactions',
      mode: LISTED | WITH_PROOF,
      ...list,
    },
    'transactions after one': {
      method: 'listBlockTransactions',
      mode: LISTED | WITH_PROOF | AFTER,
      ...list,
      after,
    },
    'transactions backwards': {
      method: 'listBlockTransactions',
      mode: LISTED | WITH_PROOF | REVERSE,
      ...list,
    },
    'transactions backwards after one': {
      method: 'listBlockTransactions',
      mode: LISTED | WITH_PROOF | REVERSE | AFTER,
      ...list,
      after,
    },
    'transactions of two accounts': {
      method: 'listBlockTransactionsExt',
      mode: LISTED | WITH_PROOF,
      id: merged.id,
      count: 256,
    },
    'some transactions with cells': {
      method: 'listBlockTransactionsExt',
      mode: LISTED | WITH_PROOF | AFTER,
      ...list,
      after,
    },
    'a history': {
      method: 'getTransactions',
      count: 16,
      account: accounts.left,
      lt: newest.lt,
      hash: newest.hash,
    },
    'the start of a history': {
      method: 'getTransactions',
      count: 16,
      account: accounts.left,
      lt: oldest.lt,
      hash: oldest.hash,
    },
    'the configuration': { method: 'getConfigAll', mode: 0, id: head },
    'some parameters': { method: 'getConfigParams', mode: 0, id: head, paramList: [8, -7, 99] },
    'libraries by hash': { method: 'getLibraries', libraryList: [library.hash(), other] },
    'a library': { method: 'getLibrariesWithProof', id: head, mode: 0, libraryList: [library.hash(), other] },
    'a library before its time': {
      method: 'getLibrariesWithProof',
      id: first!.id,
      mode: 0,
      libraryList: [library.hash()],
    },
    'the size of a queue': { method: 'getBlockOutMsgQueueSize', mode: 1, id: block.id },
  };
}
