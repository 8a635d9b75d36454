import { createLogger, flushLog } from '../../src/observe/logger.ts';

/** A process of its own that logs and ends in the way its argument says; run by log-destination.test.ts. */
const log = createLogger({ level: 'info' });
const say = (lines: number) => {
  for (let line = 0; line < lines; line += 1) log.info({ line }, 'a line of the usual length, more or less');
};

const endings: Record<string, () => unknown> = {
  'exit at once': () => {
    say(500);
    process.exit(3);
  },
  'exit while writing': () => {
    say(500);
    setImmediate(() => {
      say(3);
      process.exit(3);
    });
  },
  'flush and exit': async () => {
    say(20_000);
    await flushLog(log);
    process.exit(3);
  },
  'come to an end': () => say(3),
  'stay alive': () => {
    say(3);
    setInterval(() => {}, 1000);
  },
  'exit when nobody reads': () => {
    say(20_000);
    setTimeout(() => {
      say(3);
      process.exit(3);
    }, 200);
  },
  'exit while the pipe is full': () => {
    say(5000);
    setTimeout(() => {
      process.stderr.write('exits');
      process.exit(3);
    }, 200);
  },
  'crash with a fatal line': () => {
    log.fatal('the last words');
    process.kill(process.pid, 'SIGKILL');
  },
};

await endings[process.argv[2] ?? '']?.();
