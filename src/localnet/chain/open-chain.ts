import { mkdir } from 'node:fs/promises';
import { readSignatureSet } from '../../chain/tl/signature-sets.ts';
import { TlReader } from '../../chain/tl/tl-reader.ts';
import type { Log } from '../../lib/log.ts';
import { StartError } from '../../lib/start-error.ts';
import { type ChainStep, createChainStore, type GrowingChainStore } from '../store/create-chain-store.ts';
import type { NewBlock } from '../store/new-block.ts';
import { chainPaths } from './chain-paths.ts';
import { syncFolder } from './durable-file.ts';
import type { GenesisOptions, StepHead } from './record.ts';
import { type PlacedRecord, RecordFile } from './record-file.ts';
import { readCheckpoint } from './state-checkpoint.ts';

/** A record of a step. */
export type PlacedStep = PlacedRecord & { readonly head: StepHead };

/** A chain that was opened: its blocks and states, and the file that it goes on in. */
export interface OpenChain {
  readonly store: GrowingChainStore;
  readonly file: RecordFile;
  readonly genesis: GenesisOptions;
  readonly offsetSeconds: number;
  readonly lastStep: PlacedStep | undefined;
  /** Whether it was made ready to be seen. */
  readonly isBegun: boolean;
}

export interface OpenChainOptions {
  readonly folder: string;
  readonly log: Log;
  /** So many masterchain blocks before the head have their states after a start; older ones may have none. */
  readonly recentSteps: number;
  /** What a new chain is made from, and how its zero states are made. */
  readonly genesis: GenesisOptions;
  readonly makeZeroStates: (options: GenesisOptions) => Promise<readonly Buffer[]>;
}

/** Opens the chain of a folder, or begins a new one there. */
export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const { folder, log } = options;
  const paths = chainPaths(folder);
  await mkdir(folder, { recursive: true });
  const { file, records } = await RecordFile.open(paths.chain, log);
  try {
    if (records.length === 0) return await beginChain(options, file);
    const [{ head: genesis, parts }, ...others] = records as [PlacedRecord, ...PlacedRecord[]];
    if (genesis.kind !== 'genesis' || genesis.version !== 1)
      throw new StartError(`${paths.chain} is of an unknown form: localnet --reset begins a new chain`);
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

/** A step as the store takes it: its blocks stay in the file. */
export function storedStep(
  file: RecordFile,
  { head, parts }: PlacedStep,
  states: readonly NewBlock['state'][] = [],
): ChainStep {
  const blocks = parts.map((place, i): NewBlock => ({ load: () => file.read(place), state: states[i] }));
  const signatures =
    head.signatures === undefined
      ? undefined
      : readSignatureSet(new TlReader(Buffer.from(head.signatures, 'base64')));
  return { shards: blocks.slice(0, -1), masterchain: { ...blocks.at(-1)!, signatures } };
}

async function beginChain(
  { folder, genesis, makeZeroStates }: OpenChainOptions,
  file: RecordFile,
): Promise<OpenChain> {
  const zeroStates = await makeZeroStates(genesis);
  await file.append({ kind: 'genesis', version: 1, options: genesis }, zeroStates);
  await syncFolder(folder);
  const store = createChainStore({ zeroStates });
  return { store, file, genesis, offsetSeconds: 0, lastStep: undefined, isBegun: false };
}

/** Adds the steps of a file to the store; states are made from the last checkpoint on that is old enough. */
function replay(
  store: GrowingChainStore,
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
