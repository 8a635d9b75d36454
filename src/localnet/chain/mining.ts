import type { BlockId } from '../../chain/block-id.ts';
import { type SignatureSet, writeSignatureSet } from '../../chain/tl/signatures.ts';
import { TlWriter } from '../../chain/tl/tl.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { Log } from '../../lib/log.ts';
import type { CollatedStep, Collator } from '../collate/collator.ts';
import type { External } from '../collate/external-messages.ts';
import { headShards, headState } from '../lite-server/known-blocks.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { parseBlock } from '../store/parse-block.ts';
import type { Mempool } from './mempool.ts';
import { type OpenChain, type PlacedStep, storedStep, writeCheckpoint } from './open-chain.ts';
import type { StepHead } from './record-file.ts';

/** When blocks are made: at a steady pace, or when there is something to put into them. */
export type MineMode = 'interval' | 'message';

interface MinerOptions {
  readonly mode: MineMode;
  readonly blockMs: number;
  /** Makes a step; gives whether it got anywhere with the messages that wait. */
  readonly step: () => Promise<boolean>;
  /** Whether something waits for the next step. */
  readonly hasWork: () => boolean;
  readonly log: Log;
}

/** Makes steps on its own until it is stopped. */
interface Miner {
  start(): void;
  /** Says that there is something to do at once. */
  wake(): void;
  stop(): void;
  /** The text of the failure of the last step, if it failed. */
  readonly fault: string | undefined;
}

const RETRY_MS = 1000;

/** Makes the clockwork of a chain; it does not run yet. A step that fails is tried again. */
export function createMiner({ mode, blockMs, step, hasWork, log }: MinerOptions): Miner {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isStepping = false;
  let isWanted = false;
  let fault: string | undefined;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(tick, ms);
  }

  async function tick(): Promise<void> {
    if (isStepping) return;
    isStepping = true;
    isWanted = false;
    const startedAt = performance.now();
    const moved = await step().then(
      (result) => {
        if (fault !== undefined) log.info({}, 'The local chain goes on');
        fault = undefined;
        return result;
      },
      (error: Error) => {
        // Once a second at most, and it is never the same for long.
        log.error(
          { err: error },
          'The next block of the local chain could not be made; it will be tried again',
        );
        fault = error.message;
        return false;
      },
    );
    isStepping = false;
    if (isRunning) next(startedAt, moved);
  }

  function next(startedAt: number, moved: boolean): void {
    const rest = Math.max(0, startedAt + blockMs - performance.now());
    if (fault !== undefined) schedule(Math.max(RETRY_MS, rest));
    else if (isWanted) schedule(0);
    else if (mode === 'interval') schedule(rest);
    // Messages that no block has room for yet, or that wait for others, must not make the chain run in circles.
    else if (hasWork()) schedule(moved ? 0 : rest);
  }

  return {
    start() {
      isRunning = true;
      if (mode === 'interval' || hasWork()) schedule(0);
    },
    wake() {
      isWanted = true;
      if (isRunning && !isStepping && fault === undefined) schedule(0);
    },
    stop() {
      isRunning = false;
      clearTimeout(timer);
    },
    get fault() {
      return fault;
    },
  };
}

interface StepMakerOptions {
  readonly chain: OpenChain;
  readonly collator: Collator;
  readonly mempool: Mempool;
  /** The chain's clock in unix seconds. */
  readonly now: () => number;
  readonly log: Log;
  /** Where whole states are kept, and after how many steps they are written. */
  readonly checkpoints: { readonly folder: string; readonly every: number };
}

/** What a step was. */
interface MadeStep {
  readonly id: BlockId;
  readonly transactions: number;
  /** External messages that are in its blocks, or that it turned away. */
  readonly settled: number;
}

/**
 * Makes the chain longer, one step at a time: blocks are made, then written to the disk, then seen by others. Whoever
 * saw a block will find it again whatever happens.
 */
