import { randomBytes } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { NoSuchShard } from '../../lite/proofs/no-such-shard.ts';
import { QueryGate } from '../../lite/query-gate.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { VmCrash } from '../../vm/errors.ts';
import type { EmulatedTrace, EmulationBound, EmulationRefusal } from '../emulated-trace.ts';
import type { EmulationGround, GroundOptions } from '../emulation-ground.ts';
import { deliverAll } from './deliver-all.ts';
import { type EmulationMetrics, type EmulationOutcome, NO_METRICS } from './emulation-metrics.ts';
import { readExternalStart, readInternalStart, type StartMessage } from './start-message.ts';
import { TRACE_LIMITS, type TraceLimits } from './trace-limits.ts';
import { Ended, TraceTransactions } from './trace-transactions.ts';

export interface TraceEmulatorOptions {
  readonly vm: Vm;
  readonly ground: EmulationGround;
  readonly log: Log;
  readonly limits?: Partial<TraceLimits>;
  readonly metrics?: EmulationMetrics;
  /** Gives the seed of a trace's random numbers, 32 bytes that are not all zero. */
  readonly randomSeed?: () => Buffer;
}

/** What is to be emulated: a message from outside, or one or more between accounts that are not delivered yet. */
export type EmulationRequest = GroundOptions & {
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean | undefined;
} & ({ readonly message: Uint8Array } | { readonly internal: readonly Uint8Array[] });

/** Says what messages would cause. */
export interface TraceEmulator {
  /**
   * What a message would cause at the newest masterchain block, or at the one of a seqno. The hashes of a trace that
   * starts with messages between accounts are those of the first of them. Where a bound is reached, what there is by
   * then is given; fails where not even one transaction could be made in time.
   */
  emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal>;
  /** Emulations under way, and those that wait for their turn. */
  state(): { readonly running: number; readonly waiting: number };
}

const SEED_BYTES = 32;

/** Creates what emulates traces. Many can be asked for at once; so many run at a time, in the order they came. */
export function createTraceEmulator(options: TraceEmulatorOptions): TraceEmulator {
  const { vm, ground, log, metrics = NO_METRICS, randomSeed = () => randomBytes(SEED_BYTES) } = options;
  const limits = { ...TRACE_LIMITS, ...options.limits };
  const gate = new QueryGate(limits.running);

  async function inTurn<T>(
    { budgetMs, signal }: GroundOptions,
    work: (deadlineMs: number) => Promise<T>,
  ): Promise<T> {
    const deadlineMs = performance.now() + budgetMs;
    signal?.throwIfAborted();
    if (gate.waiting >= limits.waiting)
      throw new Failure('overloaded', 'too many emulations wait', { retryAfterSeconds: 1 });
    await gate.enter(budgetMs, signal)?.catch((error: unknown) => {
      throw signal?.aborted ? error : tooLate();
    });
    try {
      return await work(deadlineMs);
    } finally {
      gate.leave();
    }
  }

  async function run(
    request: EmulationRequest,
    start: readonly StartMessage[],
    deadlineMs: number,
  ): Promise<EmulatedTrace | EmulationRefusal> {
    const { seqno, group, signal, ignoreSignature = false } = request;
    const budgetMs = deadlineMs - performance.now();
    if (budgetMs <= 0) throw tooLate();
    const moment = await ground.open({ seqno, group, budgetMs, signal });
    const randSeed = randomSeed();
    const trace = { vm, moment, limits, randSeed, ignoreSignature, deadlineMs, signal };
    const transactions = new TraceTransactions(trace);
    try {
      await deliverAll(transactions, start, moment.lt);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Ended && typeof error.why === 'object') return error.why;
      const isFirst = transactions.made.length === 0;
      if (isFirst && error instanceof NoSuchShard)
        return refusal('the workchain of the account does not exist');
      const bound = boundOf(error);
      if (bound === undefined || isFirst) throw bound === 'time' ? tooLate() : error;
      if (bound === 'failed') log.warn({ err: error }, 'a message of a trace could not be emulated');
      transactions.bound ??= bound;
    }
    const { made, bound, vmSeconds } = transactions;
    const { hash: externalHash, normalizedHash } = start[0]!;
    const { mcSeqno, utime } = moment;
    return { externalHash, normalizedHash, mcSeqno, utime, randSeed, transactions: made, bound, vmSeconds };
  }

  async function emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal> {
    const start =
      'message' in request
        ? readExternalStart(request.message)
        : request.internal.map((boc) => readInternalStart(boc));
    if (typeof start === 'string') return refusal(start);
    const messages = Array.isArray(start) ? start : [start];
    return inTurn(request, (deadlineMs) => run(request, messages, deadlineMs));
  }

  return {
    async emulate(request) {
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
        metrics.emulated(outcome, count, (performance.now() - startedAt) / 1000);
      }
    },
    state: () => ({ running: gate.running, waiting: gate.waiting }),
  };
}

/** The bound that ended an emulation; undefined for a failure that has nothing to do with it. */
function boundOf(error: unknown): EmulationBound | undefined {
  if (error instanceof Ended) return error.why as EmulationBound;
  if (error instanceof NoSuchShard || error instanceof VmCrash) return 'failed';
  return error instanceof Failure && error.kind === 'timeout' ? 'time' : undefined;
}

function refusal(text: string): EmulationRefusal {
  return { kind: 'refused', exitCode: undefined, text, vmSeconds: 0 };
}

function tooLate(): Failure {
  return new Failure('timeout', 'the emulation did not end in time');
}
