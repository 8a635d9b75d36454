import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The median; of an even count, the mean of the two middle numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** CPU milliseconds of all threads (garbage collection included) for one run of `work`. */
export function cpuMs(work: () => void, runs: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < runs; i++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runs;
}

/** Bytes that the result of `create` retains. */
export async function retainedBytes(create: () => unknown): Promise<number> {
  // Warm-up: compiled code and pools that the first run leaves behind do not count.
  create();
  const before = await bytesInUse();
  const held = [create()];
  const bytes = (await bytesInUse()) - before;
  // Keeps the result alive up to here.
  held.pop();
  return bytes;
}

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // The memory of buffers is released some time after the buffers are collected.
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
