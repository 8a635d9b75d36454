import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from '../lib/errors.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The setting that an operator would change, for the error text. */
  readonly setting: string;
}

/** Connections that may wait to be accepted: Node's 511 are too few for a thousand clients at the same moment. */
export const BACKLOG = 4096;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

/** Opens the port and returns its URL; an error becomes one line that names the setting. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<string> {
  const { host, port } = options;
  try {
    return await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw portError(error, options);
  }
}

/** Throws if one of the ports cannot be opened, for a start that has long work to do before it listens. */
export async function checkPorts(ports: readonly ListenOptions[]): Promise<void> {
  const servers: Server[] = [];
  try {
    // All are open at the same time, so that two settings with the same port are found too.
    for (const options of ports.filter(({ port }) => port !== 0)) servers.push(await tryPort(options));
  } finally {
    await Promise.all(servers.map((server) => once(server.close(), 'close')));
  }
}

async function tryPort(options: ListenOptions): Promise<Server> {
  const { host, port } = options;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return server;
  } catch (error) {
    throw portError(error, options);
  }
}

export function portError(error: unknown, { host, port, setting }: ListenOptions): StartError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''] ?? `cannot be opened: ${message}`;
  const advice =
    code === 'EADDRNOTAVAIL'
      ? `set ${setting.replace(/PORT$/, 'HOST')} to one, or to 0.0.0.0 for all`
      : `set ${setting} to another port`;
  return new StartError(`${host}:${port} ${reason}; ${advice}`, { cause: error });
}
