import { beginCell } from '@ton/core';
import type { AccountId } from '../../../src/chain/address.ts';
import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../../../src/chain/block-id.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { ReadRecorder } from '../../../src/chain/boc/merkle.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { shardContains } from '../../../src/chain/shards.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { iterateTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import {
  previousBlocks,
  readBlockExtra,
  readBlockInfo,
  readBlockRoot,
} from '../../../src/chain/tlb/block.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { lookUpLibrary } from '../../../src/chain/tlb/libraries.ts';
import { readMasterchainExtra } from '../../../src/chain/tlb/masterchain-block.ts';
import {
  lookUpOldMcBlock,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { findShard, topBlock } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState, readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import type { LiteRequestOf, LiteResponseOf } from '../../../src/lite/methods/codec.ts';
import type { LookupKey } from '../../../src/lite/methods/lookups.ts';
import type { ShardBlockLink } from '../../../src/lite/methods/shards.ts';
import { makeMerkleProof } from '../../chain/support/proofs.ts';
import type { BuiltTransaction } from './accounts.ts';
import type { BuiltBlock } from './block.ts';
import { bagOf, flatCells, proofBag, type Shown, showHeader, showRead } from './cells.ts';
import type { SampleChain } from './sample-chain.ts';
import { storeShardHashes } from './states.ts';

const NOT_READY = 651;

/** The block with an id; throws the error of a lite server if it is missing. */
export function blockOf(chain: SampleChain, id: BlockId): BuiltBlock {
  const blocks = id.workchain === MASTERCHAIN ? chain.masterchain : chain.shardBlocks;
  const found = blocks.find((block) => sameBlock(block.id, id));
  if (found === undefined) throw new LiteServerError(NOT_READY, `block ${shortBlockName(id)} is not in db`);
  return found;
}

/** The result of a look-up: the block with a seqno, or the first one that ends at a given time or later. */
export function lookUpBlock(chain: SampleChain, { id, mode, lt, utime }: LookupKey): BuiltBlock {
  const blocks = id.workchain === MASTERCHAIN ? chain.masterchain : chain.shardBlocks;
  const own = blocks.filter((block) => shardContains(block.id.shard, id.shard));
  const found = own.find((block) => {
    if (mode & 2) return block.endLt >= lt!;
    return mode & 4 ? block.utime >= utime! : block.id.seqno === id.seqno;
  });
  if (found === undefined) throw new LiteServerError(NOT_READY, `cannot find block ${shortBlockName(id)}`);
  return found;
}

/** The ids of the previous blocks. */
function blocksBefore(block: BuiltBlock): BlockId[] {
  const cells = flatCells(block.root);
  return previousBlocks(readBlockInfo(cells, readBlockRoot(cells, cells.root).info));
}

/** The blocks from the first masterchain block that includes a shard block down to it. */
function wayTo(chain: SampleChain, target: BlockId): { from: BuiltBlock; way: BlockId[] } {
  for (const from of chain.masterchain)
    for (const top of from.parts.masterchain!.shards) {
      const way = wayDown(chain, top.id, target);
      if (way !== undefined) return { from, way };
    }
  throw new LiteServerError(NOT_READY, `block ${shortBlockName(target)} is not applied`);
}

function wayDown(chain: SampleChain, at: BlockId, target: BlockId): BlockId[] | undefined {
  if (sameBlock(at, target)) return [at];
  if (at.seqno <= target.seqno) return undefined;
  for (const before of blocksBefore(blockOf(chain, at))) {
    const way = wayDown(chain, before, target);
    if (way !== undefined) return [at, ...way];
  }
  return undefined;
}

const EMPTY = Buffer.alloc(0);
const NO_HASH = Buffer.alloc(32);

/** The id that nodes use for a missing block. */
export const NO_BLOCK: BlockId = {
  workchain: -0x80000000,
  shard: 0n,
  seqno: 0,
  rootHash: NO_HASH,
  fileHash: NO_HASH,
};

/** Responds to getAccountState, or with `form` proof to getAccountStatePrunned. */
export function answerAccountState(
  chain: SampleChain,
  id: BlockId,
  account: AccountId,
  form: 'whole' | 'proof',
): LiteResponseOf<'getAccountState'> {
  const reference = blockOf(chain, id);
  const ownShard = id.workchain === account.workchain;
  const [shardProof, shardId] = ownShard ? [EMPTY, id] : findAccountShard(reference, account);
  if (sameBlock(shardId, NO_BLOCK))
    return { id, shardBlock: NO_BLOCK, shardProof, proof: EMPTY, state: EMPTY };
  const block = blockOf(chain, shardId);
  const shown = showRead(block.state, (cells, root) =>
    lookUpShardAccount(cells, readShardState(cells, root).accounts, account.hash),
  );
  const proof = proofBag(showHeader(block.root), shown);
  const state = shown.value === undefined ? EMPTY : accountBytes(block, shown.value.account, form);
  return { id, shardBlock: shardId, shardProof, proof, state };
}

/** The shard block that a masterchain block names for an account, and the proof. */
function findAccountShard(reference: BuiltBlock, { workchain, hash }: AccountId): [Buffer, BlockId] {
  if (reference.id.workchain !== MASTERCHAIN) throw new Error('not a masterchain block');
  const shown = showRead(reference.state, (cells, root) => {
    const { shardHashes } = readMcStateExtra(cells, readShardState(cells, root).custom);
    const leaf = { workchain, shard: hash.readBigInt64BE(0) | 1n };
    return findShard(cells, shardHashes, leaf, false);
  });
  const proof = proofBag(showHeader(reference.root), shown);
  return [proof, shown.value === undefined ? NO_BLOCK : topBlock(shown.value.descr)];
}

function accountBytes(block: BuiltBlock, cell: number, form: 'whole' | 'proof'): Buffer {
  const cells = flatCells(block.state);
  if (form === 'whole') return bagOf(toCoreCell(cells, cell));
  const recorder = new ReadRecorder(cells);
  readAccount(recorder, cell);
  return makeMerkleProof(cells, cell, recorder.read);
}

/** Opens only the header of a block. */
function showInfo(block: BuiltBlock): Shown<void> {
  return showRead(block.root, (cells, root) => {
    readBlockInfo(cells, readBlockRoot(cells, root).info);
  });
}

/** Responds to getBlockHeader and lookupBlock; bit 0 of the mode adds the state update. */
export function answerHeader(block: BuiltBlock, mode: number): LiteResponseOf<'getBlockHeader'> {
  const shown = mode & 1 ? showHeader(block.root) : showInfo(block);
  return { id: block.id, mode, headerProof: proofBag(shown) };
}

/** Responds to getAllShardsInfo. */
export function answerAllShards(chain: SampleChain, id: BlockId): LiteResponseOf<'getAllShardsInfo'> {
  const block = blockOf(chain, id);
  const shown = showRead(block.root, (cells, cell) => shardHashesOf(cells, cell));
  const data = storeShardHashes(beginCell(), block.parts.masterchain!.shards).endCell();
  return { id, proof: proofBag(shown), data: bagOf(data) };
}

/** The root of ShardHashes in a masterchain block. */
function shardHashesOf(cells: Cells, block: number): number {
  const { masterchain } = readBlockExtra(cells, readBlockRoot(cells, block).extra);
  return readMasterchainExtra(cells, masterchain).shardHashes;
}

/** Responds to getShardBlockProof. */
export function answerShardBlockProof(chain: SampleChain, id: BlockId): LiteResponseOf<'getShardBlockProof'> {
  if (id.workchain === MASTERCHAIN) return { masterchainId: id, links: [] };
  const { from, way } = wayTo(chain, id);
  return { masterchainId: from.id, links: linksOf(chain, from, way) };
}

function linksOf(chain: SampleChain, from: BuiltBlock, way: readonly BlockId[]): ShardBlockLink[] {
  return way.map((id, i) => {
    if (i > 0) return { id, proof: proofBag(showInfo(blockOf(chain, way[i - 1]!))) };
    const shown = showRead(from.root, (cells, cell) =>
      findShard(cells, shardHashesOf(cells, cell), id, true),
    );
    return { id, proof: proofBag(shown) };
  });
}

/** Responds to lookupBlockWithProof. */
export function answerLookup(
  chain: SampleChain,
  key: LookupKey,
  reference: BlockId,
): LiteResponseOf<'lookupBlockWithProof'> {
  const block = lookUpBlock(chain, key);
  const inMasterchain = block.id.workchain === MASTERCHAIN;
  const { from, way } = inMasterchain ? { from: block, way: [] } : wayTo(chain, block.id);
  const before = blocksBefore(block).find(({ shard }) => shardContains(shard, key.id.shard));
  const head = blockOf(chain, reference);
  const old = showRead(head.state, (cells, root) => {
    const { info } = readMcStateExtra(cells, readShardState(cells, root).custom);
    lookUpOldMcBlock(cells, readMcStateInfo(cells, info).prevBlocks.root, from.id.seqno);
  });
  return {
    id: block.id,
    mode: key.mode,
    mcBlockId: from.id,
    clientMcStateProof: from === head ? EMPTY : proofBag(showHeader(head.root)),
    mcBlockProof: from === head ? EMPTY : proofBag(old),
    shardLinks: linksOf(chain, from, way),
    header: proofBag(showInfo(block)),
    prevHeader: key.mode & 6 ? proofBag(showInfo(blockOf(chain, before!))) : EMPTY,
  };
}

const WITH_PREVIOUS_BLOCKS = 128;

/** Opens all cells below a cell. */
function openAll(cells: Cells, cell: number): void {
  cells.assertReadable(cell);
  for (let i = 0; i < cells.refCount(cell); i++) openAll(cells, cells.ref(cell, i));
}

/** Responds to getConfigAll, or getConfigParams if a list of parameters is given. */
export function answerConfig(
  chain: SampleChain,
  id: BlockId,
  mode: number,
  params?: readonly number[],
): LiteResponseOf<'getConfigAll'> {
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { config, info } = readMcStateExtra(cells, readShardState(cells, root).custom);
    if (mode & WITH_PREVIOUS_BLOCKS) openAll(cells, info);
    if (params === undefined) openAll(cells, config);
    else
      for (const index of params) {
        const param = configParam(cells, config, index);
        if (param >= 0) openAll(cells, param);
      }
  });
  return { mode, id, stateProof: proofBag(showHeader(block.root)), configProof: proofBag(shown) };
}

