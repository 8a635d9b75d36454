import { readFileSync } from 'node:fs';
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

/**
 * Starts to watch what other guests of the host take of this machine's processors; the result tells their share of the time
 * since then. Where the system does not count it (it is not Linux), that is 0.
 */
export function watchStolenTime(): () => number {
  const before = processorTicks();
  return () => {
    const after = processorTicks();
    const all = after.all - before.all;
    return all > 0 ? (after.stolen - before.stolen) / all : 0;
  };
}

/** Fields of the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests count as user. */
const FIELDS = 8;

function processorTicks() {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const ticks = line
      .trim()
      .split(/\s+/)
      .slice(1, FIELDS + 1)
      .map(Number);
    return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[FIELDS - 1] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}
