/** A thread that does as the address of a get-method says, to see what becomes of its pool. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  claimJob,
  countStep,
  type GetMethodWire,
  type RunReply,
  type ThreadStart,
  type WorkMessages,
} from '../../src/vm/worker/protocol.ts';

const port = parentPort!;
const { module, progress } = workerData as ThreadStart;
const texts = new Map<string, string>();
let memoryBytes = 1000;

/** Blocks the thread, as a run does. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function act(run: GetMethodWire): RunReply {
  const [verb, amount] = run.address.split(' ') as [string, string | undefined];
  const reply = { type: 'get_method', exitCode: 0, gasUsed: '0', stack: '', missingLibrary: '' } as const;
  switch (verb) {
    case 'sleep':
      sleep(Number(amount));
      return { ...reply, log: 'slept' };
    case 'hang':
      for (;;);
    case 'exit':
      process.exit(Number(amount));
      break;
    case 'throw':
      throw new Error('thrown on purpose');
    case 'grow':
      memoryBytes += Number(amount);
      return { ...reply, log: 'grown' };
    case 'later':
      setTimeout(() => process.exit(1), Number(amount));
      return { ...reply, log: 'later' };
    case 'texts':
      return { ...reply, log: JSON.stringify([...texts.keys()]) };
    default:
      return { ...reply, log: run.address };
  }
  return { type: 'refused', text: 'never' };
}

port.on('message', (jobs: WorkMessages) => {
  for (let next = 1, goesOn = true; goesOn; next++) {
    const { runs, fresh, forgotten } = jobs[next - 1]!;
    for (const key of forgotten) texts.delete(key);
    for (const [key, text] of fresh) texts.set(key, text);
    const replies = runs.map((run) => {
      countStep(progress);
      const reply = act(run as GetMethodWire);
      countStep(progress);
      return reply;
    });
    goesOn = next < jobs.length && claimJob(progress, next);
    port.postMessage({ replies, memoryBytes });
  }
});
port.postMessage({ module: module ?? { compiled: 'once' } });
