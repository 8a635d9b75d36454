import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds of CPU, those of the garbage collector's threads included, for one run of `work`. */
export function cpuMs(work: () => void, runs: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < runs; i++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runs;
}

/** The middle one of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[figures.length >> 1]!;
}

/** Bytes that stay in use as long as the result of `make` is held. */
export async function retainedBytes(make: () => unknown): Promise<number> {
  // Once before: what the first run leaves behind for good (compiled code, pools) is not part of the result.
  make();
  const before = await bytesInUse();
  const held = [make()];
  const bytes = (await bytesInUse()) - before;
  // Holds the result up to here.
  held.pop();
  return bytes;
}

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // The memory of buffers is given back some time after the buffers.
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
