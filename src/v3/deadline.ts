import { timeoutFailure } from '../db/errors.ts';
import type { ClientDisconnects } from '../lib/client-disconnects.ts';
import type { Failure } from '../lib/errors.ts';
import { clientGone } from '../live/execution.ts';
import type { Caller } from '../live/session.ts';

/** Waits for work, but throws a timeout after `timeoutMs`; the work goes on and its failure is ignored then. */
export async function withTimeout<T>(
  timeoutMs: number,
  work: Promise<T>,
  onTimeout: (failure: Failure) => void = () => {},
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const failure = timeoutFailure();
    onTimeout(failure);
    late.reject(failure);
  }, timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

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
  const result = (async () => work(abort.signal))();
  result.catch(() => {});
  try {
    return await withTimeout(
      deadlineMs - performance.now(),
      Promise.race([result, disconnected.promise]),
      (failure) => abort.abort(failure),
    );
  } finally {
    disconnects.delete(client, listener);
  }
}
