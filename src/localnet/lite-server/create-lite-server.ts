import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { AdnlPrivateKey } from '../../chain/adnl/keys.ts';
import type { Log } from '../../lib/log.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { createAnswerRequest } from './answer-request.ts';
import type { RunGetMethod } from './get-method-port.ts';
import type { SendMessage, ServerVersion } from './query.ts';
import { RecentMessages } from './recent-messages.ts';
import { serveClient } from './serve-client.ts';

export interface LiteServerOptions {
  readonly store: ChainStore;
  /** The key by which clients know the server. */
  readonly key: AdnlPrivateKey;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: Log;
  /** The server's clock in unix seconds. */
  readonly now?: () => number;
  readonly version?: ServerVersion;
  /** Without it external messages are refused. */
  readonly sendMessage?: SendMessage | undefined;
  /** Without it get-methods are refused. */
  readonly runGetMethod?: RunGetMethod | undefined;
  readonly maxClients?: number;
}

/** A lite server that listens. */
export interface LiteServer {
  readonly host: string;
  readonly port: number;
  /** The ed25519 key that a client's configuration names. */
  readonly publicKey: Buffer;
  /** Clients that are connected. */
  readonly clients: number;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

const MAX_CLIENTS = 1000;
/** What nodes say: version 1.1, and all that this version can do. */
const VERSION: ServerVersion = { version: 0x101, capabilities: 15n };

/** Serves a chain to lite clients: ADNL over TCP. */
export async function createLiteServer(options: LiteServerOptions): Promise<LiteServer> {
  const { store, key, log, now = systemNow, version = VERSION, sendMessage, runGetMethod } = options;
  const recentMessages = new RecentMessages(now);
  const ports = { store, now, version, recentMessages, sendMessage, runGetMethod };
  const answer = createAnswerRequest(ports, log);
  const sockets = new Set<Socket>();

  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(socket, key, answer);
  });
  listener.maxConnections = options.maxClients ?? MAX_CLIENTS;
  listener.listen(options.port, options.host);
  await once(listener, 'listening');
  listener.on('error', (error) => log.warn({ err: error }, 'the lite server cannot take a client'));
  const { address, port } = listener.address() as AddressInfo;

  return {
    host: address,
    port,
    publicKey: key.publicBytes,
    get clients() {
      return sockets.size;
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function systemNow(): number {
  return Math.floor(Date.now() / 1000);
}
