import { mkdir, rm } from 'node:fs/promises';
import type { BlockId } from '../../chain/block-id.ts';
import { Failure } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { pause } from '../../lib/wait.ts';
import { wrongValue } from '../../lib/wrong-value.ts';
import type { Vm } from '../../vm/vm.ts';
import type { Collator } from '../collate/collator.ts';
import { type ChainStore, createSwitchableStore, type WritableChainStore } from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';
import { chainPaths, lockFolder } from './chain-folder.ts';
import { type FinalOutcome, Mempool, readExternal } from './mempool.ts';
import { createMiner, hasPendingWork, type MineMode, StepMaker } from './mining.ts';
import { type OpenChain, openChain } from './open-chain.ts';
import type { ChainGenesis } from './record-file.ts';
import { makeSnapshot, restoreSnapshot, snapshotFolder, snapshotNames } from './snapshots.ts';
import { createCheckAcceptance } from './vm-runs.ts';

export type Localnet = Awaited<ReturnType<typeof openLocalnet>>;

export interface LocalnetOptions {
  /** Directory of the chain; it may not exist yet. */
  readonly folder: string;
  readonly settings: LocalnetSettings;
  readonly makeZeroStates: (options: ChainGenesis) => Promise<readonly Buffer[]>;
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
  readonly shards: ChainGenesis['shards'];
  /** For so long the shard blocks of a step are shown as signed before a masterchain block takes them; 0 for not at all. */
  readonly signedMs?: number;
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

async function openLocalnet(options: LocalnetOptions, unlock: () => void) {
  const { folder, settings, log, clock = systemClock, vm } = options;
  const paths = chainPaths(folder);
  const turns = new SerialQueue();
  const mempool = new Mempool(clock);
  let chain: OpenChain;
  let maker: StepMaker;
  let offsetSeconds = 0;
  let isStopped = false;
  const stopping = new AbortController();
  /** Where the chain was at snapshots that it has grown from since: it goes back there without reading its file again. */
  const places = new Map<string, ChainPlace>();
  const now = (): number => clock() + offsetSeconds;
  const every = options.checkpointEvery ?? CHECKPOINT_EVERY;

  async function open(): Promise<void> {
    const { secondsBehind = 0 } = options;
    const genesis = { now: clock() - secondsBehind, shards: settings.shards };
    places.clear();
    continueFrom(await openChain({ ...options, genesis, recentSteps: every >> 1, secondsBehind }));
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
      const made = await makeStep();
      return made !== undefined && made.transactions + made.settled > 0;
    },
  });

  /** Makes a step; undefined if the chain was stopped meanwhile. */
  async function makeStep() {
    const { signedMs = 0 } = settings;
    if (signedMs > 0) {
      await inTurn(() => maker.sign());
      await pause(signedMs, stopping.signal);
      if (isStopped) return undefined;
    }
    return inTurn(() => maker.step());
  }

  async function advance(seconds: number): Promise<BlockId> {
    if (!Number.isSafeInteger(seconds) || seconds < 1)
      throw new Failure('bad_request', wrongValue('seconds', 'a whole number, 1 or more', seconds));
    const tooFar = `seconds should not move the clock of the chain beyond the year 2106, as ${seconds} would`;
    if (now() + seconds > MAX_TIME) throw new Failure('bad_request', tooFar);
    const ahead = offsetSeconds + seconds;
    maker.dropSigned();
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

  /**
   * The file of the chain begins with that of the snapshot, so what came after is cut off: at once with the blocks in the
   * store, because readers find a block there and then read it from the file.
   */
  async function goBack({ seqno, fileBytes, lastStep, offsetSeconds }: ChainPlace): Promise<void> {
    const synced = chain.file.cut({ start: fileBytes });
    chain.store.rewind(seqno);
    for (const [name, other] of places) if (other.fileBytes > fileBytes) places.delete(name);
    continueFrom({ ...chain, lastStep, offsetSeconds });
    store.show(chain.store);
    await synced;
  }

  /** The file that is left stays open for readers until they see the other one. */
  async function reopen(name: string): Promise<void> {
    const { file } = chain;
    try {
      await restoreSnapshot(folder, name);
    } finally {
      try {
        await open();
        store.show(chain.store);
      } finally {
        await file.close();
      }
    }
    places.set(name, place());
  }

  async function snapshot(name: string): Promise<void> {
    await makeSnapshot(folder, name, (states) => maker.writeStates(states));
    places.set(name, place());
  }

  const localnet = {
    /** The chain as readers see it; it is switched to another one by `restore`. */
    store: store as ChainStore,
    get genesis(): ChainGenesis {
      return chain.genesis;
    },
    /** The chain's clock in unix seconds. */
    now,
    start: () => miner.start(),
    /**
     * Accepts an external message; `end` resolves when it is in a block or was dropped. Throws LiteRefusal with the
     * error text of a node if it is invalid.
     */
    async send(body: Buffer): Promise<{ readonly id: string; readonly end: Promise<FinalOutcome> }> {
      const message = readExternal(store, body);
      await checkAcceptance?.(message);
      const end = mempool.add(message);
      if (settings.mine === 'message') miner.wake();
      return { id: message.id, end };
    },
    /** Produces this many masterchain blocks now; returns the last one. */
    async mine(count = 1): Promise<BlockId> {
      if (!Number.isSafeInteger(count) || count < 1 || count > MAX_MINE)
        throw new Failure('bad_request', wrongValue('count', `from 1 to ${MAX_MINE}`, count));
      for (let i = 0; i < count; i++) await makeStep();
      return store.head;
    },
    /** Makes the shard blocks of the next step and shows them as signed; whatever makes the next step takes them. */
    sign: (): Promise<readonly BlockId[]> => inTurn(() => maker.sign()),
    /** Lets the signed blocks lose to others, which do not have the external messages in them. */
    loseSigned: (): Promise<void> => inTurn(async () => maker.dropSigned()),
    /** Produces blocks now until all messages are delivered and all shards exist, up to a limit. */
    async drain(): Promise<BlockId> {
      for (let i = 0; i < MAX_DRAIN && hasWork(); i++) await inTurn(() => maker.step());
      return store.head;
    },
    /** Produces the next block soon instead of on schedule. */
    wake: () => miner.wake(),
    /** Moves the chain's clock forward and produces a block. */
    advance: (seconds: number): Promise<BlockId> => inTurn(() => advance(seconds)),
    snapshot: (name: string): Promise<void> => inTurn(() => snapshot(name)),
    /** Restores a snapshot. Queued messages are dropped. */
    restore: (name: string): Promise<BlockId> => inTurn(() => restore(name)),
    status() {
      const head = headState(store);
      return {
        seqno: store.head.seqno,
        rootHash: store.head.rootHash.toString('hex'),
        /** Unix seconds of the newest block, and of the chain's clock. */
        blockTime: head.state.genUtime,
        time: now(),
        /** Seconds by which the chain's clock is ahead of the machine's. */
        offsetSeconds,
        shards: store.head.seqno === 0 ? 0 : headShards(head).length,
        mine: settings.mine,
        blockMs: settings.blockMs,
        waitingMessages: mempool.size,
        snapshots: snapshotNames(folder),
        /** Error of the last step, if it failed. */
        fault: miner.fault,
      };
    },
    async stop(): Promise<void> {
      miner.stop();
      stopping.abort();
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
  const text = `the local chain cannot use its files: ${error.message}`;
  throw new Failure('unavailable', text, { cause: error });
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
