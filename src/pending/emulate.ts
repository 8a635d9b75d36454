import { randomBytes } from 'node:crypto';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { NoSuchShard } from '../lite/methods/accounts.ts';
import type { EmulationContext, SnapshotOptions } from '../live/emulation.ts';
import { VmCrash } from '../vm/errors.ts';
import type { Vm } from '../vm/vm.ts';
import type { EmulatedTrace, EmulationAccounts, EmulationBound, EmulationRefusal } from './pending-traces.ts';
import {
  deliverAll,
  EmulationStopped,
  readExternalStart,
  readInternalStart,
  type StartMessage,
  type TraceBounds,
  TraceTransactions,
} from './trace-emulation.ts';

export interface TraceEmulatorOptions {
  readonly vm: Vm;
  readonly context: EmulationContext;
  readonly log: Log;
  readonly limits?: Partial<EmulatorLimits>;
  readonly metrics?: EmulationMetrics;
  /** Seed of the random numbers of a trace: 32 bytes, not all zero. */
  readonly randomSeed?: () => Buffer;
}

/** The start of an emulation: an external message, or internal messages that are not delivered yet. */
export type EmulationRequest = SnapshotOptions & {
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean | undefined;
  /** Who the TVM time is charged to; undefined for work of our own. */
  readonly payer?: Payer | undefined;
  /** Accounts that messages have changed since the block; all others are those of the block. */
  readonly account?: EmulationAccounts;
} & ({ readonly message: Uint8Array } | { readonly internal: readonly Uint8Array[] });

/** Predicts the traces of messages. */
export type TraceEmulator = ReturnType<typeof createTraceEmulator>;

const SEED_BYTES = 32;

/** Creates an emulator that runs a limited number of emulations at a time, in the order of the requests. */
export function createTraceEmulator(options: TraceEmulatorOptions) {
  const { vm, context, log, metrics, randomSeed = () => randomBytes(SEED_BYTES) } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const permits = new Semaphore(limits.maxRunning, tooLate);

  async function withPermit<T>(
    { budgetMs, signal }: SnapshotOptions,
    work: (deadlineMs: number) => Promise<T>,
  ): Promise<T> {
    const deadlineMs = performance.now() + budgetMs;
    signal?.throwIfAborted();
    if (permits.waiting >= limits.maxWaiting)
      throw new Failure('overloaded', 'too many emulations wait', { retryAfterSeconds: 1 });
    await permits.acquire(budgetMs, signal);
    try {
      return await work(deadlineMs);
    } finally {
      permits.release();
    }
  }

  async function run(
    request: EmulationRequest,
    start: readonly StartMessage[],
    deadlineMs: number,
  ): Promise<EmulatedTrace | EmulationRefusal> {
    const { seqno, group, signal, payer, account, ignoreSignature = false } = request;
    const budgetMs = deadlineMs - performance.now();
    if (budgetMs <= 0) throw tooLate();
    const snapshot = await context.open({ seqno, group, budgetMs, signal });
    const config = await snapshot.config();
    const randSeed = randomSeed();
    const run = { vm, snapshot, account, config, limits, randSeed };
    const transactions = new TraceTransactions({ ...run, ignoreSignature, deadlineMs, signal, payer });
    try {
      // A message may be of a block that is newer than the snapshot.
      const lts = start.map(({ lt }) => lt);
      await deliverAll(transactions, start, latestOf([config.genLt, ...lts]));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EmulationStopped && typeof error.reason === 'object')
        return { ...error.reason, mcSeqno: snapshot.block.seqno };
      const isFirst = transactions.executed.length === 0;
      if (isFirst && error instanceof NoSuchShard)
        return refusal('the workchain of the account does not exist');
      const bound = boundOf(error);
      if (bound === undefined || isFirst) throw bound === 'time' ? tooLate() : error;
      if (bound === 'failed') log.warn({ err: error }, 'Failed to emulate a message of a trace');
      transactions.bound ??= bound;
    }
    const { executed, bound, vmSeconds } = transactions;
    const { hash: externalHash, normalizedHash } = start[0]!;
    return {
      externalHash,
      normalizedHash,
      mcSeqno: snapshot.block.seqno,
      utime: config.utime,
      randSeed,
      transactions: executed,
      bound,
      vmSeconds,
    };
  }

  async function emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal> {
    const start = 'message' in request ? readExternalStart(request.message) : undefined;
    if (typeof start === 'string') return refusal(start);
    const messages = 'internal' in request ? request.internal.map(readInternalStart) : [start!];
    return withPermit(request, (deadlineMs) => run(request, messages, deadlineMs));
  }

  return {
    /**
     * Emulates at the newest masterchain block, or at that of a seqno. A trace that starts with internal messages has the
     * hashes of the first. If a bound is reached, the trace ends there; rejects if that is before the first transaction.
     */
    async emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal> {
      const startedAt = performance.now();
      let outcome: EmulationOutcome = 'failed';
      let count = 0;
      try {
        const result = await emulate(request);
        if ('kind' in result) outcome = result.kind;
        else {
          outcome = result.bound === undefined ? 'whole' : 'bound';
          count = result.transactions.length;
        }
        return result;
      } finally {
        metrics?.emulated(outcome, count, (performance.now() - startedAt) / 1000);
      }
    },
    state: () => ({ running: permits.running, waiting: permits.waiting }),
  };
}

function latestOf(lts: readonly bigint[]): bigint {
  return lts.reduce((latest, lt) => (lt > latest ? lt : latest));
}

/** The bound that stopped an emulation; undefined for any other failure. */
function boundOf(error: unknown): EmulationBound | undefined {
  if (error instanceof EmulationStopped) return error.reason as EmulationBound;
  if (error instanceof NoSuchShard || error instanceof VmCrash) return 'failed';
  return error instanceof Failure && error.kind === 'timeout' ? 'time' : undefined;
}

function refusal(text: string): EmulationRefusal {
  return { kind: 'refused', exitCode: undefined, text, vmSeconds: 0 };
}

function tooLate(): Failure {
  return new Failure('timeout', 'the emulation did not end in time');
}

/** How an emulation ended: all messages delivered, stopped at a bound, message not accepted, or no result. */
type EmulationOutcome = 'whole' | 'bound' | 'refused' | 'failed';

interface EmulationMetrics {
  /** `seconds` includes the wait for a permit. */
  emulated(outcome: EmulationOutcome, transactions: number, seconds: number): void;
}

interface EmulatorLimits extends TraceBounds {
  /** Emulations at a time, and how many more may wait. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

/** Enough for nearly all traces of public networks, and few enough for many traces that are long on purpose. */
const DEFAULT_LIMITS: EmulatorLimits = {
  transactions: 256,
  depth: 64,
  gas: 20_000_000,
  bytes: 32 * 2 ** 20,
  maxRunning: 32,
  maxWaiting: 2000,
};
