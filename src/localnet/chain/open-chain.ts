import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sameBlock } from '../../chain/block-id.ts';
import { writeCellBoc } from '../../chain/boc/writer.ts';
import { readSignatureSet, type SignatureSet } from '../../chain/tl/signatures.ts';
import { TlReader } from '../../chain/tl/tl.ts';
import { StartError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import {
  type ChainStep,
  type ChainStore,
  createChainStore,
  type WritableChainStore,
} from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';
import { type NewBlock, parseBlock } from '../store/parse-block.ts';
import { chainPaths, syncPath, writeDurably } from './chain-folder.ts';
import {
  type ChainGenesis,
  decodeFrame,
  decodeRecord,
  encodeRecord,
  type PlacedRecord,
  partLocations,
  RecordFile,
  type RecordHead,
  type StepHead,
} from './record-file.ts';

export type PlacedStep = PlacedRecord & { readonly head: StepHead };

export interface OpenChain {
  readonly store: WritableChainStore;
  readonly file: RecordFile;
  readonly genesis: ChainGenesis;
  readonly offsetSeconds: number;
  readonly lastStep: PlacedStep | undefined;
  readonly isBegun: boolean;
}

interface OpenChainOptions {
  readonly folder: string;
  readonly log: Log;
  /** This many masterchain blocks before the head have their states after a start; older ones may not. */
  readonly recentSteps: number;
  readonly genesis: ChainGenesis;
  readonly makeZeroStates: (options: ChainGenesis) => Promise<readonly Buffer[]>;
  /** How far the clock of a new chain is behind the machine's. */
  readonly secondsBehind: number;
}

export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const paths = chainPaths(options.folder);
  await mkdir(options.folder, { recursive: true });
  const { file, records } = await RecordFile.open(paths.chain, options.log);
  try {
    if (records.length === 0) return await beginChain(options, file);
    const [{ head: genesis, parts }, ...others] = records as [PlacedRecord, ...PlacedRecord[]];
    if (genesis.kind !== 'genesis' || genesis.version !== 1)
      throw new StartError(`${paths.chain} has an unknown format; use localnet --reset for a new chain`);
    const store = createChainStore({ zeroStates: parts.map((place) => file.read(place)) });
    const steps = others.filter((record): record is PlacedStep => record.head.kind === 'step');
    const clock = others.findLast(({ head }) => head.kind === 'clock')?.head;
    replay(store, file, steps, paths.states, options.recentSteps);
    return {
      store,
      file,
      genesis: genesis.options,
      offsetSeconds: clock?.kind === 'clock' ? clock.offsetSeconds : 0,
      lastStep: steps.at(-1),
      isBegun: others.some(({ head }) => head.kind === 'begun'),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A step in the form the store takes; its blocks stay in the file. */
export function storedStep(
  file: RecordFile,
  { parts, start, end }: Omit<PlacedStep, 'head'>,
  states: readonly NewBlock['state'][] = [],
): ChainStep {
  const blocks = parts.map((place, i): NewBlock => ({ load: () => file.read(place), state: states[i] }));
  const signatures = (): SignatureSet | undefined => readSignatures(file.readHead({ start, end }));
  return { shards: blocks.slice(0, -1), masterchain: { ...blocks.at(-1)!, signatures } };
}

export function readSignatures(head: RecordHead): SignatureSet | undefined {
  if (head.kind !== 'step' || head.signatures === undefined) return undefined;
  return readSignatureSet(new TlReader(Buffer.from(head.signatures, 'base64')));
}

async function beginChain(
  { folder, genesis, makeZeroStates, secondsBehind }: OpenChainOptions,
  file: RecordFile,
): Promise<OpenChain> {
  const zeroStates = await makeZeroStates(genesis);
  await file.append({ kind: 'genesis', version: 1, options: genesis }, zeroStates);
  const offsetSeconds = secondsBehind === 0 ? 0 : -secondsBehind;
  if (offsetSeconds !== 0) await file.append({ kind: 'clock', offsetSeconds }, []);
  await syncPath(folder);
  const store = createChainStore({ zeroStates });
  return { store, file, genesis, offsetSeconds, lastStep: undefined, isBegun: false };
}

/** Adds the steps of a file to the store; states are rebuilt from the last checkpoint that is old enough. */
function replay(
  store: WritableChainStore,
  file: RecordFile,
  steps: readonly PlacedStep[],
  folder: string,
  recentSteps: number,
): void {
  const newest = steps.length - recentSteps;
  const checkpoint = readCheckpoint(
    folder,
    (seqno, rootHash) => seqno <= newest && steps[seqno - 1]?.head.rootHash === rootHash,
  );
  const first = checkpoint?.seqno ?? 0;
  for (const step of steps) {
    const { seqno } = step.head;
    const states = seqno < first ? step.parts.map(() => 'none' as const) : undefined;
    store.append(storedStep(file, step, seqno === first ? checkpoint?.states : states));
  }
}

/** The newest may be too new to start from, or of a chain that was left for a snapshot. */
const MAX_CHECKPOINTS = 4;
const FILE_NAME = /^(\d{10})-([0-9a-f]{64})$/;

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
    return writeCellBoc(tree.cells, tree.cell);
  });
  await mkdir(folder, { recursive: true });
  const name = `${String(seqno).padStart(10, '0')}-${rootHash}`;
  await writeDurably(join(folder, name), encodeRecord({ kind: 'states', seqno, rootHash }, states));
  await removeOld(folder);
}

/** Reads the newest valid states that `fits` accepts as belonging to the chain and old enough. */
function readCheckpoint(
  folder: string,
  fits: (seqno: number, rootHash: string) => boolean,
): { readonly seqno: number; readonly states: readonly Buffer[] } | undefined {
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
  return partLocations(bytes.length, record.sizes).map(({ offset, length }) =>
    bytes.subarray(offset, offset + length),
  );
}

/** By age and not by seqno: a chain restored from a snapshot has lower seqnos than the one it left. */
async function removeOld(folder: string): Promise<void> {
  const ages = new Map(checkpointsIn(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]));
  const newestFirst = [...ages.keys()].sort((a, b) => ages.get(b)! - ages.get(a)!);
  for (const name of newestFirst.slice(MAX_CHECKPOINTS)) await rm(join(folder, name), { force: true });
}

/** Names of checkpoints, highest seqno last. */
export function checkpointsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE_NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}
