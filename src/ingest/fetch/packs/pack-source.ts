import { type BlockId, sameBlock, shortBlockName } from '../../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../../chain/boc/bag.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import type { AccountCells } from '../../../chain/contracts/account-cells.ts';
import { type SeqnoRange, seqnosIn } from '../../../index/snapshot.ts';
import type { ConfigFacts } from '../../../index/write/seqno-parts.ts';
import { mapAhead } from '../../../lib/concurrency.ts';
import { configOfKeyBlock, configOfState } from '../../../lite/methods/signatures.ts';
import type { ChainSource } from '../chain-source.ts';
import { bytesOf, type FetchedSeqno, newShardBlocks } from '../fetch-seqnos.ts';
import { ChainDiverged, configFacts, type FetchedBlock, type FetchRange } from '../masterchain-blocks.ts';
import { zeroStatesOf } from '../zero-states.ts';
import type { MasterchainProver } from './masterchain-proof.ts';
import type { PackIndex } from './pack-index.ts';
import type { EntryReader, OnDamage } from './package-file.ts';
import { type ProvenBlock, proveRange, readBlock } from './prove-range.ts';

/** The packs do not have a seqno, or not all of it: something is missing or damaged. */
export class SeqnoUnavailable extends Error {
  override readonly name = 'SeqnoUnavailable';
  /** The first one, and others that are known to share its fate. */
  readonly seqnos: readonly number[];
  readonly reason: string;

  constructor(seqnos: number | readonly number[], reason: string) {
    const list = typeof seqnos === 'number' ? [seqnos] : seqnos;
    super(`Masterchain seqno ${list[0]} is not in the packs: ${reason}`);
    this.seqnos = list;
    this.reason = reason;
  }
}

