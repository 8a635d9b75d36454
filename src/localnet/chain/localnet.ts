import { mkdir, rm } from 'node:fs/promises';
import type { BlockId } from '../../chain/block-id.ts';
import { Failure } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { wrongValue } from '../../lib/wrong-value.ts';
import type { Vm } from '../../vm/vm.ts';
import type { Collator } from '../collate/collator.ts';
import { type ChainStore, createSwitchableStore, type WritableChainStore } from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';
import { chainPaths, lockFolder } from './chain-folder.ts';
import { type FinalOutcome, Mempool, readExternal } from './mempool.ts';
import { createMiner, hasPendingWork, type MineMode, StepMaker } from './mining.ts';
import { type OpenChain, openChain } from './open-chain.ts';
import type { GenesisOptions } from './record-file.ts';
import { makeSnapshot, restoreSnapshot, snapshotFolder, snapshotNames } from './snapshots.ts';
import { createCheckAcceptance } from './vm-runs.ts';

interface ChainStatus {
  readonly seqno: number;
  readonly rootHash: string;
  /** Unix seconds of the newest block, and of the chain's clock. */
  readonly blockTime: number;
  readonly time: number;
  /** Seconds by which the chain's clock is ahead of the machine's. */
  readonly offsetSeconds: number;
  readonly shards: number;
  readonly mine: MineMode;
  readonly blockMs: number;
  readonly waitingMessages: number;
  readonly snapshots: readonly string[];
  /** Error of the last step, if it failed. */
  readonly fault: string | undefined;
}

/** A chain running in this process. */
export interface Localnet {
  /** The chain as readers see it; it is switched to another one by `restore`. */
  readonly store: ChainStore;
  readonly genesis: GenesisOptions;
  /** The chain's clock in unix seconds. */
  now(): number;
  start(): void;
  /**
   * Accepts an external message; `end` resolves when it is in a block or was dropped. Throws LiteRefusal with the error
   * text of a node if it is invalid.
   */
  send(body: Buffer): Promise<{ readonly id: string; readonly end: Promise<FinalOutcome> }>;
  /** Produces this many masterchain blocks now; returns the last one. */
  mine(count?: number): Promise<BlockId>;
  /** Produces blocks now until all messages are delivered and all shards exist, up to a limit. */
  drain(): Promise<BlockId>;
  /** Produces the next block soon instead of on schedule. */
  wake(): void;
  /** Moves the chain's clock forward and produces a block. */
  advance(seconds: number): Promise<BlockId>;
  snapshot(name: string): Promise<void>;
  /** Restores a snapshot. Queued messages are dropped. */
  restore(name: string): Promise<BlockId>;
  status(): ChainStatus;
  /** Finishes the current step and closes the files. */
  stop(): Promise<void>;
}

export interface LocalnetOptions {
  /** Directory of the chain; it may not exist yet. */
  readonly folder: string;
  readonly settings: LocalnetSettings;
  readonly makeZeroStates: (options: GenesisOptions) => Promise<readonly Buffer[]>;
  readonly createCollator: (store: WritableChainStore) => Collator;
  /** Set-up of a new chain before anybody sees it. If it did not finish, the chain is started over. */
  readonly prepare?: (localnet: Localnet) => Promise<void>;
  /**
   * How far in the past a new chain begins, 0 by default. Its clock is behind the machine's by this much until `prepare`
   * moves it forward.
   */
  readonly secondsBehind?: number | undefined;
  /** Without it, messages that their accounts will not accept are taken too. */
  readonly vm?: Vm | undefined;
  readonly log: Log;
  /** Machine clock in unix seconds. */
  readonly clock?: () => number;
  /** Steps between state checkpoints; the states of half as many survive a restart. */
  readonly checkpointEvery?: number;
}

export interface LocalnetSettings {
  readonly blockMs: number;
  readonly mine: MineMode;
  /** For a new chain; an existing one keeps its number. */
  readonly shards: GenesisOptions['shards'];
  /** Starts a new chain; snapshots are kept. */
  readonly reset?: boolean;
}

