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
}

const REFUSAL = rawResponse(503, 'Service Unavailable', 'Too many connections', 'Retry-After: 1\r\n');
/** From this share on, connections that only wait for a next request are closed. */
const CROWDED = 0.9;
const SWEEP_EVERY_MS = 1000;

/**
 * Bounds the number of connections, in all and by address, so that callers cannot use up the file descriptors of the
 * process, which its database, its lite servers and its files need too.
 */
export const connectionLimits = fp(async (app, options: ConnectionLimitOptions) => {
  const { connections, perAddress, onRefused } = options;
  const maxPerAddress = perAddress ? Math.max(1, Math.floor(connections / 4)) : connections;
  const byAddress = new Map<string, number>();
  let total = 0;
  let sweptAt = 0;

  function count(address: string, step: 1 | -1): number {
    total += step;
    const own = (byAddress.get(address) ?? 0) + step;
    if (own === 0) byAddress.delete(address);
    else byAddress.set(address, own);
    return own;
  }

  function closeIdle(): void {
    const time = performance.now();
    if (time - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = time;
    app.server.closeIdleConnections();
  }

  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const own = count(address, 1);
    socket.once('close', () => count(address, -1));
    if (total > connections * CROWDED) closeIdle();
    if (total <= connections && own <= maxPerAddress) return;
    onRefused();
    socket.end(REFUSAL);
    socket.destroySoon();
  });
});

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
