import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell } from '@ton/core';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { createPendingClassifier } from '../../../src/classify/classify-pending.ts';
import type { Payer } from '../../../src/lib/payer.ts';
import { type ExternalMessage, readExternalMessage } from '../../../src/live/external-messages.ts';
import type { PendingArrival, PendingCounts, PendingEnd } from '../../../src/observe/pending-metrics.ts';
import { createPendingChanges } from '../../../src/pending/changes.ts';
import { createChainReader } from '../../../src/pending/follow-chain.ts';
import {
  createPending,
  type Pending,
  type PendingLimits,
  type PendingOptions,
} from '../../../src/pending/lifecycle.ts';
import { createMemoryStore } from '../../../src/pending/memory-store.ts';
import { createPendingIndex } from '../../../src/pending/pending-index.ts';
import { createSignedBlocks } from '../../../src/pending/signed-blocks.ts';
import { createVmBudget } from '../../../src/vm/vm.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { type EmulatorContext, openEmulatorContext } from './emulator-context.ts';

/** Pending messages on a local chain with the demo, beside an index of it. */
export interface PendingContext extends EmulatorContext {
  readonly pending: Pending;
  readonly counts: CountedPending;
  /** How many traces are in memory. */
  readonly kept: () => number;
  /** Moves the clock of pending messages, not that of the chain. */
  readonly pass: (seconds: number) => void;
  /** Takes messages as if they were sent, and waits until each is shown or dropped. */
  readonly accept: (...messages: readonly Cell[]) => Promise<void>;
  /** Mines blocks, and refreshes the pending messages. */
  readonly mine: (blocks?: number) => Promise<void>;
}

/** What was counted. */
interface CountedPending extends PendingCounts {
  readonly arrivals: Partial<Record<PendingArrival, number>>;
  readonly ends: Partial<Record<PendingEnd, number>>;
  /** How long each message took until it was shown. */
  readonly shownSeconds: number[];
}

type PendingContextOptions = Partial<Omit<PendingOptions, 'limits'>> & {
  readonly limits?: Partial<PendingLimits>;
  /** Whether the lite server tells of signed shard blocks. */
  readonly showsSigned?: boolean;
  /** Messages need not be signed. */
  readonly ignoreSignature?: boolean;
};

/** As in the chain of the demo index. */
const SHARDS = 4;
export const PAYER: Payer = { id: 'k:1', rps: 100 };
const LIMITS: PendingLimits = {
  maxConcurrent: 4,
  maxQueued: 2000,
  maxKept: 2000,
  maxPerRps: 20,
  keepSeconds: 600,
  checksPerHead: 2000,
};

/** Opens pending messages; the index stays as it is. */
export async function openPendingContext(
  { database }: Pick<TestDatabase, 'database'>,
  { ignoreSignature, showsSigned = true, ...options }: PendingContextOptions = {},
): Promise<PendingContext> {
  const context = await openEmulatorContext({ shards: SHARDS, demo: true, showsSigned });
  const { localnet, pool, vm, emulator } = context;
  const log = createQuietLog();
  const check = { verify: true };
  const counts = countPending();
  const store = createMemoryStore({
    maxEntries: 2000,
    maxBytes: 2 ** 28,
    maxTraceBytes: 2 ** 22,
    maxFound: 2000,
  });
  let passed = 0;
  const pending = createPending({
    emulate: (start, { payer, signal }) =>
      emulator.emulate({
        ...('external' in start ? { message: start.external } : start),
        budgetMs: 60_000,
        payer,
        signal,
        ignoreSignature,
      }),
    classify: createPendingClassifier({ network: 'other', database, pool, check, vm, log }),
    index: createPendingIndex(database),
    // Tests refresh explicitly.
    chain: { ...createChainReader({ pool, check }), onHead: () => () => {} },
    store,
    changes: createPendingChanges(),
    signed: createSignedBlocks({ pool, check, log, pollMs: 20 }),
    budget: createVmBudget({ msPerRps: undefined }),
    clock: () => localnet.now() + passed,
    log,
    metrics: counts,
    ...options,
    limits: { ...LIMITS, ...options.limits },
  });
  return {
    ...context,
    pending,
    counts,
    kept: () => store.size().traces,
    pass: (seconds) => {
      passed += seconds;
    },
    async accept(...messages) {
      const before = sumOf(counts.arrivals);
      for (const message of messages) pending.accepted(accepted(message), PAYER, 'sender');
      while (sumOf(counts.arrivals) < before + messages.length) await sleep(2);
    },
    async mine(blocks = 1) {
      const { seqno } = await localnet.mine(blocks);
      await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
      await pending.refresh();
    },
    async close() {
      await pending.close();
      await context.close();
    },
  };
}

/** A message as a lite server has accepted it. */
export function accepted(message: Cell): ExternalMessage {
  return readExternalMessage(readBoc(message.toBoc()));
}

function countPending(): CountedPending {
  const arrivals: Partial<Record<PendingArrival, number>> = {};
  const ends: Partial<Record<PendingEnd, number>> = {};
  const shownSeconds: number[] = [];
  return {
    arrivals,
    ends,
    shownSeconds,
    arrived: (arrival) => {
      arrivals[arrival] = (arrivals[arrival] ?? 0) + 1;
    },
    ended: (end) => {
      ends[end] = (ends[end] ?? 0) + 1;
    },
    shown: (seconds) => void shownSeconds.push(seconds),
    emulated: () => {},
  };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
