import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP relay to a PostgreSQL server that a test can cut and open again. */
export interface DatabaseRelay {
  readonly url: string;
  readonly cut: () => Promise<void>;
  /** Lets nothing through from now on, but keeps the connections and accepts new ones, like a process that is stopped. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly open: () => Promise<void>;
}

/** Opens a relay to the database of a URL, over TCP even if the server listens on a Unix socket. */
export async function relayDatabase(databaseUrl: string): Promise<DatabaseRelay> {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? url.hostname;
  const serverPort = Number(url.searchParams.get('port') ?? (url.port || 5432));
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;
  let isFrozen = false;

  function join(near: Socket): void {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${serverPort}`) : connect(serverPort, host);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from);
      from.pipe(to);
      if (isFrozen) from.pause();
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }

  async function open(): Promise<void> {
    server = createServer(join).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as { port: number }).port;
  }

  await open();
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    open,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
