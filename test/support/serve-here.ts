import { EventEmitter } from 'node:events';
import { serve } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createShutdown } from '../../src/observe/shutdown.ts';
import { type RunningTongate, TEST_SETTINGS } from './tongate-process.ts';

/** The process is that of many tests: how busy and how large it is says nothing about the server. */
const NO_SHEDDING = { SHED_LOOP_DELAY_MS: '0', SHED_HEAP_PERCENT: '0' };

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
    within: { log, shutdown, metrics },
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
