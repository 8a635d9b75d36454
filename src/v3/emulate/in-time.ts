import type { HangUps } from '../../http/hang-ups.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Caller } from '../caller.ts';

interface Hurried {
  readonly caller: Pick<V3Caller, 'client'>;
  readonly deadlineMs: number;
}

/** Works until there is a result, the time is over or the client has gone; the signal then ends the work. */
export async function inTime<T>(
  { caller: { client }, deadlineMs }: Hurried,
  hangUps: HangUps,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  const abort = new AbortController();
  const end = (reason: Failure): void => {
    abort.abort(reason);
    over.reject(reason);
  };
  const listener = {
    onHangUp: () => end(new Failure('client_gone', 'Client closed the connection')),
  };
  const timer = setTimeout(
    () => end(new Failure('timeout', 'timeout: context deadline exceeded')),
    deadlineMs - performance.now(),
  );
  if (client.destroyed) listener.onHangUp();
  else hangUps.add(client, listener);
  const result = (async () => work(abort.signal))();
  try {
    return await Promise.race([result, over.promise]);
  } finally {
    clearTimeout(timer);
    hangUps.delete(client, listener);
    result.catch(() => {});
  }
}
