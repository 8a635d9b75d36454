import { setImmediate } from 'node:timers';

/** What holds the event loop: what came in, with all that is done at once because of it, or a long piece of work by its name. */
export type LoopWork = 'request' | 'database' | 'lite_server' | 'thread' | 'response' | 'stream' | 'metrics';

type Report = (work: LoopWork, ms: number) => void;

// Of the process, because it has one event loop.
let current: LoopWork | undefined;
let sinceMs = 0;
const reports = new Set<Report>();

/**
 * Tells what the event loop does from now on, until the next call or the end of its turn. Costs a reading of the clock,
 * and an immediate per turn.
 */
export function startWork(work: LoopWork, nowMs: number = performance.now()): void {
  if (reports.size === 0) return;
  if (current === undefined) setImmediate(endTurn);
  else report(nowMs);
  current = work;
  sinceMs = nowMs;
}

function endTurn(): void {
  report(performance.now());
  current = undefined;
}

function report(nowMs: number): void {
  if (nowMs - sinceMs >= REPORTED_MS) for (const each of reports) each(current!, nowMs - sinceMs);
}

/** What holds the event loop for less delays nobody. */
const REPORTED_MS = 1;

/** Has all work reported that holds the event loop for a millisecond or more; returns what ends it. */
export function watchLoop(onWork: Report): () => void {
  reports.add(onWork);
  return () => reports.delete(onWork);
}
