import type { BlockId } from '../../chain/block-id.ts';
import { type SignatureSet, writeSignatureSet } from '../../chain/tl/signatures.ts';
import { TlWriter } from '../../chain/tl/tl.ts';
import type { Log } from '../../lib/log.ts';
import type { CollatedStep, Collator } from '../collate/collator.ts';
import type { External } from '../collate/external-messages.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headQueues, headShards, headState } from '../store/head-state.ts';
import { parseBlock } from '../store/parse-block.ts';
import type { Mempool } from './mempool.ts';
import { type OpenChain, type PlacedStep, storedStep, writeCheckpoint } from './open-chain.ts';
import type { StepHead } from './record-file.ts';

/** When blocks are produced: periodically, or when there is something to put into them. */
export type MineMode = 'interval' | 'message';

interface MinerOptions {
  readonly mode: MineMode;
  readonly blockMs: number;
  /** Makes a step; returns whether it made progress with the queued messages. */
  readonly step: () => Promise<boolean>;
  /** Whether something is queued for the next step. */
  readonly hasWork: () => boolean;
  readonly log: Log;
}

const RETRY_MS = 1000;

/** Creates the block producer of a chain, not running yet. A failed step is retried. */
export function createMiner({ mode, blockMs, step, hasWork, log }: MinerOptions) {
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
        if (fault !== undefined) log.info({}, 'Local chain recovered');
        fault = undefined;
        return result;
      },
      (error: Error) => {
        // At most once per second, and the error does not stay the same for long.
        log.error({ err: error }, 'Block production failed, retrying');
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
    // Messages that no block has room for yet, or that wait for others, must not make the chain spin.
    else if (hasWork()) schedule(moved ? 0 : rest);
  }

  return {
    start() {
      isRunning = true;
      if (mode === 'interval' || hasWork()) schedule(0);
    },
    /** Signals that there is something to do now. */
    wake() {
      isWanted = true;
      if (isRunning && !isStepping && fault === undefined) schedule(0);
    },
    stop() {
      isRunning = false;
      clearTimeout(timer);
    },
    /** Error text of the last step, if it failed. */
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
  /** Directory of state checkpoints, and the number of steps between them. */
  readonly checkpoints: { readonly folder: string; readonly every: number };
}

/**
 * Extends the chain step by step: blocks are collated, then written to disk, then published. A published block survives
 * a crash.
 */
export class StepMaker {
  readonly #options: StepMakerOptions;
  #last: PlacedStep | undefined;
  /** The next step, if its shard blocks are shown as signed. */
  #signed: CollatedStep | undefined;

  constructor(options: StepMakerOptions) {
    this.#options = options;
    this.#last = options.chain.lastStep;
  }

  get lastStep(): PlacedStep | undefined {
    return this.#last;
  }

  /** Makes the blocks of the next step, and shows those of shards as signed. */
  async sign(): Promise<readonly BlockId[]> {
    const { chain, mempool } = this.#options;
    this.#signed = await this.#collate(mempool.next());
    chain.store.showSigned(this.#signed.step.shards);
    return chain.store.signed;
  }

  /** Other blocks take the place of those that are shown as signed, without the external messages in them. */
  dropSigned(): void {
    const { chain, mempool } = this.#options;
    const lost = this.#signed?.externals.filter(({ outcome }) => outcome === 'included') ?? [];
    mempool.drop(lost, 'the block with the message did not become a part of the chain');
    this.#signed = undefined;
    chain.store.showSigned([]);
  }

  /** Makes one step. If it fails the chain is unchanged and no message is lost. */
  async step() {
    const { chain, mempool } = this.#options;
    const { file, store } = chain;
    const signed = this.#signed;
    this.#signed = undefined;
    const externals = mempool.next();
    const collated = signed ?? (await this.#collate(externals));
    const { shards, masterchain } = collated.step;
    const blocks = [...shards, masterchain];
    const bytes = blocks.map(({ load }) => load());
    const record = await file.append(headOf(bytes.at(-1)!, masterchain.signatures?.()), bytes);
    const placed = { ...record, head: record.head as StepHead };
    const states = blocks.map(({ state }) => state);
    try {
      store.append(storedStep(file, placed, states));
    } catch (error) {
      await file.cut(record);
      mempool.markFailed(externals);
      throw error;
    }
    this.#last = placed;
    mempool.settle(collated.externals);
    await this.#checkpoint(bytes);
    return {
      id: store.head,
      transactions: collated.transactions,
      /** External messages that are in its blocks or were rejected. */
      settled: collated.externals.filter(({ outcome }) => outcome !== 'postponed').length,
    };
  }

  async writeStates(folder: string): Promise<void> {
    if (this.#last === undefined) return;
    const { store, file } = this.#options.chain;
    const blocks = this.#last.parts.map((place) => file.read(place));
    await writeCheckpoint(folder, store, this.#last.head, blocks);
  }

  async #collate(externals: readonly External[]): Promise<CollatedStep> {
    const { chain, collator, mempool, now } = this.#options;
    // The machine's clock may have been set back, the chain's may not.
    const time = Math.max(now(), headState(chain.store).state.genUtime);
    try {
      return await collator.collate({ now: time, externals });
    } catch (error) {
      mempool.markFailed(externals);
      throw error;
    }
  }

  /** Checkpoints only speed up the next start, so a failure does not fail the step. */
  async #checkpoint(blocks: readonly Buffer[]): Promise<void> {
    const { chain, checkpoints, log } = this.#options;
    const { head } = this.#last!;
    if (head.seqno % checkpoints.every !== 0) return;
    try {
      await writeCheckpoint(checkpoints.folder, chain.store, head, blocks);
    } catch (error) {
      log.warn({ err: error, seqno: head.seqno }, 'Failed to write a state checkpoint of the local chain');
    }
  }
}

/** The head of the record of a step. */
export function headOf(masterchain: Buffer, signatures: SignatureSet | undefined): StepHead {
  const { seqno, rootHash } = parseBlock(masterchain).id;
  return { kind: 'step', seqno, rootHash: rootHash.toString('hex'), signatures: tlOf(signatures) };
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
  const tops = headShards(headState(store));
  if (tops.length < shards || tops.some(({ seqno }) => seqno === 0)) return true;
  return headQueues(store).some(({ outQueue, dispatchQueue }) => outQueue >= 0 || dispatchQueue >= 0);
}
