import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { once } from 'node:events';
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
  'looking up': async () => {
    const nameServer = createSocket('udp4').bind(53, '127.0.0.1');
    await once(nameServer, 'listening');
    lookup('database.example', () => log.info('looked up'));
    await once(nameServer, 'message');
  },
};

function nobodyCatches(): never {
  throw new Error('nobody caught this');
}

setInterval(() => {}, 1000);
await situations[process.argv[2] ?? '']?.();
process.stderr.write('up');
