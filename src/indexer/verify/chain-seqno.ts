import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import { configParam, readConfigAddress, readGlobalVersion } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { Failure } from '../../lib/errors.ts';
import { getBlockBytes, getZeroState } from '../../lite/methods/blocks.ts';
import { lookupBlockWithProof } from '../../lite/methods/lookups.ts';
import type { CheckOptions } from '../../lite/methods/proofs.ts';
import type { LitePool } from '../../lite/pool.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { type ChainBlock, readChainBlock } from './chain-block.ts';
import { rootOf } from './core-readers.ts';

/** How the chain is read. */
export interface ChainSource {
  readonly pool: Pick<LitePool, 'session' | 'zeroState'>;
  readonly check: CheckOptions;
  readonly signal?: AbortSignal | undefined;
}

/** A masterchain block and the shard blocks that it commits for the first time. */
export interface ChainSeqno {
  readonly mcSeqno: number;
  readonly masterchain: ChainBlock;
  readonly blocks: readonly ChainBlock[];
  readonly globalVersion: number;
  /** The account of the elector: 32 bytes; undefined if the configuration has none. */
  readonly elector?: Buffer | undefined;
}

const BUDGET_MS = 60_000;
const GLOBAL_VERSION = 8;
const ELECTOR = 1;

/** Runs work on a suitable server. */
export async function onChain<T>(source: ChainSource, work: (target: LiteTarget) => Promise<T>): Promise<T> {
  const session = await source.pool.session({ budgetMs: BUDGET_MS, signal: source.signal });
  return session.run(work);
}

/** The seqnos of a range in order, with their blocks. */
export async function* readChain(
  source: ChainSource,
  from: number,
  to: number,
): AsyncGenerator<ChainSeqno, void> {
  let before: ChainBlock | undefined = from > 1 ? await masterchainBlock(source, from - 1) : undefined;
  let config: ConfigFacts | undefined;
  let next = masterchainBlock(source, from);
  for (let mcSeqno = from; mcSeqno <= to; mcSeqno++) {
    const masterchain = await next;
    next = mcSeqno < to ? masterchainBlock(source, mcSeqno + 1) : next;
    // It is awaited later; until then a failure must not count as unhandled.
    next.catch(() => {});
    if (before !== undefined && !sameBlock(masterchain.previous[0]!, before.id))
      throw new Failure(
        'conflict',
        `the chain changed meanwhile: masterchain block ${mcSeqno} does not follow ${mcSeqno - 1}`,
      );
    if (config === undefined || masterchain.isKey) config = await configAt(source, masterchain.id);
    const shardBlocks = await newShardBlocks(source, masterchain.tops, before?.tops ?? []);
    yield { mcSeqno, masterchain, blocks: [masterchain, ...shardBlocks], ...config };
    before = masterchain;
  }
}

/** The id of a masterchain block in the chain of the current head. */
export async function masterchainId(source: ChainSource, seqno: number): Promise<BlockId> {
  return onChain(source, async ({ query, reference }) => {
    if (seqno === reference.seqno) return reference;
    const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
    return (await lookupBlockWithProof(query, reference, key, source.check)).block;
  });
}

async function masterchainBlock(source: ChainSource, seqno: number): Promise<ChainBlock> {
  return readBlock(source, await masterchainId(source, seqno));
}

async function readBlock(source: ChainSource, id: BlockId): Promise<ChainBlock> {
  const bytes = await onChain(source, ({ query }) => getBlockBytes(query, id, source.check));
  return readChainBlock(id, rootOf(bytes));
}

/** Walks back from the tops to the blocks that were committed before, or to zero states. */
async function newShardBlocks(source: ChainSource, tops: readonly BlockId[], topsBefore: readonly BlockId[]) {
  const known = new Set(topsBefore.map(keyOf));
  const found: ChainBlock[] = [];
  const waiting = [...tops];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id.seqno === 0 || known.has(keyOf(id))) continue;
    known.add(keyOf(id));
    const block = await readBlock(source, id);
    found.push(block);
    waiting.push(...block.previous);
  }
  return found;
}

/** From the key block or zero state that defines the configuration: servers keep all blocks, but not old states. */
async function configAt(source: ChainSource, block: BlockId): Promise<ConfigFacts> {
  const bag = readBoc(await onChain(source, ({ query }) => getBlockBytes(query, block, source.check)));
  const root = readBlockRoot(bag, bag.root);
  const { config } = readMasterchainExtra(bag, readBlockExtra(bag, root.extra).masterchain);
  if (config !== undefined) return factsIn(bag, config.root);
  const { prevKeyBlockSeqno } = readBlockInfo(bag, root.info);
  if (prevKeyBlockSeqno > 0) return configAt(source, await masterchainId(source, prevKeyBlockSeqno));
  const state = await onChain(source, ({ query }) =>
    getZeroState(query, source.pool.zeroState, source.check),
  );
  return factsIn(state, readMcStateExtra(state, readShardState(state, state.root).custom).config);
}

type ConfigFacts = Pick<ChainSeqno, 'globalVersion' | 'elector'>;

function factsIn(cells: Cells, configRoot: number): ConfigFacts {
  const param = configParam(cells, configRoot, GLOBAL_VERSION);
  return {
    globalVersion: param < 0 ? 0 : readGlobalVersion(cells, param).version,
    elector: readConfigAddress(cells, configRoot, ELECTOR),
  };
}

function keyOf({ rootHash }: BlockId): string {
  return rootHash.toString('hex');
}
