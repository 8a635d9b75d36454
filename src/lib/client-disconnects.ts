import type { Socket } from 'node:net';
import { Failure } from './errors.ts';

export interface DisconnectListener {
  onDisconnect(): void;
}

/**
 * Notifies listeners when a client closes its connection. A socket gets one event listener, however many requests come
 * over it: adding and removing an event listener for every request costs more.
 */
export class ClientDisconnects {
  readonly #listeners = new WeakMap<Socket, Set<DisconnectListener>>();

  /** The client must be connected. */
  add(client: Socket, listener: DisconnectListener): void {
    const existing = this.#listeners.get(client);
    if (existing === undefined) this.#watch(client, listener);
    else existing.add(listener);
  }

  delete(client: Socket, listener: DisconnectListener): void {
    this.#listeners.get(client)?.delete(listener);
  }

  #watch(client: Socket, first: DisconnectListener): void {
    const listeners = new Set([first]);
    this.#listeners.set(client, listeners);
    client.once('close', () => {
      for (const listener of listeners) listener.onDisconnect();
    });
  }
}

/** The failure of work whose client has disconnected. */
export function clientGone(): Failure {
  return new Failure('client_gone', 'Client closed the connection');
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
