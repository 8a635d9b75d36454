import { EventEmitter } from 'node:events';
import type { createClassifier } from '../../src/classify/classifier.ts';
import {
  CLASSIFY_CONNECTIONS,
  PREPARE_CLASSIFYING,
  runClassification,
} from '../../src/classify/classify-loop.ts';
import type { HostProcess } from '../../src/cli/open-process.ts';
import { serve } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { QueueStats } from '../../src/index/write/trace-queue.ts';
import { createWriterConnections } from '../../src/index/write/writer-connections.ts';
import { WakeableTimer, waitAtMost } from '../../src/lib/wait.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createShutdown } from '../../src/observe/shutdown.ts';
import { sharedDecoder } from './shared-decoder.ts';
import { sharedVm } from './shared-vm.ts';
import { type RunningTongate, TEST_SETTINGS } from './tongate-process.ts';

type Classifier = ReturnType<typeof createClassifier>;

/** The process is that of many tests: how busy and how large it is says nothing about the server. */
const NO_SHEDDING = { SHED_LOOP_DELAY_MS: '0', SHED_HEAP_PERCENT: '0' };

/** Threads of its own would take a second of CPU time to start. */
const sharedThreads = (): NonNullable<HostProcess['threads']> => ({
  vm: sharedVm(),
  decoder: sharedDecoder(),
  createClassifier: classifyHere,
});

/** A database that hangs must not keep a server from its end. */
const CLOSE_MS = 10_000;

/** Classifies in this thread. */
function classifyHere({ url, log, onBatch, timing }: Parameters<typeof createClassifier>[0]): Classifier {
  const ended = new AbortController();
  const idle = new WakeableTimer();
  let queue: QueueStats | undefined;
  let running: Promise<void> | undefined;
  const connections = createWriterConnections({
    url,
    log,
    size: CLASSIFY_CONNECTIONS,
    prepare: PREPARE_CLASSIFYING,
  });
  return {
    start() {
      running ??= runClassification({
        connections,
        log,
        timing,
        idle,
        signal: ended.signal,
        ...(onBatch && { onBatch }),
        onQueue: (stats) => {
          queue = stats;
        },
      });
    },
    wake: () => idle.wake(),
    async close() {
      ended.abort();
      await waitAtMost(CLOSE_MS, running);
      await waitAtMost(CLOSE_MS, connections.close());
    },
    progress: () => ({ queue }),
  };
}

/**
 * Starts a server in the process of the test, for tests that are not about processes: another process loads and compiles
 * everything anew, which takes seconds of CPU time.
 */
export async function serveHere(
  env: Record<string, string>,
  command: 'start' | 'serve' = 'start',
): Promise<RunningTongate> {
  const settings = readSettings({ PORT: '0', ...TEST_SETTINGS, ...NO_SHEDDING, ...env });
  let output = '';
  const out = {
    write(text: string) {
      output += text;
    },
  };
  const log = createLogger({ level: settings.logLevel, destination: out });
  const exited = Promise.withResolvers<number>();
  const shutdown = createShutdown({
    log,
    timeoutMs: settings.stopTimeoutMs,
    exit: exited.resolve,
    // Those of the process are for the whole test run.
    signals: new EventEmitter(),
  });
  const metrics = createMetrics({ build: { version: '0.0.0', network: settings.network }, runtime: false });
  await serve({
    settings,
    everything: command === 'start',
    out,
    within: { log, shutdown, metrics, threads: sharedThreads() },
  });
  return {
    url: /"url":"(http:[^"]+)","msg":"tongate is ready"/.exec(output)![1]!,
    output: () => output,
    async end(signal) {
      await shutdown.stop(signal);
      return exited.promise;
    },
  };
}
