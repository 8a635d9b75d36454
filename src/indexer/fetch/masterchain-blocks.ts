import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError, type Cells } from '../../chain/boc/cells.ts';
import { previousBlocks, readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import { configParam, readGlobalVersion } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { LiteTimeout, NoLiteServer, ProofFailure } from '../../lite/errors.ts';
import { getBlockBytes, getZeroState } from '../../lite/methods/blocks.ts';
import { lookupBlock, lookupBlockWithProof } from '../../lite/methods/lookups.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { type RetryOptions, retryUntilDone } from '../retry.ts';
import { type FetchContext, onServer } from './fetch-context.ts';

/** A block as it came; its bytes have the file hash of its id. */
export interface FetchedBlock {
  readonly id: BlockId;
  readonly bytes: Buffer;
}

/** The chain of the lite servers is another one than that which was followed so far: it was reset, or put back. */
export class ChainDiverged extends Error {
  readonly seqno: number;

  constructor(seqno: number, detail: string) {
    super(`The chain is not the one that was indexed: ${detail}`);
    this.name = 'ChainDiverged';
    this.seqno = seqno;
  }
}

/** Which masterchain blocks are fetched. */
export interface FetchRange {
  readonly from: number;
  /** Left out: for ever, as blocks are made. */
  readonly to?: number | undefined;
  /** The root hash of the block before the range, if it is known; another one throws ChainDiverged. */
  readonly previousHash?: Buffer | undefined;
  /** Whether a head before the range means that the chain was put back; on public networks servers only lag. */
  readonly mayGoBack?: boolean;
}

/** A masterchain block with all that is needed to fetch what it commits. */
export interface MasterchainStep extends ShardTops {
  readonly block: MasterchainBlock;
  readonly globalVersion: number;
}

/** Where a range begins. */
interface Beginning {
  readonly before: BlockId;
  readonly topsBefore: readonly BlockId[];
  readonly globalVersion: number;
}

const MAX_WINDOW_BLOCKS = 32;
/** It is looked at so often whether the chain was put back. */
const HEAD_WAIT_MS = 1000;

/** The masterchain blocks of a range in ascending order. Trouble is waited out; only ChainDiverged is thrown. */
export async function* masterchainBlocks(
  context: FetchContext,
  { from, to = Number.POSITIVE_INFINITY, previousHash, mayGoBack = false }: FetchRange,
): AsyncGenerator<MasterchainStep, void> {
  const retry: RetryOptions = {
    log: context.log,
    signal: context.signal,
    onTrouble: context.onTrouble,
    task: 'fetch masterchain blocks',
    isFinal: (error) => error instanceof ChainDiverged,
  };
  const headOf = (seqno: number, known: number) =>
    retryUntilDone(() => waitForHead(context, seqno, mayGoBack ? known : 0), {
      ...retry,
      task: 'see the head',
    });
  const begin = () => (from === 1 ? beginAtZero(context) : beginAfter(context, from - 1, previousHash));
  await headOf(from - 1, previousHash === undefined ? 0 : from - 1);
  let { before, topsBefore, globalVersion } = await retryUntilDone(begin, retry);
  let windowBlocks = MAX_WINDOW_BLOCKS;
  while (before.seqno < to) {
    const first = before.seqno + 1;
    const head = await headOf(first, first - 1);
    const blocks = await retryUntilDone(() => {
      const last = Math.min(first + windowBlocks - 1, to, head.seqno);
      // What fails is tried in smaller pieces: all of a window must come in one session.
      windowBlocks = Math.ceil(windowBlocks / 2);
      return fetchWindow(context, first, last);
    }, retry);
    windowBlocks = Math.min(windowBlocks * 4, MAX_WINDOW_BLOCKS);
    if (!sameBlock(blocks[0]!.facts.previous, before))
      throw new ChainDiverged(first, `block ${first} does not follow the block ${first - 1} that is known`);
    for (const block of blocks) {
      const { facts, id } = block;
      globalVersion = facts.globalVersion ?? globalVersion;
      yield { mcSeqno: id.seqno, block, tops: facts.tops, topsBefore, globalVersion };
      topsBefore = facts.tops;
      before = id;
    }
  }
}

/** The head once it is at least `seqno`, however long that takes; one before `known` throws ChainDiverged. */
async function waitForHead({ pool, signal }: FetchContext, seqno: number, known: number): Promise<BlockId> {
  while (true) {
    const { head } = pool;
    if (head !== undefined && head.seqno < known)
      throw new ChainDiverged(known, `its newest block is ${head.seqno}, and ${known} was indexed`);
    try {
      return await pool.waitForSeqno(seqno, { timeoutMs: HEAD_WAIT_MS, signal });
    } catch (error) {
      if (!(error instanceof LiteTimeout)) throw error;
    }
  }
}

/** Chains of shards that begin in the range are followed to their zero states, so none is known before. */
async function beginAtZero(context: FetchContext): Promise<Beginning> {
  const before = context.pool.zeroState;
  return { before, topsBefore: [], globalVersion: await versionOfZeroState(context) };
}

async function beginAfter(
  context: FetchContext,
  seqno: number,
  previousHash: Buffer | undefined,
): Promise<Beginning> {
  const [block] = await fetchWindow(context, seqno, seqno);
  const { id, facts } = block!;
  if (previousHash !== undefined && !previousHash.equals(id.rootHash))
    throw new ChainDiverged(seqno, `its block ${seqno} is another one than that which was indexed`);
  const globalVersion = facts.globalVersion ?? (await versionOfKeyBlock(context, facts.prevKeyBlockSeqno));
  return { before: id, topsBefore: facts.tops, globalVersion };
}

/** From the block itself: old states are not kept by every server, blocks are. */
async function versionOfKeyBlock(context: FetchContext, seqno: number): Promise<number> {
  if (seqno === 0) return versionOfZeroState(context);
  const [block] = await fetchWindow(context, seqno, seqno);
  return block!.facts.globalVersion ?? 0;
}

async function versionOfZeroState(context: FetchContext): Promise<number> {
  const { pool, check } = context;
  const state = await onServer(context, 1, ({ query }) => getZeroState(query, pool.zeroState, check));
  const { custom } = readShardState(state, state.root);
  return globalVersionOf(state, readMcStateExtra(state, custom).config);
}

/** What is known around a masterchain block: the newest blocks of all shards in it and in the one before. */
export interface ShardTops {
  readonly mcSeqno: number;
  readonly tops: readonly BlockId[];
  readonly topsBefore: readonly BlockId[];
}

/** A masterchain block that was fetched, and what it says. */
interface MasterchainBlock extends FetchedBlock {
  readonly facts: MasterchainFacts;
}

/**
 * Masterchain blocks that follow each other. The last one is proven to belong to the chain; the others are looked up
 * all at once, and the links from each block to the one before it show that they are the right ones.
 */
function fetchWindow(
  context: FetchContext,
  first: number,
  last: number,
): Promise<readonly MasterchainBlock[]> {
  return onServer(context, last, async (target) => {
    // The server's own newest block may be some blocks behind the newest one of all.
    const end = Math.min(last, target.reference.seqno);
    if (end < first) throw new NoLiteServer(`no lite server has masterchain block ${first} yet`);
    const seqnos = Array.from({ length: end - first + 1 }, (_, i) => first + i);
    const blocks = await Promise.all(
      seqnos.map((seqno) =>
        context.gate.run(() => fetchMasterchainBlock(context, target, seqno, seqno === end)),
      ),
    );
    for (let i = blocks.length - 1; i > 0; i--) checkLink(blocks[i]!, blocks[i - 1]!.id);
    return blocks;
  });
}

async function fetchMasterchainBlock(
  { check }: FetchContext,
  target: LiteTarget,
  seqno: number,
  isProven: boolean,
): Promise<MasterchainBlock> {
  const { query, reference } = target;
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  const find = async (): Promise<BlockId> => {
    if (seqno === reference.seqno) return reference;
    const found = isProven
      ? await lookupBlockWithProof(query, reference, key, check)
      : await lookupBlock(query, key, check);
    return found.block;
  };
  const id = await find();
  const bytes = await getBlockBytes(query, id, check);
  return { id, bytes, facts: readMasterchainFacts(bytes) };
}

/** The server told a wrong block, or the proven one is not what it seems; either way it is not to be believed. */
function checkLink(block: MasterchainBlock, before: BlockId): void {
  if (sameBlock(block.facts.previous, before)) return;
  throw new ProofFailure(
    'VALIDATE_BLOCK_PROOF',
    `: block ${shortBlockName(before)} is not the one before ${shortBlockName(block.id)}`,
  );
}

/** What fetching needs to know of a masterchain block. */
interface MasterchainFacts {
  readonly previous: BlockId;
  /** The newest blocks of all shards; zero states are among them. */
  readonly tops: readonly BlockId[];
  /** The last key block before this one. */
  readonly prevKeyBlockSeqno: number;
  /** What the configuration of a key block says; undefined in other blocks. */
  readonly globalVersion: number | undefined;
}

/** Reads it from the bytes of a masterchain block. */
function readMasterchainFacts(bytes: Buffer): MasterchainFacts {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { masterchain } = readBlockExtra(bag, root.extra);
  if (masterchain < 0) throw new CellError('a masterchain block without its extra part');
  const { shardHashes, config } = readMasterchainExtra(bag, masterchain);
  return {
    previous: kept(previousBlocks(info)[0]!),
    tops: readShardHashes(bag, shardHashes).map(kept),
    prevKeyBlockSeqno: info.prevKeyBlockSeqno,
    globalVersion: config && globalVersionOf(bag, config.root),
  };
}

/** The global version of a configuration, by the root of its parameters; 0 without the parameter. */
function globalVersionOf(cells: Cells, configRoot: number): number {
  const param = configParam(cells, configRoot, 8);
  return param < 0 ? 0 : readGlobalVersion(cells, param).version;
}

/** The blocks before a shard block, by its bytes. */
export function readPrevious(bytes: Buffer): BlockId[] {
  const bag = readBoc(bytes);
  return previousBlocks(readBlockInfo(bag, readBlockRoot(bag, bag.root).info)).map(kept);
}

/** A name apart from what it was read from: hashes are views of the block, whose memory goes to another thread. */
function kept({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockId {
  return { workchain, shard, seqno, rootHash: Buffer.from(rootHash), fileHash: Buffer.from(fileHash) };
}