const CHECKPOINT_EVERY = 1000;
const MAX_MINE = 10_000;
const MAX_DRAIN = 1000;
/** Unix seconds in a block are 32 bits, which end in 2106. */
const MAX_TIME = 2 ** 32 - 2 ** 20;

/** Opens or creates the chain of a directory, and keeps the directory locked until it is stopped. */
export async function createLocalnet(options: LocalnetOptions): Promise<Localnet> {
  await mkdir(options.folder, { recursive: true });
  const unlock = lockFolder(options.folder);
  try {
    return await openLocalnet(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openLocalnet(options: LocalnetOptions, unlock: () => void): Promise<Localnet> {
  const { folder, settings, log, clock = systemClock, vm } = options;
  const paths = chainPaths(folder);
  const turns = new SerialQueue();
  const mempool = new Mempool(clock);
  let chain: OpenChain;
  let maker: StepMaker;
  let offsetSeconds = 0;
  let isStopped = false;
  /** Where the chain was at snapshots that it has grown from since: it goes back there without reading its file again. */
  const places = new Map<string, ChainPlace>();
  const now = (): number => clock() + offsetSeconds;

  const every = options.checkpointEvery ?? CHECKPOINT_EVERY;

  async function open(): Promise<void> {
    const { makeZeroStates, secondsBehind = 0 } = options;
    const genesis = { now: clock() - secondsBehind, shards: settings.shards };
    places.clear();
    const recentSteps = every >> 1;
    continueFrom(await openChain({ folder, log, genesis, makeZeroStates, recentSteps, secondsBehind }));
  }

  function continueFrom(opened: OpenChain): void {
    chain = opened;
    offsetSeconds = chain.offsetSeconds;
    const collator = options.createCollator(chain.store);
    const checkpoints = { folder: paths.states, every };
    maker = new StepMaker({ chain, collator, mempool, now, log, checkpoints });
  }

  const place = (): ChainPlace => ({
    seqno: chain.store.head.seqno,
    fileBytes: chain.file.length,
    lastStep: maker.lastStep,
    offsetSeconds,
  });

  if (settings.reset) await removeChain(folder);
  await open();
  if (!chain!.isBegun && chain!.store.head.seqno > 0) {
    await chain!.file.close();
    await removeChain(folder);
    await open();
  }
  const store = createSwitchableStore(chain!.store);
  if (chain!.genesis.shards !== settings.shards)
    log.warn(
      { shards: chain!.genesis.shards },
      'Shard count of an existing local chain cannot change; use localnet --reset for a new chain',
    );
  const checkAcceptance = vm && createCheckAcceptance(store, vm, { now, aheadSeconds: () => offsetSeconds });
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns.run(() => {
      if (isStopped) throw new Failure('unavailable', 'the local chain is stopped');
      return work().catch(explainDisk);
    });
  const hasWork = (): boolean => mempool.size > 0 || hasPendingWork(store, chain.genesis.shards);
  const miner = createMiner({
    mode: settings.mine,
    blockMs: settings.blockMs,
    hasWork,
    log,
    step: async () => {
      const { transactions, settled } = await inTurn(() => maker.step());
      return transactions + settled > 0;
    },
  });

  async function advance(seconds: number): Promise<BlockId> {
    if (!Number.isSafeInteger(seconds) || seconds < 1)
      throw new Failure('bad_request', wrongValue('seconds', 'a whole number, 1 or more', seconds));
    if (now() + seconds > MAX_TIME)
      throw new Failure(
        'bad_request',
        `seconds should not move the clock of the chain beyond the year 2106, as ${seconds} would`,
      );
    const ahead = offsetSeconds + seconds;
    await chain.file.append({ kind: 'clock', offsetSeconds: ahead }, []);
    offsetSeconds = ahead;
    return (await maker.step()).id;
  }

  async function restore(name: string): Promise<BlockId> {
    snapshotFolder(folder, name);
    mempool.clear('the chain went back to a snapshot');
    const cached = places.get(name);
    if (cached !== undefined && chain.store.canRewind(cached.seqno)) await goBack(cached);
    else await reopen(name);
    log.info({ name, seqno: store.head.seqno }, 'Local chain restored from a snapshot');
    return store.head;
  }

  /** The file of the chain begins with that of the snapshot, so what came after is cut off. */
  async function goBack({ seqno, fileBytes, lastStep, offsetSeconds }: ChainPlace): Promise<void> {
    await chain.file.cut({ start: fileBytes });
    chain.store.rewind(seqno);
    for (const [name, other] of places) if (other.fileBytes > fileBytes) places.delete(name);
    continueFrom({ ...chain, lastStep, offsetSeconds });
    store.show(chain.store);
  }

  async function reopen(name: string): Promise<void> {
    await chain.file.close();
    try {
      await restoreSnapshot(folder, name);
    } finally {
      await open();
      store.show(chain.store);
    }
    places.set(name, place());
  }

  async function snapshot(name: string): Promise<void> {
    await makeSnapshot(folder, name, (states) => maker.writeStates(states));
    places.set(name, place());
  }

  const localnet: Localnet = {
    store,
    get genesis() {
      return chain.genesis;
    },
    now,
    start: () => miner.start(),
    async send(body) {
      const message = readExternal(store, body);
      await checkAcceptance?.(message);
      const end = mempool.add(message);
      if (settings.mine === 'message') miner.wake();
      return { id: message.id, end };
    },
    async mine(count = 1) {
      if (!Number.isSafeInteger(count) || count < 1 || count > MAX_MINE)
        throw new Failure('bad_request', wrongValue('count', `from 1 to ${MAX_MINE}`, count));
      for (let i = 0; i < count; i++) await inTurn(() => maker.step());
      return store.head;
    },
    async drain() {
      for (let i = 0; i < MAX_DRAIN && hasWork(); i++) await inTurn(() => maker.step());
      return store.head;
    },
    wake: () => miner.wake(),
    advance: (seconds) => inTurn(() => advance(seconds)),
    snapshot: (name) => inTurn(() => snapshot(name)),
    restore: (name) => inTurn(() => restore(name)),
    status() {
      const head = headState(store);
      return {
        seqno: store.head.seqno,
        rootHash: store.head.rootHash.toString('hex'),
        blockTime: head.state.genUtime,
        time: now(),
        offsetSeconds,
        shards: store.head.seqno === 0 ? 0 : headShards(head).length,
        mine: settings.mine,
        blockMs: settings.blockMs,
        waitingMessages: mempool.size,
        snapshots: snapshotNames(folder),
        fault: miner.fault,
      };
    },
    async stop() {
      miner.stop();
      await turns.run(async () => {
        if (isStopped) return;
        isStopped = true;
        mempool.clear('the local chain is stopped');
        await chain.file.close();
        unlock();
      });
    },
  };
  if (!chain!.isBegun) {
    try {
      await options.prepare?.(localnet);
      await inTurn(() => chain.file.append({ kind: 'begun' }, []));
    } catch (error) {
      await chain!.file.close();
      throw error;
    }
  }
  return localnet;
}

interface ChainPlace extends Pick<OpenChain, 'lastStep' | 'offsetSeconds'> {
  readonly seqno: number;
  readonly fileBytes: number;
}

/** Deletes a chain that is not open; snapshots are kept. */
async function removeChain(folder: string): Promise<void> {
  const { chain, states } = chainPaths(folder);
  await rm(chain, { force: true });
  await rm(states, { recursive: true, force: true });
}

/** File errors are the operator's to fix, so they are reported as such. */
function explainDisk(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error;
  throw new Failure('unavailable', `the local chain cannot use its files: ${error.message}`, {
    cause: error,
  });
}

function systemClock(): number {
  return Math.floor(Date.now() / 1000);
}

/** Runs tasks one at a time, in the order they were added. */
class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
