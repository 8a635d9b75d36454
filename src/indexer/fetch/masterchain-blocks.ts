import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { readMcStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { LiteTimeout } from '../../lite/errors.ts';
import { getZeroState } from '../../lite/queries/get-state.ts';
import { type FetchContext, onServer } from './fetch-context.ts';
import { ChainDiverged } from './fetch-faults.ts';
import type { ShardTops } from './fetch-shard-blocks.ts';
import { fetchWindow, type MasterchainBlock } from './fetch-window.ts';
import { globalVersionOf } from './masterchain-facts.ts';
import { type PersistOptions, persist } from './persist.ts';

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

const MOST_BLOCKS = 32;
/** It is looked at so often whether the chain was put back. */
const HEAD_WAIT_MS = 1000;

/** The masterchain blocks of a range in ascending order. Trouble is waited out; only ChainDiverged is thrown. */
export async function* masterchainBlocks(
  context: FetchContext,
  { from, to = Number.POSITIVE_INFINITY, previousHash, mayGoBack = false }: FetchRange,
): AsyncGenerator<MasterchainStep, void> {
  const retry: PersistOptions = {
    ...{ log: context.log, signal: context.signal, onTrouble: context.onTrouble },
    task: 'fetch masterchain blocks',
    isFinal: (error) => error instanceof ChainDiverged,
  };
  const headOf = (seqno: number, known: number) =>
    persist(() => waitForHead(context, seqno, mayGoBack ? known : 0), { ...retry, task: 'see the head' });
  const begin = () => (from === 1 ? beginAtZero(context) : beginAfter(context, from - 1, previousHash));
  await headOf(from - 1, previousHash === undefined ? 0 : from - 1);
  let { before, topsBefore, globalVersion } = await persist(begin, retry);
  let windowBlocks = MOST_BLOCKS;
  while (before.seqno < to) {
    const first = before.seqno + 1;
    const head = await headOf(first, first - 1);
    const blocks = await persist(() => {
      const last = Math.min(first + windowBlocks - 1, to, head.seqno);
      // What fails is tried in smaller pieces: all of a window must come in one session.
      windowBlocks = Math.ceil(windowBlocks / 2);
      return fetchWindow(context, first, last);
    }, retry);
    windowBlocks = Math.min(windowBlocks * 4, MOST_BLOCKS);
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
