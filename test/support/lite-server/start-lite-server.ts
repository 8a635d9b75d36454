import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import type { Misbehaviour, Script } from './misbehaviour.ts';
import { serveClient } from './serve-client.ts';

/** Which client asks. */
export interface QueryContext {
  /** Counts the connections since the server was made, from 1 on. */
  readonly client: number;
}

export interface LiteServerOptions {
  /**
   * Gives the bytes of an answer for the bytes of a function. A wait prefix is still before the function: see
   * `splitWaitPrefix`. Throws LiteServerError to refuse; any other error becomes a refusal with code 0.
   */
  readonly answer: (request: Buffer, context: QueryContext) => Buffer | Promise<Buffer>;
  readonly misbehave?: Script;
  /** 32 bytes from which the server's key grows; without them the key is a new one. */
  readonly seed?: Uint8Array;
}

/** A lite server on this machine, over ADNL, that does what a test tells it. */
export interface LiteServer {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Buffer;
  /** Clients that are connected. */
  readonly clients: number;
  /** Queries that have arrived since the server was made, answered or not. */
  readonly queries: number;
  /** Changes how requests are treated from now on; undefined makes it a good server again. */
  misbehave(script: Script | undefined): void;
  /** Ends all connections and goes on listening. */
  cutAll(): void;
  /** Dies: ends all connections and refuses new ones. */
  stop(): Promise<void>;
  /** Comes back on the same port with the same key. */
  start(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts a lite server on a free port. */
export async function startLiteServer(options: LiteServerOptions): Promise<LiteServer> {
  const key = createPrivateAdnlKey(options.seed);
  const sockets = new Set<Socket>();
  let script = options.misbehave;
  let listener: Server | undefined;
  let lastClient = 0;
  let queries = 0;
  let port = 0;

  function misbehaviourFor(request: Buffer): Misbehaviour | undefined {
    queries += 1;
    return typeof script === 'function' ? script(request) : script;
  }

  function accept(socket: Socket): void {
    // A client that goes away is no news for a test server.
    socket.on('error', () => {});
    if (fixedKind() === 'refuse-handshake') {
      socket.destroy();
      return;
    }
    lastClient += 1;
    const context = { client: lastClient };
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    serveClient(socket, { key, answer: (request) => options.answer(request, context), misbehaviourFor });
    if (fixedKind() === 'hung') socket.pause();
  }

  function fixedKind(): Misbehaviour['kind'] | undefined {
    return typeof script === 'object' ? script.kind : undefined;
  }

  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function start(): Promise<void> {
    if (listener !== undefined) return;
    listener = createServer(accept).listen(port, HOST);
    await once(listener, 'listening');
    port = (listener.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    const closing = listener;
    listener = undefined;
    cutAll();
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
  }

  await start();
  return {
    host: HOST,
    port,
    publicKey: key.publicBytes,
    get clients() {
      return sockets.size;
    },
    get queries() {
      return queries;
    },
    misbehave(next) {
      script = next;
      for (const socket of sockets) {
        if (fixedKind() === 'hung') socket.pause();
        else socket.resume();
      }
    },
    cutAll,
    stop,
    start,
  };
}
