import { availableParallelism } from 'node:os';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import type { PendingMetrics } from '../observe/pending-metrics.ts';
import { createTraceEmulator } from '../pending/emulate/create-trace-emulator.ts';
import { createEmulationBudget } from '../pending/life/create-budget.ts';
import type { EmulationPort } from '../v3/emulate/emulate-call.ts';
import { createVm } from '../vm/create-vm.ts';
import type { ChainAccess } from './chain-access.ts';
import { createEmulatedTokens } from './emulated-tokens.ts';
import { createEmulationGround } from './emulation-ground.ts';
import { createPendingClassifier } from './pending-classifier.ts';

interface EmulationOptions {
  readonly settings: Settings;
  readonly chain: ChainAccess;
  readonly database: Database;
  readonly metrics: Pick<PendingMetrics, 'emulation'>;
  readonly log: Log;
}

const MAX_DEFAULT_THREADS = 4;
/** For the whole of one emulation, with all that is read for it. */
const MOST_MS = 8000;

/** All that says what messages would do, in threads of its own: no get-method waits for it. */
export function openEmulation(options: EmulationOptions): EmulationPort & { close(): Promise<void> } {
  const { settings, chain, database, metrics, log } = options;
  const vm = createVm({ log, threads: threadsOf(settings) });
  const ground = createEmulationGround(chain.ports, log);
  const detection = {
    ...{ network: settings.network, database, vm, log },
    ...{ pool: chain.lite.pool(undefined), check: chain.ports.check },
  };
  return {
    ground,
    emulator: createTraceEmulator({ vm, ground, log, metrics: { emulated: metrics.emulation } }),
    classify: createPendingClassifier(detection),
    tokens: createEmulatedTokens(detection),
    budget: createEmulationBudget({
      msPerRps: settings.rateLimit ? settings.emulationMsPerRps : undefined,
      mostMs: MOST_MS,
    }),
    close: () => vm.close(),
  };
}

function threadsOf({ emulationThreads }: Settings): number {
  if (emulationThreads !== 'auto') return emulationThreads;
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, Math.floor(availableParallelism() / 4)));
}
