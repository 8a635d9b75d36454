import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { rawResponse } from './client-errors.ts';

interface ConnectionLimitOptions {
  /** How many connections there may be. */
  readonly connections: number;
  /** Whether one address may have a quarter of them at most; not behind a proxy, whose address all have. */
  readonly perAddress: boolean;
  readonly onRefused: () => void;
  /** Addresses whose new connections are refused. */
  readonly blocked: BlockedAddresses;
}

const REFUSAL = rawResponse(503, 'Service Unavailable', 'Too many connections', 'Retry-After: 1\r\n');
const FLOODED = rawResponse(429, 'Too Many Requests', 'Too many pipelined requests', 'Retry-After: 10\r\n');
/** From this share on, room is made: connections that sent nothing yet are closed, or else those that are idle. */
const CROWDED = 0.9;
const SWEEP_EVERY_MS = 1000;
/** A connection may send nothing for this long before it is closed to make room: its first bytes are on their way. */
const SILENT_MS = 500;

/**
 * Bounds the number of connections, in all and by address, so that callers cannot use up the file descriptors of the
 * process, which its database, its lite servers and its files need too.
 */
export const connectionLimits = fp(async (app, options: ConnectionLimitOptions) => {
  const { connections, perAddress, onRefused, blocked } = options;
  const maxPerAddress = perAddress ? Math.max(1, Math.floor(connections / 4)) : connections;
  const byAddress = new Map<string, number>();
  /** All connections with their addresses. */
  const open = new Map<Socket, string>();
  /** Connections that may have sent nothing yet, with the time they were opened; the oldest first. */
  const silent = new Map<Socket, number>();
  let sweptAt = 0;

  /** Counts a connection; returns how many its address has. */
  function enter(socket: Socket): number {
    const address = socket.remoteAddress ?? '';
    const own = (byAddress.get(address) ?? 0) + 1;
    byAddress.set(address, own);
    open.set(socket, address);
    return own;
  }

  function leave(socket: Socket): void {
    const address = open.get(socket);
    if (address === undefined) return;
    open.delete(socket);
    silent.delete(socket);
    const own = byAddress.get(address)! - 1;
    if (own === 0) byAddress.delete(address);
    else byAddress.set(address, own);
  }

  /** Closes the oldest connection that sent nothing yet, unless it is new; returns whether there is one. */
  function closeSilent(): boolean {
    for (const [socket, openedAt] of silent) {
      if (socket.bytesRead > 0) {
        silent.delete(socket);
        continue;
      }
      if (performance.now() - openedAt >= SILENT_MS) {
        leave(socket);
        socket.destroy();
      }
      return true;
    }
    return false;
  }

  function closeIdle(): void {
    const time = performance.now();
    if (time - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = time;
    app.server.closeIdleConnections();
  }

  function refuse(socket: Socket, response: string): void {
    onRefused();
    socket.end(response);
    socket.destroySoon();
  }

  app.server.on('connection', (socket: Socket) => {
    if (perAddress && blocked.has(socket.remoteAddress)) return refuse(socket, FLOODED);
    const own = enter(socket);
    socket.once('close', () => leave(socket));
    if (open.size > connections * CROWDED) {
      const hasSilent = closeSilent();
      if (!hasSilent || open.size > connections) closeIdle();
    }
    if (open.size <= connections && own <= maxPerAddress) {
      silent.set(socket, performance.now());
      return;
    }
    refuse(socket, REFUSAL);
  });
});

const BLOCKED_MS = 10_000;
const MAX_BLOCKED = 10_000;

/** Addresses that flooded the server, for a while. */
export class BlockedAddresses {
  /** Since when; the oldest first. */
  readonly #since = new Map<string, number>();

  add(address: string | undefined): void {
    if (address === undefined) return;
    this.#since.delete(address);
    this.#since.set(address, performance.now());
    const [oldest] = this.#since.keys();
    if (this.#since.size > MAX_BLOCKED) this.#since.delete(oldest!);
  }

  has(address: string | undefined): boolean {
    if (address === undefined) return false;
    const since = this.#since.get(address);
    if (since === undefined) return false;
    if (performance.now() - since < BLOCKED_MS) return true;
    this.#since.delete(address);
    return false;
  }
}

/** Descriptors that are left to everything but callers. */
const RESERVED = 256;
const MAX_CONNECTIONS = 20_000;
/** Where the limit of the process is unknown. */
const USUAL_DESCRIPTORS = 1024;

/** How many connections callers may have: as many as wanted, but never more than there are file descriptors for. */
export function affordableConnections(wanted = MAX_CONNECTIONS): number {
  const free = descriptorLimit();
  return Math.min(wanted, Math.max(Math.floor(free / 2), free - RESERVED));
}

function descriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_DESCRIPTORS);
  } catch {
    return USUAL_DESCRIPTORS;
  }
}
