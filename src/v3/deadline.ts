import type { Socket } from 'node:net';
import { timeoutFailure } from '../db/errors.ts';
import type { ClientDisconnects } from '../lib/client-disconnects.ts';
import { withTimeout } from '../lib/wait.ts';
import { clientGone } from '../live/execution.ts';
import type { Caller } from '../live/session.ts';

interface DeadlineOptions {
  readonly caller: Pick<Caller, 'client'>;
  readonly deadlineMs: number;
}

/** Runs work until there is a result, the time is over or the client has disconnected; the signal then aborts it. */
export async function withDeadline<T>(
  { caller: { client }, deadlineMs }: DeadlineOptions,
  disconnects: ClientDisconnects,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const late = new AbortController();
  return untilDisconnected(client, disconnects, (gone) =>
    withTimeout(
      deadlineMs - performance.now(),
      (async () => work(AbortSignal.any([gone, late.signal])))(),
      () => {
        const failure = timeoutFailure();
        late.abort(failure);
        return failure;
      },
    ),
  );
}

/** Runs work until there is a result or the client has disconnected; the signal then aborts it. */
export async function untilDisconnected<T>(
  client: Socket,
  disconnects: ClientDisconnects,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const disconnected = Promise.withResolvers<never>();
  const listener = {
    onDisconnect: () => {
      const failure = clientGone();
      abort.abort(failure);
      disconnected.reject(failure);
    },
  };
  if (client.destroyed) listener.onDisconnect();
  else disconnects.add(client, listener);
  const result = work(abort.signal);
  result.catch(() => {});
  try {
    return await Promise.race([result, disconnected.promise]);
  } finally {
    disconnects.delete(client, listener);
  }
}
