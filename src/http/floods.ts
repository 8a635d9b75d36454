import type { Socket } from 'node:net';

/** Connections that keep the server busy, and the addresses that they come from. */
export interface Floods {
  /** Closes a connection for it, and remembers its address for a while. */
  add(socket: Socket): void;
  /** Closes a connection whose further requests would only be refused. */
  close(socket: Socket): void;
  /** Whether a connection is being closed. */
  has(socket: Socket): boolean;
  hasAddress(address: string | undefined): boolean;
}

/** A connection is closed after this time: whoever is closed at once comes back at once. */
const CLOSE_AFTER_MS = 1000;
const BLOCKED_MS = 10_000;
const MAX_BLOCKED = 10_000;
/** What Node takes for a request that leads to another protocol, behind which it parses no further. */
const UPGRADE = 2;

/** What Node's server calls for every request that it has parsed. */
interface Parsed {
  readonly parser?: { onIncoming?: () => number } | null;
}

export function createFloods(onFlood: () => void): Floods {
  const closing = new WeakSet<Socket>();
  /** When an address flooded the server; the oldest first. */
  const blockedSince = new Map<string, number>();

  function close(socket: Socket & Parsed): void {
    if (closing.has(socket)) return;
    closing.add(socket);
    // The thousands of requests that the same read may have brought are not even begun.
    if (socket.parser) socket.parser.onIncoming = () => UPGRADE;
    // Node would read on whenever a request is complete or a response is finished, one tick later.
    socket.resume = () => socket;
    process.nextTick(() => socket.emit('pause'));
    setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
  }

  function block(address: string): void {
    blockedSince.delete(address);
    blockedSince.set(address, performance.now());
    const [oldest] = blockedSince.keys();
    if (blockedSince.size > MAX_BLOCKED) blockedSince.delete(oldest!);
  }

  return {
    close,
    add(socket) {
      if (closing.has(socket)) return;
      onFlood();
      if (socket.remoteAddress !== undefined) block(socket.remoteAddress);
      close(socket);
    },
    has: (socket) => closing.has(socket),
    hasAddress(address) {
      if (address === undefined) return false;
      const since = blockedSince.get(address);
      if (since === undefined) return false;
      if (performance.now() - since < BLOCKED_MS) return true;
      blockedSince.delete(address);
      return false;
    },
  };
}