export class StepMaker {
  readonly #options: StepMakerOptions;
  #last: PlacedStep | undefined;

  constructor(options: StepMakerOptions) {
    this.#options = options;
    this.#last = options.chain.lastStep;
  }

  /** Makes one step. If that fails the chain is as it was, and no message is lost. */
  async step(): Promise<MadeStep> {
    const { chain, mempool } = this.#options;
    const { file, store } = chain;
    const externals = mempool.next();
    const collated = await this.#collate(externals);
    const { shards, masterchain } = collated.step;
    const blocks = [...shards, masterchain];
    const bytes = blocks.map(({ load }) => load());
    const record = await file.append(headOf(bytes.at(-1)!, masterchain.signatures), bytes);
    const placed = { ...record, head: record.head as StepHead };
    try {
      store.append(
        storedStep(
          file,
          placed,
          blocks.map(({ state }) => state),
        ),
      );
    } catch (error) {
      await file.cut(record);
      mempool.markFailed(externals);
      throw error;
    }
    this.#last = placed;
    mempool.settle(collated.externals);
    await this.#checkpoint(bytes);
    const settled = collated.externals.filter(({ outcome }) => outcome !== 'postponed').length;
    return { id: store.head, transactions: collated.transactions, settled };
  }

  /** Writes the states at the head to a folder. */
  async writeStates(folder: string): Promise<void> {
    if (this.#last === undefined) return;
    const { store, file } = this.#options.chain;
    const blocks = this.#last.parts.map((place) => file.read(place));
    await writeCheckpoint(folder, store, this.#last.head, blocks);
  }

  async #collate(externals: readonly External[]): Promise<CollatedStep> {
    const { chain, collator, mempool, now } = this.#options;
    // The machine's clock may have been put back, the chain's time may not.
    const time = Math.max(now(), headState(chain.store).state.genUtime);
    try {
      return await collator.collate({ now: time, externals });
    } catch (error) {
      mempool.markFailed(externals);
      throw error;
    }
  }

  /** States on the disk only make the next start faster, so a failure is no fault of the step. */
  async #checkpoint(blocks: readonly Buffer[]): Promise<void> {
    const { chain, checkpoints, log } = this.#options;
    const { head } = this.#last!;
    if (head.seqno % checkpoints.every !== 0) return;
    try {
      await writeCheckpoint(checkpoints.folder, chain.store, head, blocks);
    } catch (error) {
      log.warn({ err: error, seqno: head.seqno }, 'The states of the local chain could not be written');
    }
  }
}

function headOf(masterchain: Buffer, signatures: SignatureSet | undefined): StepHead {
  const { id } = parseBlock(masterchain);
  return {
    kind: 'step',
    seqno: id.seqno,
    rootHash: id.rootHash.toString('hex'),
    signatures: tlOf(signatures),
  };
}

function tlOf(signatures: SignatureSet | undefined): string | undefined {
  if (signatures === undefined) return undefined;
  const writer = new TlWriter();
  writeSignatureSet(writer, signatures);
  return writer.finish().toString('base64');
}

/**
 * Whether further blocks have something to do: deliver messages, or make the first blocks of shards, which lite clients
 * need, or split shards until there are so many.
 */
export function hasPendingWork(store: ChainStore, shards: number): boolean {
  if (store.head.seqno === 0) return true;
  const head = headState(store);
  const tops = headShards(head);
  if (tops.length < shards || tops.some(({ seqno }) => seqno === 0)) return true;
  return [head.id, ...tops].some((id) => hasMessages(store, id));
}

function hasMessages(store: ChainStore, id: BlockId): boolean {
  const tree = store.state(id);
  if (typeof tree !== 'object') return false;
  const { cells, root } = tree;
  const { outQueue, extra } = readOutMsgQueueInfo(cells, readShardState(cells, root).outMsgQueueInfo);
  return outQueue >= 0 || (extra !== undefined && extra.dispatchQueue >= 0);
}
