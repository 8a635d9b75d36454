import { setImmediate, setTimeout } from 'node:timers';

/**
 * How long work on lists may hold the event loop in one turn of it. A short request takes several turns, so that it is
 * late by several slices.
 */
const SLICE_MS = 2;
/** Turns of the event loop from one slice to the next. A turn without work takes microseconds. */
const TURNS = 3;
/** Work that has had less than this does not give way to other work: it is done soon. */
const SHORT_MS = 10;
/** Other work that takes longer than this, with what it waits for, is not waited for. */
const OTHER_WORK_MS = 20;
/** How long long work leaves the event loop to other work after each slice, if that is not done before. */
const MAX_PAUSE_MS = 4;

/** Work that waits for its next slice. */
interface Waiter {
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

// Of the process, because it has one event loop: ten long responses together take one slice. If each gave way by itself,
// all of them would go on in the same turn.
const waiters: Waiter[] = [];
let isUnderWay = false;
let endsAtMs = 0;
/** When other work that is not done began, in this order. */
const otherWork = new Map<object, number>();
let otherWorkAtMs = Number.NEGATIVE_INFINITY;
/** Until when long work leaves the event loop to other work. */
let pausedUntilMs: number | undefined;
let pause: NodeJS.Timeout | undefined;
/** The slices of a request so far; a request is known by its signal. */
const worked = new WeakMap<AbortSignal, { readonly sinceMs: number; takenMs: number }>();

/** Tells that other work begins, such as a request that has just arrived: long work gives way to it. */
export function beginOtherWork(work: object, nowMs: number): void {
  // Requests whose client has gone have no end, nor have streams.
  dropOldWork(nowMs);
  otherWork.set(work, nowMs);
  otherWorkAtMs = nowMs;
}

/** Tells that other work is done. */
export function endOtherWork(work: object): void {
  if (!otherWork.delete(work) || otherWork.size > 0 || pause === undefined) return;
  clearTimeout(pause);
  pause = undefined;
  pausedUntilMs = undefined;
  setImmediate(() => !isUnderWay && goOn());
}

function begin(): void {
  clearTimeout(pause);
  pause = undefined;
  isUnderWay = true;
  endsAtMs = performance.now() + SLICE_MS;
  setImmediate(endTurn, TURNS - 1);
}

function endTurn(turnsLeft: number): void {
  if (turnsLeft > 0) {
    setImmediate(endTurn, turnsLeft - 1);
    return;
  }
  isUnderWay = false;
  goOn();
}

/** Gives the next slice to what waits longest; while long work pauses, only to short work. */
function goOn(): void {
  dropAborted();
  if (waiters.length === 0) return;
  const leftMs = pauseLeft();
  const at = leftMs > 0 ? waiters.findIndex((waiter) => !givesWay(waiter)) : 0;
  if (at === -1) {
    pause = setTimeout(goOn, leftMs);
    return;
  }
  const [next] = waiters.splice(at, 1);
  begin();
  next!.resolve();
}

function dropAborted(): void {
  for (let at = waiters.length - 1; at >= 0; at--) {
    const { signal, reject } = waiters[at]!;
    if (!signal?.aborted) continue;
    waiters.splice(at, 1);
    reject(signal.reason);
  }
}

/** Milliseconds that long work still has to wait. When they are over, the next call begins another pause. */
function pauseLeft(): number {
  const nowMs = performance.now();
  dropOldWork(nowMs);
  const untilMs = otherWork.size > 0 ? (pausedUntilMs ?? nowMs + MAX_PAUSE_MS) : nowMs;
  pausedUntilMs = untilMs > nowMs ? untilMs : undefined;
  return untilMs - nowMs;
}

function dropOldWork(nowMs: number): void {
  for (const [work, atMs] of otherWork) {
    if (nowMs - atMs < OTHER_WORK_MS) return;
    otherWork.delete(work);
  }
}

/** Whether work gives way to the other work that came last. That of a request does not give way to its own arrival. */
function givesWay({ signal }: Waiter): boolean {
  if (signal === undefined) return true;
  const { sinceMs, takenMs } = worked.get(signal)!;
  return takenMs >= SHORT_MS && otherWorkAtMs > sinceMs;
}

/** Whether the slice of this turn is used up: work on a list must then wait for `nextSlice`. */
export function isSliceOver(): boolean {
  if (isUnderWay) return performance.now() >= endsAtMs;
  begin();
  return false;
}

/** Waits for a slice in a later turn of the event loop; rejects with the reason of the signal if it is aborted by then. */
export function nextSlice(signal?: AbortSignal): Promise<void> {
  if (!isUnderWay) begin();
  if (signal !== undefined) noteSlice(signal);
  return new Promise((resolve, reject) => {
    waiters.push({ signal, resolve, reject });
  });
}

function noteSlice(signal: AbortSignal): void {
  const existing = worked.get(signal);
  if (existing === undefined) worked.set(signal, { sinceMs: performance.now(), takenMs: SLICE_MS });
  else existing.takenMs += SLICE_MS;
}

/** Does the same with every item, in slices. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void, signal?: AbortSignal) {
  for (const item of items) {
    work(item);
    if (isSliceOver()) await nextSlice(signal);
  }
}

/** `items.map(work)`, in slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
  signal?: AbortSignal,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at++) {
    results.push(work(items[at]!, at));
    if (isSliceOver()) await nextSlice(signal);
  }
  return results;
}
