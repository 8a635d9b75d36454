import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sameBlock } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { headShards, headState } from '../lite-server/head-state.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { parseBlock } from '../store/new-block.ts';
import { writeDurably } from './durable-file.ts';
import { decodeFrame, decodeRecord, encodeRecord, placesOf, type StepHead } from './record.ts';

/** How many are kept: the newest may be too new to begin with, or of a chain that was left for a snapshot. */
const KEPT = 4;
const FILE_NAME = /^(\d{10})-([0-9a-f]{64})$/;

/** Whole states at a masterchain block, one for each part of its step. */
export interface Checkpoint {
  readonly seqno: number;
  readonly states: readonly Buffer[];
}

/**
 * Writes down the states after the newest step, so that opening the chain need not make them anew from the first block
 * on; not if a shard has had no block in that step.
 */
export async function writeCheckpoint(
  folder: string,
  store: ChainStore,
  { seqno, rootHash }: StepHead,
  blocks: readonly Buffer[],
): Promise<void> {
  const ids = blocks.map((bytes) => parseBlock(bytes).id);
  if (!headShards(headState(store)).every((top) => ids.some((id) => sameBlock(id, top)))) return;
  const states = ids.map((id) => {
    const tree = store.state(id);
    if (typeof tree !== 'object') throw new Error('a state at the head is missing');
    return writeBoc({ cells: tree.cells, roots: [tree.root] }, { order: 'core', crc: false });
  });
  await mkdir(folder, { recursive: true });
  await writeDurably(
    join(folder, checkpointName(seqno, rootHash)),
    encodeRecord({ kind: 'states', seqno, rootHash }, states),
  );
  await removeOld(folder);
}

/** The name of the file with the states at a masterchain block. */
function checkpointName(seqno: number, rootHash: string): string {
  return `${String(seqno).padStart(10, '0')}-${rootHash}`;
}

/** Reads the newest states that are good and that `fits` finds to be of the chain, and old enough. */
export function readCheckpoint(
  folder: string,
  fits: (seqno: number, rootHash: string) => boolean,
): Checkpoint | undefined {
  for (const name of checkpointsIn(folder).reverse()) {
    const [, digits, rootHash] = FILE_NAME.exec(name)!;
    const seqno = Number(digits);
    const states = fits(seqno, rootHash!) ? readStates(join(folder, name)) : undefined;
    if (states !== undefined) return { seqno, states };
  }
  return undefined;
}

function readStates(path: string): Buffer[] | undefined {
  const bytes = readFileSync(path);
  const frame = decodeFrame(bytes);
  const record = frame && decodeRecord(bytes, frame);
  if (record?.head.kind !== 'states') return undefined;
  return placesOf(bytes.length, record.sizes).map(({ offset, length }) =>
    bytes.subarray(offset, offset + length),
  );
}

/** By age and not by seqno: a chain that went back to a snapshot has older seqnos than the one it left. */
async function removeOld(folder: string): Promise<void> {
  const ages = new Map(checkpointsIn(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]));
  const newestFirst = [...ages.keys()].sort((a, b) => ages.get(b)! - ages.get(a)!);
  for (const name of newestFirst.slice(KEPT)) await rm(join(folder, name), { force: true });
}

/** Names of checkpoints, the highest seqno last. */
export function checkpointsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE_NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}
