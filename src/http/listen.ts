import type { FastifyInstance } from 'fastify';
import { StartError } from '../lib/errors.ts';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The setting that an operator would change. */
  readonly setting: string;
}

/** Clients that may wait for their connection: Node's 511 is less than a thousand who come at the same moment. */
const BACKLOG = 4096;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

/** Opens the port and returns its URL; what is wrong with it becomes one line that names the setting. */
export async function listen(app: FastifyInstance, { host, port, setting }: ListenOptions): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = REASONS[code ?? ''] ?? `cannot be opened: ${message}`;
    throw new StartError(`${host}:${port} ${reason}; set ${setting} to another port`, { cause: error });
  }
}
