import type { Log } from '../lib/log.ts';
import type { PoolMetrics } from './pool-metrics.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';

interface DistrustOptions {
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: PoolMetrics;
}

/** Takes a server that gave a wrong answer out of use, each time for longer. */
export function distrust(
  server: PooledServer,
  reason: string,
  { timing, now, log, metrics }: DistrustOptions,
): void {
  metrics.serverFailed(server.name, 'proof');
  const nowMs = now();
  // Many queries may have been under way when the first lie was found.
  if (server.distrustedUntilMs > nowMs) return;
  const isForgiven = nowMs - server.distrustedUntilMs > timing.forgiveMs;
  server.wrongAnswers = isForgiven ? 1 : server.wrongAnswers + 1;
  const periodMs = Math.min(timing.distrustFirstMs * 2 ** (server.wrongAnswers - 1), timing.distrustMaxMs);
  server.distrustedUntilMs = nowMs + periodMs;
  server.condition = 'distrusted';
  log.warn(
    { server: server.name, index: server.index, reason, periodMs },
    'lite server gave a wrong answer and is not used for a while',
  );
}
