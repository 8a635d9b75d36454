import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { AdnlError } from '../../src/chain/adnl/adnl-fault.ts';
import { type AdnlPrivateKey, createPrivateAdnlKey } from '../../src/chain/adnl/keys.ts';
import { unwrapLiteQuery } from '../../src/chain/adnl/messages.ts';
import { LENGTH_BYTES, MAX_PACKET_BYTES } from '../../src/chain/adnl/packets.ts';
import { ServerSession } from '../../src/chain/adnl/sessions.ts';
import { encodeLiteError } from '../../src/chain/tl/lite-envelope.ts';
import { TlError } from '../../src/chain/tl/tl.ts';
import { LiteServerError } from '../../src/lite/errors.ts';

/** Which client asks. */
interface QueryContext {
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

interface Service {
  readonly key: AdnlPrivateKey;
  readonly answer: (request: Buffer) => Buffer | Promise<Buffer>;
  readonly misbehaviourFor: (request: Buffer) => Misbehaviour | undefined;
}

const GARBAGE_BYTES = 4096;
const UNASKED = Buffer.from('nobody asked');

/** Talks to one client until its socket ends. */
function serveClient(socket: Socket, { key, answer, misbehaviourFor }: Service): void {
  const session = new ServerSession(key, onQuery);
  let flushPlanned = false;

  socket.on('data', (chunk) => {
    try {
      session.receive(chunk);
      planFlush();
    } catch (error) {
      socket.destroy();
      // Anything else is a mistake of the test, which has to see it.
      if (!(error instanceof AdnlError || error instanceof TlError)) throw error;
    }
  });

  function onQuery(id: Buffer, query: Buffer): void {
    const request = unwrapLiteQuery(query);
    if (request === undefined) return;
    const misbehaviour = misbehaviourFor(request);
    if (misbehaviour?.kind === 'hung') socket.pause();
    if (misbehaviour?.kind === 'hung' || misbehaviour?.kind === 'silent') return;
    const send = (bytes: Buffer): void => sendAnswer(id, bytes, misbehaviour);
    try {
      const bytes = answer(request);
      if (Buffer.isBuffer(bytes)) send(bytes);
      else bytes.then(send, (error) => send(refusal(error)));
    } catch (error) {
      send(refusal(error));
    }
  }

  function sendAnswer(id: Buffer, bytes: Buffer, misbehaviour: Misbehaviour | undefined): void {
    switch (misbehaviour?.kind) {
      case 'slow':
        setTimeout(() => sendAnswer(id, bytes, undefined), misbehaviour.delayMs).unref();
        return;
      case 'cut':
        sendAlone(id, bytes, (packet) => packet.subarray(0, packet.length >> 1));
        socket.end();
        return;
      case 'wrong-checksum':
        sendAlone(id, bytes, withLastBitChanged);
        return;
      case 'garbage':
        sendAlone(id, bytes, (packet) =>
          Buffer.concat([withLength(packet, 2 ** 32 - 1), randomBytes(GARBAGE_BYTES)]),
        );
        return;
      case 'endless':
        sendAlone(id, bytes, (packet) => withLength(packet, MAX_PACKET_BYTES));
        return;
      case 'flood':
        for (let count = 0; count < misbehaviour.packets; count += 1) session.send(UNASKED);
        break;
      case 'error':
        session.answer(id, encodeLiteError({ code: misbehaviour.code, message: misbehaviour.text }));
        planFlush();
        return;
    }
    session.answer(id, bytes);
    planFlush();
  }

  /** Sends an answer by itself, with its encrypted bytes changed. */
  function sendAlone(id: Buffer, bytes: Buffer, change: (packet: Buffer) => Buffer): void {
    flush();
    session.answer(id, bytes);
    const packet = session.take();
    if (packet !== undefined && socket.writable) socket.write(change(packet));
  }

  function planFlush(): void {
    if (flushPlanned) return;
    flushPlanned = true;
    process.nextTick(flush);
  }

  function flush(): void {
    flushPlanned = false;
    const bytes = session.take();
    if (bytes !== undefined && socket.writable) socket.write(bytes);
  }
}

// AES-CTR: to change a bit of the encrypted bytes is to change the same bit of the plain ones.

function withLength(packet: Buffer, length: number): Buffer {
  const change = (packet.length - LENGTH_BYTES) ^ length;
  packet.writeInt32LE(packet.readInt32LE(0) ^ change, 0);
  return packet;
}

function withLastBitChanged(packet: Buffer): Buffer {
  packet.writeUInt8(packet.readUInt8(packet.length - 1) ^ 1, packet.length - 1);
  return packet;
}

function refusal(error: unknown): Buffer {
  return error instanceof LiteServerError
    ? encodeLiteError({ code: error.code, message: error.text })
    : encodeLiteError({ code: 0, message: String(error) });
}

/** What a test makes a lite server do instead of answering as it should. */
export type Misbehaviour =
  /** Answers late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answers, but is there: pings get their pongs. */
  | { readonly kind: 'silent' }
  /** Reads nothing any more, as a machine that hangs; it reads on when it is told to do something else. */
  | { readonly kind: 'hung' }
  /** Ends the connection in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** Changes the last bit of the packet with the answer. */
  | { readonly kind: 'wrong-checksum' }
  /** Sends bytes that are no packet. */
  | { readonly kind: 'garbage' }
  /** Says that the answer is the largest packet there can be, so that all that follows seems a part of it. */
  | { readonly kind: 'endless' }
  /** Sends packets that nobody asked for, then the answer. */
  | { readonly kind: 'flood'; readonly packets: number }
  /** Ends a new connection without an answer to its handshake; connections that are open go on. */
  | { readonly kind: 'refuse-handshake' }
  /** Answers with liteServer.error. */
  | { readonly kind: 'error'; readonly code: number; readonly text: string };

/** Always the same, or chosen for each request. */
export type Script = Misbehaviour | ((request: Buffer) => Misbehaviour | undefined);