/** The library of the network, if requested. */
export function libraryEntries(
  { library }: SampleChain,
  hashes: readonly Buffer[],
): LiteResponseOf<'getLibraries'>['result'] {
  const hash = library.hash();
  return hashes.some((asked) => asked.equals(hash)) ? [{ hash, data: bagOf(library) }] : [];
}

/** Responds to getLibrariesWithProof. */
export function answerLibraries(
  chain: SampleChain,
  id: BlockId,
  mode: number,
  hashes: readonly Buffer[],
): LiteResponseOf<'getLibrariesWithProof'> {
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { libraries } = readShardStateTotals(cells, readShardState(cells, root).totals);
    return hashes.filter((hash) => lookUpLibrary(cells, libraries, hash) >= 0);
  });
  const result = libraryEntries(chain, shown.value);
  return { id, mode, result, stateProof: proofBag(showHeader(block.root)), dataProof: proofBag(shown) };
}

/** Responds to getBlockOutMsgQueueSize. */
export function answerQueueSize(
  chain: SampleChain,
  id: BlockId,
  mode: number,
): LiteResponseOf<'getBlockOutMsgQueueSize'> {
  const block = blockOf(chain, id);
  const shown = showRead(
    block.state,
    (cells, root) =>
      readOutMsgQueueInfo(cells, readShardState(cells, root).outMsgQueueInfo).extra!.outQueueSize!,
  );
  const proof = mode & 1 ? proofBag(showHeader(block.root), shown) : undefined;
  return { mode, id, size: BigInt(shown.value), proof };
}

