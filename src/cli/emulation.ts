import { availableParallelism } from 'node:os';
import { createEmulatedTokens, createPendingClassifier } from '../classify/classify-pending.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import { createEmulationContext } from '../live/emulation.ts';
import type { PendingMetrics } from '../observe/pending-metrics.ts';
import { createTraceEmulator } from '../pending/emulate.ts';
import type { EmulationPort } from '../v3/emulation.ts';
import { createVm } from '../vm/vm.ts';
import type { ChainAccess } from './chain-access.ts';

interface EmulationOptions {
  readonly settings: Settings;
  readonly chain: ChainAccess;
  readonly database: Database;
  readonly metrics: Pick<PendingMetrics, 'emulation'>;
  readonly log: Log;
}

const MAX_DEFAULT_THREADS = 4;
/**
 * Of one transaction. Special accounts have the gas of the network for them, which lasts for minutes; a transaction of
 * any other account takes 1 s at most.
 */
const MAX_TRANSACTION_MS = 4000;

/** Opens the emulation of messages. It has its own threads, so that get-methods never wait for it. */
export function openEmulation(options: EmulationOptions): EmulationPort & { close(): Promise<void> } {
  const { settings, chain, database, metrics, log } = options;
  const { network } = settings;
  const { vmBudget: budget } = chain;
  const vm = createVm({
    log,
    threads: threadsOf(settings),
    runLimitMs: MAX_TRANSACTION_MS,
    budget,
    metrics: {
      threadTime: (_lane, ...times) => chain.vmMetrics.threadTime('emulation', ...times),
      timeSpent: chain.vmMetrics.timeSpent,
    },
  });
  const context = createEmulationContext(chain.ports, log);
  const detection = {
    network: network === 'mainnet' || network === 'testnet' ? network : ('other' as const),
    database,
    vm,
    log,
    pool: chain.lite.pool(undefined),
    check: chain.ports.check,
  };
  return {
    context,
    emulator: createTraceEmulator({ vm, context, log, metrics: { emulated: metrics.emulation } }),
    classify: createPendingClassifier(detection),
    tokens: createEmulatedTokens(detection),
    admit: vm.admit,
    budget,
    close: () => vm.close(),
  };
}

function threadsOf({ emulationThreads }: Settings): number {
  if (emulationThreads !== 'auto') return emulationThreads;
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, Math.floor(availableParallelism() / 4)));
}