export interface PackSourceParts {
  readonly index: PackIndex;
  readonly reader: EntryReader;
  readonly prover: MasterchainProver;
  readonly zeroState: BlockId;
  /** The zero states by their file hashes; rejects if one is not to be had. */
  readonly readZeroState: (id: BlockId) => Promise<CellBag>;
  readonly onDamage: OnDamage;
  /** Called with the root of the params that are in force from the next blocks on. */
  readonly onConfig?: ((config: CellRef) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Masterchain blocks that are proven together, from the last one back. */
const WINDOW_SEQNOS = 200;
const AHEAD_SEQNOS = 48;

/** Creates a source that reads from packs. Where they end, or something is damaged, it throws SeqnoUnavailable. */
export function createPackSource(parts: PackSourceParts): ChainSource {
  return {
    signal: parts.signal,
    lagOf: () => Number.POSITIVE_INFINITY,
    seqnos: (range, { bytes }) =>
      mapAhead(
        masterchainSteps(parts, range),
        { count: AHEAD_SEQNOS, weight: bytes, weigh: bytesOf },
        (step) => complete(parts, step),
      ),
    zeroStates: () => readZeroStates(parts),
    states: async () => new Map<string, AccountCells>(),
    account: async () => {
      throw new Error('packs have no states');
    },
  };
}

/** The zero states of all workchains, that of the masterchain first. */
export async function readZeroStates({
  zeroState,
  readZeroState,
}: Pick<PackSourceParts, 'zeroState' | 'readZeroState'>): Promise<CellBag[]> {
  const masterchain = await readZeroState(zeroState);
  return [masterchain, ...(await Promise.all(zeroStatesOf(masterchain).map(readZeroState)))];
}

interface PackStep {
  readonly block: ProvenBlock;
  readonly topsBefore: readonly BlockId[];
  readonly config: ConfigFacts;
}

/** The proven masterchain blocks of a range with what is needed to find their shard blocks. */
async function* masterchainSteps(
  parts: PackSourceParts,
  { from, to = Number.POSITIVE_INFINITY, previousHash }: FetchRange,
): AsyncGenerator<PackStep, void> {
  let before: ProvenBlock | undefined;
  let config: ConfigFacts | undefined;
  for (let first = from; first <= to; first += WINDOW_SEQNOS) {
    const last = Math.min(first + WINDOW_SEQNOS - 1, to);
    // The block before a range tells which shard blocks the first one commits.
    const blocks = await proveRange(parts, {
      first: before === undefined && from > 1 ? first - 1 : first,
      last,
    });
    if (first === from && from > 1) before = startOf(blocks, { first, last }, previousHash);
    for (let seqno = first; seqno <= last; seqno++) {
      const block = blocks.get(seqno);
      if (block === undefined) throw unproven(blocks, { first: seqno, last });
      checkPrevious(block, before?.id ?? parts.zeroState);
      if (config === undefined || block.facts.config !== undefined)
        config = await configAt(parts, block, blocks);
      yield { block, topsBefore: before?.facts.tops ?? [], config };
      before = block;
      // Its bytes are in the hands of the reader.
      blocks.delete(seqno);
    }
  }
}

type Blocks = ReadonlyMap<number, ProvenBlock>;

/** All that a window lacks, so that it is not proven again for each of them. */
function lackingIn(blocks: Blocks, range: SeqnoRange): number[] {
  return seqnosIn(range).filter((seqno) => !blocks.has(seqno));
}

function unproven(blocks: Blocks, range: SeqnoRange): SeqnoUnavailable {
  return new SeqnoUnavailable(
    lackingIn(blocks, range),
    'its masterchain block is missing, damaged or not proven',
  );
}

/** The block before a range. */
function startOf(blocks: Blocks, range: SeqnoRange, previousHash: Buffer | undefined): ProvenBlock {
  const { first } = range;
  const before = blocks.get(first - 1);
  if (before === undefined && !blocks.has(first)) throw unproven(blocks, range);
  if (before === undefined)
    throw new SeqnoUnavailable(
      first,
      `masterchain block ${first - 1} is missing, damaged or not proven, without which it is not known which shard blocks are new`,
    );
  if (previousHash !== undefined && !previousHash.equals(before.id.rootHash))
    throw new ChainDiverged(first - 1, `block ${first - 1} has another root hash than the indexed one`);
  return before;
}

function checkPrevious({ id, facts }: ProvenBlock, before: BlockId): void {
  if (!sameBlock(facts.previous, before))
    throw new SeqnoUnavailable(id.seqno, `its masterchain block does not follow ${shortBlockName(before)}`);
}

/** The configuration after a block: its own, or that of the last key block or the zero state. */
async function configAt(parts: PackSourceParts, block: ProvenBlock, blocks: Blocks): Promise<ConfigFacts> {
  const { prevKeyBlockSeqno, config } = block.facts;
  try {
    const { cells, cell } = await (config === undefined ? configBefore : ownConfig)(parts, block);
    parts.onConfig?.({ cells, cell });
    return configFacts(cells, cell);
  } catch (error) {
    parts.signal.throwIfAborted();
    // Those up to the next key block share its fate.
    const others = [...blocks.values()].filter(
      ({ id, facts }) =>
        id.seqno > block.id.seqno &&
        facts.config === undefined &&
        facts.prevKeyBlockSeqno === prevKeyBlockSeqno,
    );
    const seqnos = config === undefined ? others.map(({ id }) => id.seqno) : [];
    throw new SeqnoUnavailable([block.id.seqno, ...seqnos], (error as Error).message);
  }
}

async function configBefore(parts: PackSourceParts, { facts }: ProvenBlock): Promise<CellRef> {
  const { prover, index, zeroState, readZeroState } = parts;
  const keySeqno = facts.prevKeyBlockSeqno;
  if (keySeqno === 0) {
    const bag = await readZeroState(zeroState);
    return { cells: bag, cell: configOfState({ cells: bag, cell: bag.root }) };
  }
  const { id } = await prover.keyBlock(keySeqno);
  for (const entry of await index.masterchainBlocks(keySeqno))
    if (sameBlock(entry.id, id)) return ownConfig(parts, { id, entry });
  throw new Error(`key block ${keySeqno}, which has the configuration, is missing`);
}

/** The configuration in a key block, which is proven. */
async function ownConfig(
  parts: PackSourceParts,
  { id, entry }: Pick<ProvenBlock, 'id' | 'entry'>,
): Promise<CellRef> {
  const bytes = await readBlock(parts, entry);
  if (bytes === undefined) throw new Error(`key block ${id.seqno}, which has the configuration, is damaged`);
  const bag = readBoc(bytes);
  return { cells: bag, cell: configOfKeyBlock({ cells: bag, cell: bag.root }) };
}

/** Reads a masterchain block, and the shard blocks that it commits for the first time. */
async function complete(parts: PackSourceParts, step: PackStep): Promise<FetchedSeqno> {
  const { block, topsBefore, config } = step;
  const { id, entry, facts, bytes: known } = block;
  const mcSeqno = id.seqno;
  const readOne = async (wanted: BlockId): Promise<FetchedBlock> => {
    for (const copy of await parts.index.shardBlock(mcSeqno, wanted)) {
      const bytes = sameBlock(copy.id, wanted) ? await readBlock(parts, copy) : undefined;
      if (bytes !== undefined) return { id: wanted, bytes };
    }
    throw new SeqnoUnavailable(mcSeqno, `shard block ${shortBlockName(wanted)} is missing or damaged`);
  };
  const bytes = known ?? (await readBlock(parts, entry));
  if (bytes === undefined) throw new SeqnoUnavailable(mcSeqno, 'its masterchain block is damaged');
  const shardBlocks = await newShardBlocks({ mcSeqno, tops: facts.tops, topsBefore }, (ids) =>
    Promise.all(ids.map(readOne)),
  );
  const tops = facts.tops.filter(({ seqno }) => seqno > 0);
  return { mcSeqno, masterchain: { id, bytes }, shardBlocks, tops, ...config };
}

/** Reads a zero state of which both hashes are known. */
export function openZeroState(bytes: Buffer, { rootHash }: BlockId): CellBag {
  const bag = readBoc(bytes);
  if (!bag.hash(bag.root).equals(rootHash)) throw new Error('the zero state has another root hash');
  return bag;
}