const MAX_LISTED = 256;
const MAX_HISTORY = 16;
const WITH_PROOF = 32;
const REVERSE = 64;

type ListRequest = LiteRequestOf<'listBlockTransactions' | 'listBlockTransactionsExt'>;

/** The transactions of a block that a request lists, and the proof if requested. */
function listOf(chain: SampleChain, request: ListRequest) {
  const { id, mode, count, after } = request;
  const { parts, root } = blockOf(chain, id);
  const reverse = (mode & REVERSE) !== 0;
  const order = (a: BuiltTransaction, b: { account: Buffer; lt: bigint }): number =>
    (a.account.hash.compare(b.account) || (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)) * (reverse ? -1 : 1);
  const all = (parts.transactions ?? [])
    .toSorted((a, b) => order(a, { account: b.account.hash, lt: b.lt }))
    .filter((made) => after === undefined || order(made, after) > 0);
  const limit = Math.min(count, MAX_LISTED);
  const listed = all.slice(0, limit);
  const shown = showRead(root, (cells, cell) => {
    const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
    const entries = iterateTransactions(cells, accountBlocks, { after, reverse });
    for (let i = 0; i < limit && !entries.next().done; i++);
  });
  const proof = mode & WITH_PROOF ? proofBag(shown) : EMPTY;
  return { listed, rest: { id, reqCount: count, incomplete: listed.length === limit, proof } };
}

/** Responds to listBlockTransactions. */
export function answerList(
  chain: SampleChain,
  request: ListRequest,
): LiteResponseOf<'listBlockTransactions'> {
  const { listed, rest } = listOf(chain, request);
  const mode = request.mode & 7;
  return { ...rest, ids: listed.map(({ account, lt, hash }) => ({ mode, account: account.hash, lt, hash })) };
}

/** Responds to listBlockTransactionsExt. */
export function answerListExt(
  chain: SampleChain,
  request: ListRequest,
): LiteResponseOf<'listBlockTransactionsExt'> {
  const { listed, rest } = listOf(chain, request);
  return { ...rest, transactions: listed.length === 0 ? EMPTY : bagOf(...listed.map(({ cell }) => cell)) };
}

/** Responds to getTransactions. */
export function answerHistory(
  chain: SampleChain,
  request: LiteRequestOf<'getTransactions'>,
): LiteResponseOf<'getTransactions'> {
  const own = chain.transactions.filter(({ account }) => account.hash.equals(request.account.hash));
  const first = own.findIndex(({ lt }) => lt === request.lt);
  if (first < 0)
    throw new LiteServerError(0, 'cannot locate transaction in block with specified logical time');
  if (!own[first]!.hash.equals(request.hash)) throw new LiteServerError(0, 'transaction hash mismatch');
  const page = own.slice(first, first + Math.min(request.count, MAX_HISTORY));
  return { ids: page.map(({ block }) => block), transactions: bagOf(...page.map(({ cell }) => cell)) };
}
