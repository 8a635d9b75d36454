import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError, type Cells } from '../../chain/boc/cells.ts';
import { previousBlocks, readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import { configParam, readConfigAddress, readGlobalVersion } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { seqnosIn } from '../../index/snapshot.ts';
import type { ConfigFacts } from '../../index/write/seqno-parts.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { LiteTimeout, NoLiteServer } from '../../lite/errors.ts';
import { type FetchContext, onServer } from '../../lite/fetch-context.ts';
import { getBlockBytes, getZeroState } from '../../lite/methods/blocks.ts';
import { lookupBlock, lookupBlockWithProof } from '../../lite/methods/lookups.ts';
import { ProofFailure } from '../../lite/methods/proofs.ts';
import type { LiteTarget } from '../../lite/session.ts';

/** A fetched block; its bytes have the file hash of its id. */
export interface FetchedBlock {
  readonly id: BlockId;
  readonly bytes: Buffer;
}

/** The chain of the lite servers differs from the indexed one: it was reset or rolled back. */
export class ChainDiverged extends Error {
  readonly seqno: number;

  constructor(seqno: number, detail: string) {
    super(`The chain differs from the indexed one: ${detail}`);
    this.name = 'ChainDiverged';
    this.seqno = seqno;
  }
}

export interface FetchRange {
  readonly from: number;
  /** Left out: forever, as new blocks appear. */
  readonly to?: number | undefined;
  /** Root hash of the block before the range, if known; a different one throws ChainDiverged. */
  readonly previousHash?: Buffer | undefined;
  /** Whether a head before the range means that the chain was rolled back; on public networks servers only lag. */
  readonly mayGoBack?: boolean;
}

/** A masterchain block with what is needed to fetch the shard blocks that it commits. */
export interface MasterchainStep extends ShardTops, ConfigFacts {
  readonly block: MasterchainBlock;
}

/** The chain before the first block of a range. */
interface RangeStart {
  readonly before: BlockId;
  readonly topsBefore: readonly BlockId[];
  readonly config: ConfigFacts;
}

const MAX_WINDOW_BLOCKS = 32;
/** How often to check whether the chain was rolled back. */
const HEAD_WAIT_MS = 1000;

/** The masterchain blocks of a range in ascending order. Failures are retried; only ChainDiverged is thrown. */
export async function* masterchainBlocks(
  context: FetchContext,
  { from, to = Number.POSITIVE_INFINITY, previousHash, mayGoBack = false }: FetchRange,
): AsyncGenerator<MasterchainStep, void> {
  const isFinal = (error: unknown) => error instanceof ChainDiverged;
  const retry = { ...context, task: 'fetch masterchain blocks', isFinal };
  const reach = { ...context, task: 'reach the head', isFinal };
  const headOf = (seqno: number, known: number) =>
    retryUntilDone(() => waitForHead(context, seqno, mayGoBack ? known : 0), reach);
  const begin = () => (from === 1 ? startAtZeroState(context) : startAfter(context, from - 1, previousHash));
  await headOf(from - 1, previousHash === undefined ? 0 : from - 1);
  let { before, topsBefore, config } = await retryUntilDone(begin, retry);
  let windowBlocks = MAX_WINDOW_BLOCKS;
  while (before.seqno < to) {
    const first = before.seqno + 1;
    const head = await headOf(first, first - 1);
    const blocks = await retryUntilDone(() => {
      const last = Math.min(first + windowBlocks - 1, to, head.seqno);
      // A whole window is fetched in one session, so after a failure a smaller one is tried.
      windowBlocks = Math.ceil(windowBlocks / 2);
      return fetchWindow(context, first, last);
    }, retry);
    windowBlocks = Math.min(windowBlocks * 4, MAX_WINDOW_BLOCKS);
    if (!sameBlock(blocks[0]!.facts.previous, before))
      throw new ChainDiverged(first, `block ${first} does not follow the known block ${first - 1}`);
    for (const block of blocks) {
      const { facts, id } = block;
      config = facts.config ?? config;
      yield { mcSeqno: id.seqno, block, tops: facts.tops, topsBefore, ...config };
      topsBefore = facts.tops;
      before = id;
    }
  }
}

/** Waits without limit until the head is at least `seqno`; a head before `known` throws ChainDiverged. */
async function waitForHead({ pool, signal }: FetchContext, seqno: number, known: number): Promise<BlockId> {
  while (true) {
    const { head } = pool;
    if (head !== undefined && head.seqno < known)
      throw new ChainDiverged(known, `the head is ${head.seqno}, but ${known} is indexed`);
    try {
      return await pool.waitForSeqno(seqno, { timeoutMs: HEAD_WAIT_MS, signal });
    } catch (error) {
      if (!(error instanceof LiteTimeout)) throw error;
    }
  }
}

/** Shards are followed back to their zero states, so there are no tops before. */
async function startAtZeroState(context: FetchContext): Promise<RangeStart> {
  const before = context.pool.zeroState;
  return { before, topsBefore: [], config: await configOfZeroState(context) };
}

async function startAfter(context: FetchContext, seqno: number, previousHash: Buffer | undefined) {
  const [block] = await fetchWindow(context, seqno, seqno);
  const { id, facts } = block!;
  if (previousHash !== undefined && !previousHash.equals(id.rootHash))
    throw new ChainDiverged(seqno, `block ${seqno} has another root hash than the indexed one`);
  const config = facts.config ?? (await configOfKeyBlock(context, facts.prevKeyBlockSeqno));
  return { before: id, topsBefore: facts.tops, config };
}

/** Read from the block: not every server keeps old states, but all keep blocks. */
async function configOfKeyBlock(context: FetchContext, seqno: number): Promise<ConfigFacts> {
  if (seqno === 0) return configOfZeroState(context);
  const [block] = await fetchWindow(context, seqno, seqno);
  return block!.facts.config ?? { globalVersion: 0 };
}

async function configOfZeroState(context: FetchContext): Promise<ConfigFacts> {
  const { pool, check } = context;
  const state = await onServer(context, 1, ({ query }) => getZeroState(query, pool.zeroState, check));
  const { custom } = readShardState(state, state.root);
  return configFacts(state, readMcStateExtra(state, custom).config);
}

/** The newest blocks of all shards at a masterchain block and at the one before. */
export interface ShardTops {
  readonly mcSeqno: number;
  readonly tops: readonly BlockId[];
  readonly topsBefore: readonly BlockId[];
}

interface MasterchainBlock extends FetchedBlock {
  readonly facts: MasterchainFacts;
}

/**
 * Fetches consecutive masterchain blocks. The last one is proven to belong to the chain; the others are looked up
 * concurrently and verified by the link from each block to its predecessor.
 */
function fetchWindow(context: FetchContext, first: number, last: number) {
  return onServer(context, last, async (target) => {
    // The server may be a few blocks behind the head of the pool.
    const end = Math.min(last, target.reference.seqno);
    if (end < first) throw new NoLiteServer(`no lite server has masterchain block ${first} yet`);
    const blocks = await Promise.all(
      seqnosIn({ first, last: end }).map((seqno) =>
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
  const id = await masterchainBlockId(target, seqno, check, isProven);
  const bytes = await getBlockBytes(target.query, id, check);
  return { id, bytes, facts: readMasterchainFacts(bytes) };
}

/** Fetches one masterchain block, proven from the head. */
export function fetchProvenBlock(
  context: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  seqno: number,
): Promise<FetchedBlock> {
  const { check } = context;
  return onServer(context, seqno, async (target) => {
    const id = await masterchainBlockId(target, seqno, check);
    return { id, bytes: await getBlockBytes(target.query, id, check) };
  });
}

/** The id of a masterchain block in the chain of a server's head. */
export async function masterchainBlockId(
  { query, reference }: LiteTarget,
  seqno: number,
  check: FetchContext['check'],
  isProven = true,
): Promise<BlockId> {
  if (seqno === reference.seqno) return reference;
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  const found = isProven
    ? await lookupBlockWithProof(query, reference, key, check)
    : await lookupBlock(query, key, check);
  return found.block;
}

/** On a broken link the server returned a wrong block, so its response is rejected. */
function checkLink(block: MasterchainBlock, before: BlockId): void {
  if (sameBlock(block.facts.previous, before)) return;
  throw new ProofFailure(
    'VALIDATE_BLOCK_PROOF',
    `: block ${shortBlockName(before)} does not precede ${shortBlockName(block.id)}`,
  );
}

/** The part of a masterchain block that fetching goes by. */
export type MasterchainFacts = Readonly<ReturnType<typeof readMasterchainFacts>>;

export function readMasterchainFacts(bytes: Buffer) {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { masterchain } = readBlockExtra(bag, root.extra);
  if (masterchain < 0) throw new CellError('masterchain block without McBlockExtra');
  const { shardHashes, config } = readMasterchainExtra(bag, masterchain);
  return {
    previous: detachedId(previousBlocks(info)[0]!),
    /** The newest blocks of all shards, including zero states. */
    tops: readShardHashes(bag, shardHashes).map(detachedId),
    prevKeyBlockSeqno: info.prevKeyBlockSeqno,
    /** Of a key block; undefined in other blocks. */
    config: config && configFacts(bag, config.root),
  };
}

/** Reads a configuration given by the root of its parameters; the version is 0 without the parameter. */
export function configFacts(cells: Cells, root: number): ConfigFacts {
  const version = configParam(cells, root, 8);
  return {
    globalVersion: version < 0 ? 0 : readGlobalVersion(cells, version).version,
    elector: readConfigAddress(cells, root, 1),
  };
}

/** Reads the predecessors of a shard block. */
export function readPrevious(bytes: Buffer): BlockId[] {
  const bag = readBoc(bytes);
  return previousBlocks(readBlockInfo(bag, readBlockRoot(bag, bag.root).info)).map(detachedId);
}

/** Copies the hashes of an id, which are views of the block: its memory is moved to another thread. */
function detachedId({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockId {
  return { workchain, shard, seqno, rootHash: Buffer.from(rootHash), fileHash: Buffer.from(fileHash) };
}
