import { Alarm } from './alarm.ts';
import { findOldest } from './find-oldest.ts';
import { hasBlock } from './has-block.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';

interface WatchOptions {
  readonly server: PooledServer;
  readonly timing: PoolTiming;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Finds out how far back a server's archive goes, and looks again from time to time until the signal; never throws. */
export async function watchDepth({ server, timing, random, signal }: WatchOptions): Promise<void> {
  const alarm = new Alarm();
  while (!signal.aborted) {
    const isDone = server.condition === 'ok' && (await look(server, timing.queryMs));
    const pauseMs = isDone ? timing.probeMs : timing.firstProbeMs;
    // Several processes that were started together must not ask in step.
    await alarm.wait(pauseMs * (0.9 + random() / 5), signal);
  }
}

async function look(server: PooledServer, timeoutMs: number): Promise<boolean> {
  try {
    const ask = (request: Buffer) => server.askNow(request, { timeoutMs });
    const has = (seqno: number) => hasBlock(ask, seqno);
    server.oldestSeqno = await findOldest(server.seqno, has, server.oldestSeqno);
    return true;
  } catch {
    // The one who follows the head finds out what is wrong with the server, if anything.
    return false;
  }
}
