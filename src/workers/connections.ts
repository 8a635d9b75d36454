import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { type BlockedAddresses, createBlockedAddresses, FLOODED, REFUSAL } from '../http/connections.ts';
import { BACKLOG, type ListenOptions, portError } from '../http/listen.ts';
import type { Channel } from '../lib/channel.ts';
import type { Crew, Member } from './crew.ts';

interface DoorOptions extends ListenOptions {
  readonly crew: Crew;
  /** How many connections one address may have; undefined if the address says nothing about the caller. */
  readonly perAddress: number | undefined;
  readonly onRefused: () => void;
}

interface Connection {
  readonly id: number;
  readonly address: string;
  /** Ours, until the worker has the connection. */
  socket: Socket | undefined;
}

interface Desk {
  isOpen: boolean;
  readonly connections: Map<number, Connection>;
}

/** Connections that wait while no worker is up. */
const MAX_WAITING = 1000;

/**
 * Accepts the connections of all workers and hands each to the worker with the fewest. One that a worker was given and has
 * not taken yet goes to another one if the worker ends: nothing was read from it.
 */
export function createDoor({ crew, perAddress, onRefused, ...options }: DoorOptions) {
  const desks = new Map<Member, Desk>();
  const blocked = createBlockedAddresses();
  const byAddress = new Map<string, number>();
  const waiting: Connection[] = [];
  const servers: Server[] = [];
  let lastId = 0;

  function accept(socket: Socket): void {
    socket.on('error', () => {});
    const address = socket.remoteAddress ?? '';
    const own = (byAddress.get(address) ?? 0) + 1;
    if (perAddress !== undefined && (own > perAddress || blocked.has(address))) {
      refuse(socket, own > perAddress ? REFUSAL : FLOODED);
      return;
    }
    byAddress.set(address, own);
    lastId += 1;
    hand({ id: lastId, address, socket });
  }

  function refuse(socket: Socket, response: string): void {
    onRefused();
    socket.end(response);
    socket.destroySoon();
  }

  function hand(connection: Connection): void {
    let [fewest, chosen]: [number, Member | undefined] = [Number.POSITIVE_INFINITY, undefined];
    for (const [member, { isOpen, connections }] of desks)
      if (isOpen && connections.size < fewest) [fewest, chosen] = [connections.size, member];
    if (chosen === undefined) {
      if (waiting.length < MAX_WAITING) waiting.push(connection);
      else {
        forget(connection);
        refuse(connection.socket!, REFUSAL);
      }
      return;
    }
    desks.get(chosen)!.connections.set(connection.id, connection);
    // If it cannot be sent, the worker has ended.
    chosen.child.send(connection.id, connection.socket, { keepOpen: true }, () => {});
  }

  function forget({ address }: Connection): void {
    const left = byAddress.get(address)! - 1;
    if (left === 0) byAddress.delete(address);
    else byAddress.set(address, left);
  }

  crew.onJoin((member) => {
    const { channel, child, post } = member;
    if (post.kind !== 'worker') return;
    const desk: Desk = { isOpen: false, connections: new Map() };
    desks.set(member, desk);
    const shut = (): void => {
      desk.isOpen = false;
    };
    channel.on('open', () => {
      desk.isOpen = true;
      for (const connection of waiting.splice(0)) hand(connection);
    });
    channel.on('shut', shut);
    child.once('exit', shut);
    void channel.closed.then(shut);
    channel.on('blocked', (address: string) => {
      blocked.add(address);
      crew.tellOthers(member, 'blocked', address);
    });
    channel.on('declined', (id: number) => {
      const connection = desk.connections.get(id)!;
      desk.connections.delete(id);
      hand(connection);
    });
    channel.on('taken', (id: number) => {
      const connection = desk.connections.get(id);
      // Closes only the descriptor of this process.
      connection?.socket?.destroy();
      if (connection !== undefined) connection.socket = undefined;
    });
    channel.on('left', (id: number) => {
      const connection = desk.connections.get(id);
      if (connection === undefined) return;
      desk.connections.delete(id);
      connection.socket?.destroy();
      forget(connection);
    });
  });
  crew.onLeave((member) => {
    const desk = desks.get(member);
    if (desk === undefined) return;
    desks.delete(member);
    for (const connection of desk.connections.values()) {
      if (connection.socket === undefined) forget(connection);
      else hand(connection);
    }
  });

  async function open(host: string, port: number): Promise<AddressInfo> {
    const server = createServer({ pauseOnConnect: true, noDelay: true }, accept);
    servers.push(server);
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
    return server.address() as AddressInfo;
  }

  return {
    /** Opens the port and returns its URL. */
    async listen(): Promise<string> {
      const { host } = options;
      // As Fastify does it: a name that stands for two addresses is both of them.
      const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
      try {
        const [first, ...others] = addresses;
        const { address, family, port } = await open(first!.address, options.port);
        for (const other of others) await open(other.address, port).catch(() => {});
        return urlOf(address, family, port);
      } catch (error) {
        throw portError(error, options);
      }
    },
    /** Accepts no more connections; those that there are stay with their workers. */
    close(): void {
      for (const server of servers) server.close();
      for (const { socket } of waiting.splice(0)) socket?.destroy();
    },
    /** Connections of all workers. */
    count: () => [...desks.values()].reduce((sum, { connections }) => sum + connections.size, 0),
  };
}

function urlOf(address: string, family: string, port: number): string {
  const reached = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' && reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Lets the HTTP server of a worker serve the connections that its parent accepts. */
export function takeConnections(server: HttpServer, channel: Channel): void {
  const open = new Set<Socket>();
  const close = server.close.bind(server);
  let isClosing = false;

  process.on('message', (id: number, socket: unknown) => {
    if (!(socket instanceof Socket)) return channel.notify('left', id);
    if (isClosing) {
      socket.destroy();
      return channel.notify('declined', id);
    }
    // Before anything is read from it.
    channel.notify('taken', id);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      channel.notify('left', id);
    });
    server.emit('connection', socket);
  });

  // The server has no port of its own, so it cannot know by itself when all connections are closed.
  server.close = (done) => {
    isClosing = true;
    channel.notify('shut');
    server.closeIdleConnections();
    const end = (): void => void close(done);
    if (open.size === 0) end();
    else for (const socket of open) socket.once('close', () => open.size === 0 && end());
    return server;
  };
  // Begins to look for requests that take too long.
  server.emit('listening');
  channel.notify('open');
}

/** The addresses that flooded any worker. */
export function shareBlockedAddresses(channel: Channel): BlockedAddresses {
  const blocked = createBlockedAddresses();
  channel.on('blocked', blocked.add);
  return {
    has: blocked.has,
    add(address) {
      blocked.add(address);
      channel.notify('blocked', address);
    },
  };
}
