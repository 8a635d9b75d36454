import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';

/** A TCP proxy to a database server that a test can close. */
export interface TcpGate {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Silently drops all data in both directions, like a machine that lost power. */
  freeze(): void;
  close(): Promise<void>;
}

/** Starts a proxy to the server of a database URL. */
export async function createTcpGate(target: string): Promise<TcpGate> {
  const { host, port, user, database } = new pg.Client({ connectionString: target });
  const toTarget = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let frozen = false;
  let server: Server | undefined;

  function pass(inner: Socket): void {
    const outer = connect(toTarget);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!frozen) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!frozen) to.destroy();
      });
    }
  }

  async function listen(at: number): Promise<number> {
    server = createServer(pass).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function shut(): Promise<void> {
    const closing = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
  }

  const ownPort = await listen(0);
  return {
    url: `postgresql://${user}@127.0.0.1:${ownPort}/${database}`,
    shut,
    async open() {
      frozen = false;
      await listen(ownPort);
    },
    freeze() {
      frozen = true;
    },
    async close() {
      await shut();
    },
  };
}
