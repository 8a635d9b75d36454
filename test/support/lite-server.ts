import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { AdnlError, type AdnlPrivateKey, createPrivateAdnlKey } from '../../src/chain/adnl/keys.ts';
import { LENGTH_BYTES, MAX_PACKET_BYTES } from '../../src/chain/adnl/packets.ts';
import { ServerSession, unwrapLiteQuery } from '../../src/chain/adnl/sessions.ts';
import { encodeLiteError } from '../../src/chain/tl/lite-envelope.ts';
import { constructorText, TlError, TlReader } from '../../src/chain/tl/tl.ts';
import { LiteServerError } from '../../src/lite/errors.ts';
import { type LiteRequest, methodById } from '../../src/lite/methods/codec.ts';

/** The client of a query. */
interface QueryContext {
  /** Number of the connection, from 1. */
  readonly client: number;
}

export interface LiteServerOptions {
  /**
   * Returns the bytes of the response to a request, which may start with a wait prefix (see `splitWaitPrefix`). A thrown
   * LiteServerError is sent as it is, any other error with code 0.
   */
  readonly answer: (request: Buffer, context: QueryContext) => Buffer | Promise<Buffer>;
  readonly misbehave?: Script;
  /** 32 bytes as seed of the server's key; by default a new key. */
  readonly seed?: Uint8Array;
}

/** A local lite server over ADNL, controlled by a test. */
export interface LiteServer {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Buffer;
  /** Number of connected clients. */
  readonly clients: number;
  /** Number of received queries. */
  readonly queries: number;
  /** Sets the misbehaviour for further requests; undefined ends it. */
  misbehave(script: Script | undefined): void;
  /** Closes all connections, but keeps listening. */
  cutAll(): void;
  /** Closes all connections and refuses new ones. */
  stop(): Promise<void>;
  /** Starts again on the same port with the same key. */
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
    // Disconnecting clients are expected.
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
const UNSOLICITED = Buffer.from('unsolicited');

/** Serves one client until its socket closes. */
function serveClient(socket: Socket, { key, answer, misbehaviourFor }: Service): void {
  const session = new ServerSession(key, onQuery);
  let flushPlanned = false;

  socket.on('data', (chunk) => {
    try {
      session.receive(chunk);
      planFlush();
    } catch (error) {
      socket.destroy();
      // Anything else is a bug in the test.
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
        for (let count = 0; count < misbehaviour.packets; count += 1) session.send(UNSOLICITED);
        break;
      case 'error':
        session.answer(id, encodeLiteError({ code: misbehaviour.code, message: misbehaviour.text }));
        planFlush();
        return;
    }
    session.answer(id, bytes);
    planFlush();
  }

  /** Sends a response in a write of its own, with its encrypted bytes changed. */
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

// AES-CTR: flipping a bit of the encrypted bytes flips the same bit of the plain bytes.

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

/** What a lite server does instead of responding correctly. */
export type Misbehaviour =
  /** Responds late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never responds to queries, but to pings. */
  | { readonly kind: 'silent' }
  /** Stops reading, like a machine that hangs, until the misbehaviour changes. */
  | { readonly kind: 'hung' }
  /** Closes the connection in the middle of the response. */
  | { readonly kind: 'cut' }
  /** Flips the last bit of the response packet. */
  | { readonly kind: 'wrong-checksum' }
  /** Sends bytes that are not a packet. */
  | { readonly kind: 'garbage' }
  /** Declares the maximum packet length, so that everything that follows seems to belong to the response. */
  | { readonly kind: 'endless' }
  /** Sends unsolicited packets before the response. */
  | { readonly kind: 'flood'; readonly packets: number }
  /** Closes new connections during the handshake; open connections continue. */
  | { readonly kind: 'refuse-handshake' }
  /** Responds with liteServer.error. */
  | { readonly kind: 'error'; readonly code: number; readonly text: string };

/** A fixed misbehaviour, or one chosen for each request. */
export type Script = Misbehaviour | ((request: Buffer) => Misbehaviour | undefined);

/** Decodes a request without a wait prefix. Its buffers are views. Throws only TlError. */
export function decodeRequest(bytes: Uint8Array): LiteRequest {
  const reader = new TlReader(bytes);
  const id = reader.uint();
  const codec = methodById(id);
  if (codec === undefined) throw new TlError(`unknown function ${constructorText(id)}`);
  const request = { method: codec.method, ...(codec.read(reader) as object) } as LiteRequest;
  reader.end();
  return request;
}
