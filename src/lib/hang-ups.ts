import type { Socket } from 'node:net';

/** Somebody who works for a client and wants to know when it has gone. */
export interface HangUpListener {
  onHangUp(): void;
}

/**
 * Tells who waits that a client has closed its connection. A connection is watched once, however many requests come
 * over it, and those who wait are a set beside it: to add and remove a listener for every request costs more.
 */
export class HangUps {
  readonly #listeners = new WeakMap<Socket, Set<HangUpListener>>();

  /** The client must not be gone yet. */
  add(client: Socket, listener: HangUpListener): void {
    const known = this.#listeners.get(client);
    if (known === undefined) this.#watch(client, listener);
    else known.add(listener);
  }

  delete(client: Socket, listener: HangUpListener): void {
    this.#listeners.get(client)?.delete(listener);
  }

  #watch(client: Socket, first: HangUpListener): void {
    const listeners = new Set([first]);
    this.#listeners.set(client, listeners);
    client.once('close', () => {
      for (const listener of listeners) listener.onHangUp();
    });
  }
}
