import { createLogger } from '../../src/observe/logger.ts';
import { createShutdown } from '../../src/observe/shutdown.ts';

/** A process of its own that waits for its end; run by shutdown-signals.test.ts. */
const log = createLogger({ level: 'info' });
const shutdown = createShutdown({ log, timeoutMs: Number(process.argv[3] ?? 10_000) });
shutdown.add('first', () => log.info('first closed'));
shutdown.add('second', async () => log.info('second closed'));

const situations: Record<string, () => unknown> = {
  idle: () => {},
  hanging: () => shutdown.add('hanging', () => new Promise(() => {})),
  throwing: () => setImmediate(() => nobodyCatches()),
  rejecting: () => void Promise.reject(new Error('nobody caught this')),
  stopping: () => void shutdown.stop('told to'),
};

function nobodyCatches(): never {
  throw new Error('nobody caught this');
}

setInterval(() => {}, 1000);
process.stderr.write('up');
situations[process.argv[2] ?? '']?.();
