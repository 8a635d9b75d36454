/** The program of a thread: says when it is ready, then does one job after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { compileEmulator } from './emulator-module.ts';
import { Runner } from './runner.ts';
import type { ThreadReady, ThreadStart, WorkMessage } from './wire.ts';

const port = parentPort!;
const { module: given, progress } = workerData as ThreadStart;
const module = given ?? (await compileEmulator());
const runner = new Runner(module);
await runner.start();

port.on('message', async (message: WorkMessage) => {
  port.postMessage(await runner.work(message, () => Atomics.add(progress, 0, 1)));
});
port.postMessage({ module } satisfies ThreadReady);
