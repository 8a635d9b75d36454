import type { Socket } from 'node:net';

/** Gets called when a client disconnects. */
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
