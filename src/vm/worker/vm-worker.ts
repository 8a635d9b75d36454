/** The program of a thread: says when it is ready, then does one job after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { compileEmulator } from './emulator.ts';
import { claimJob, countStep, type ThreadReady, type ThreadStart, type WorkMessages } from './protocol.ts';
import { Runner } from './runner.ts';

const port = parentPort!;
const { module: given, progress } = workerData as ThreadStart;
const module = given ?? (await compileEmulator());
const runner = new Runner(module);
await runner.start();

port.on('message', async (jobs: WorkMessages) => {
  for (let next = 1, goesOn = true; goesOn; next++) {
    const reply = await runner.work(jobs[next - 1]!, () => countStep(progress));
    goesOn = next < jobs.length && claimJob(progress, next);
    port.postMessage(reply);
  }
});
port.postMessage({ module } satisfies ThreadReady);
