/** The program of a thread that does what the texts of its jobs say, to test the pool around it. */
import { existsSync, readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
import { readPrepared, serveJobs } from '../../src/lib/worker-jobs.ts';

export interface ScriptedReply {
  readonly texts: readonly string[];
  readonly memoryBytes: number;
}

let memoryBytes = 1000;

/** Blocks the thread, as a job does. */
function sleep(ms?: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function act(script: string): string {
  const [verb, amount] = script.split(' ') as [string, string | undefined];
  switch (verb) {
    case 'sleep':
      sleep(Number(amount));
      return 'slept';
    case 'hold':
      // Until the test makes a file of this name.
      while (!existsSync(amount!)) sleep(2);
      return 'held';
    case 'hang':
      // Without the load of a loop, which would slow down the other tests.
      sleep();
      return 'never';
    case 'exit':
      return process.exit(Number(amount));
    case 'throw':
      throw new Error('thrown on purpose');
    case 'grow':
      memoryBytes += Number(amount);
      return 'grown';
    case 'later':
      setTimeout(() => process.exit(1), Number(amount));
      return 'later';
    case 'priority':
      return String(getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))));
    case 'thread':
      return String(threadId);
    case 'prepared':
      return String(readPrepared());
    default:
      return script;
  }
}

serveJobs(
  (scripts: readonly string[], step): ScriptedReply => {
    const texts = scripts.map((script) => {
      step();
      const text = act(script);
      step();
      return text;
    });
    return { texts, memoryBytes };
  },
  { prepared: 'prepared by a thread' },
);
