import { signal } from '@preact/signals';
import { serverInfo } from '../server-info.ts';

const WINDOW_MS = 1000;
const MAX_REPEATS = 8;

/**
 * Keeps the calls of a page within its rate, which responses tell: a page makes several calls at once, and a caller without
 * a key may have one per second.
 */
export function createPace(hasKey: () => boolean) {
  const waitSeconds = signal(0);
  /** Calls per second, as the first response tells. */
  let rate: number | undefined;
  const sentAt: number[] = [];
  let turn: Promise<void> = Promise.resolve();

  function currentRate(): number {
    const first = hasKey() ? null : serverInfo.peek().anonymous_rps;
    return rate ?? first ?? Number.POSITIVE_INFINITY;
  }

  /** One after another, so that calls are sent in the order in which they were made. */
  function waitForTurn(): Promise<void> {
    turn = turn.then(async () => {
      for (;;) {
        const now = performance.now();
        while (sentAt.length > 0 && sentAt[0]! <= now - WINDOW_MS) sentAt.shift();
        if (sentAt.length < Math.max(1, currentRate())) break;
        await sleep(sentAt[0]! + WINDOW_MS - now + 5);
      }
      sentAt.push(performance.now());
    });
    return turn;
  }

  async function send(call: () => Promise<Response>, abort?: AbortSignal): Promise<Response> {
    for (let repeats = 0; ; repeats++) {
      await waitForTurn();
      abort?.throwIfAborted();
      const response = await call();
      const limit = Number(response.headers.get('x-ratelimit-limit') ?? Number.NaN);
      if (limit > 0) rate = limit;
      if (response.status !== 429 || repeats >= MAX_REPEATS) return response;
      const seconds = Math.max(1, Number(response.headers.get('retry-after') ?? 1) || 1);
      waitSeconds.value = seconds;
      await sleep(seconds * 1000);
      waitSeconds.value = 0;
    }
  }

  return { waitSeconds, send };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
