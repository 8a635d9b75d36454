import { createVm, type Vm } from '../../src/vm/vm.ts';
import { perProcess } from './per-process.ts';
import { createQuietLog } from './quiet-log.ts';

const RUN_LIMIT_MS = 60_000;

/**
 * The TVM of all test files of a process: a thread of its own for each chain and server takes half a second of CPU time.
 * `close` does nothing.
 */
export function sharedVm(): Vm {
  return perProcess('vm', () => ({
    ...createVm({
      log: createQuietLog(),
      threads: 2,
      queueLimit: 100_000,
      timeoutMs: RUN_LIMIT_MS,
      runLimitMs: RUN_LIMIT_MS,
    }),
    close: async () => {},
  }));
}
