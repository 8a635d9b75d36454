import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  type Decipheriv,
  hash,
  randomBytes,
} from 'node:crypto';
import { TlReader, TlWriter } from '../tl/tl.ts';
import {
  AdnlError,
  type AdnlPrivateKey,
  type AdnlPublicKey,
  createPrivateAdnlKey,
  readPublicKey,
  sharedSecret,
} from './keys.ts';
import { PacketReader, PacketWriter } from './packets.ts';

/** More unsolicited packets than this count as flooding. */
const MAX_UNSOLICITED_PACKETS = 1000;

interface ClientEvents {
  readonly onReady: () => void;
  /** Both buffers are views of bytes that are not reused. */
  readonly onAnswer: (id: Buffer, answer: Buffer) => void;
}

/** The client's side of one connection, without the socket: bytes in, bytes out. */
export class ClientSession {
  readonly handshake: Buffer;
  readonly #reader: PacketReader;
  readonly #writer: PacketWriter;
  readonly #events: ClientEvents;
  #ready = false;
  #packetsSent = 0;
  #packetsReceived = 0;

  constructor(server: AdnlPublicKey, events: ClientEvents) {
    const { packet, streams } = makeHandshake(server);
    this.handshake = packet;
    this.#reader = new PacketReader(streams.inbound, (payload) => this.#receivePayload(payload));
    this.#writer = new PacketWriter(streams.outbound);
    this.#events = events;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get packetsReceived(): number {
    return this.#packetsReceived;
  }

  /** Bytes that `take` would return. */
  get queuedBytes(): number {
    return this.#writer.size;
  }

  /** Reads bytes from the server. Throws AdnlError or TlError when they break the protocol. */
  receive(chunk: Uint8Array): void {
    this.#reader.read(chunk);
  }

  query(id: Uint8Array, query: Uint8Array): void {
    this.#send(encodeMessage({ kind: 'query', id, body: query }));
  }

  ping(randomId: bigint): void {
    this.#send(encodeMessage({ kind: 'ping', randomId }));
  }

  /** The bytes to send now, if any. */
  take(): Buffer | undefined {
    return this.#writer.take();
  }

  #send(message: Buffer): void {
    this.#packetsSent += 1;
    this.#writer.add(message);
  }

  #receivePayload(payload: Buffer): void {
    this.#packetsReceived += 1;
    // A server sends one packet for each of ours and hardly any other.
    if (this.#packetsReceived - this.#packetsSent > MAX_UNSOLICITED_PACKETS)
      throw new AdnlError('flood of unsolicited packets');
    if (!this.#ready) {
      this.#ready = true;
      this.#events.onReady();
    }
    // Empty packets, pongs and messages of later versions are ignored.
    const message = decodeMessage(payload);
    if (message?.kind === 'answer') this.#events.onAnswer(message.id, message.body);
  }
}

const EMPTY = Buffer.alloc(0);

/** The server's side of one connection, without the socket: bytes in, bytes out. Pings are answered here. */
export class ServerSession {
  readonly #key: AdnlPrivateKey;
  readonly #onQuery: (id: Buffer, query: Buffer) => void;
  #handshake: Buffer = EMPTY;
  #reader: PacketReader | undefined;
  #writer: PacketWriter | undefined;

  constructor(key: AdnlPrivateKey, onQuery: (id: Buffer, query: Buffer) => void) {
    this.#key = key;
    this.#onQuery = onQuery;
  }

  /** Reads bytes from the client. Throws AdnlError or TlError when they break the protocol. */
  receive(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#reader === undefined) {
      const missing = HANDSHAKE_BYTES - this.#handshake.length;
      this.#handshake = Buffer.concat([this.#handshake, chunk.subarray(0, missing)]);
      if (this.#handshake.length < HANDSHAKE_BYTES) return;
      const { inbound, outbound } = acceptHandshake(this.#key, this.#handshake);
      this.#reader = new PacketReader(inbound, (payload) => this.#receivePayload(payload));
      this.#writer = new PacketWriter(outbound);
      // The empty packet tells the client that the handshake was accepted.
      this.#writer.add(EMPTY);
      rest = chunk.subarray(missing);
    }
    if (rest.length > 0) this.#reader.read(rest);
  }

  answer(id: Uint8Array, answer: Uint8Array): void {
    this.send(encodeMessage({ kind: 'answer', id, body: answer }));
  }

  /** Queues a packet with any payload; does nothing before the handshake. */
  send(payload: Uint8Array): void {
    this.#writer?.add(payload);
  }

  /** The bytes to send now, if any. */
  take(): Buffer | undefined {
    return this.#writer?.take();
  }

  #receivePayload(payload: Buffer): void {
    const message = decodeMessage(payload);
    if (message?.kind === 'query') this.#onQuery(message.id, message.body);
    else if (message?.kind === 'ping') this.send(encodeMessage({ kind: 'pong', randomId: message.randomId }));
  }
}

/** The first packet of a client: the server's short id, the client's key, a checksum, encrypted parameters. */
export const HANDSHAKE_BYTES = 256;

const PARAMETER_BYTES = 160;
const CIPHER = 'aes-256-ctr';

/** The ciphers of both directions of a session, for the life of its connection. */
interface AdnlStreams {
  readonly inbound: Decipheriv;
  readonly outbound: Cipheriv;
}

/** Starts a session as a client: the packet to send first, and the streams for what follows. */
export function makeHandshake(server: AdnlPublicKey): { packet: Buffer; streams: AdnlStreams } {
  const own = createPrivateAdnlKey();
  const parameters = randomBytes(PARAMETER_BYTES);
  const packet = sealHandshake(server.shortId, own.publicBytes, sharedSecret(own, server), parameters);
  return { packet, streams: createStreams(parameters, 'client') };
}

/** Starts a session as a server. Throws when the packet is for another key, or malformed. */
export function acceptHandshake(own: AdnlPrivateKey, packet: Uint8Array): AdnlStreams {
  return createStreams(openHandshake(own, packet), 'server');
}

export function sealHandshake(
  serverId: Uint8Array,
  clientKey: Uint8Array,
  secret: Buffer,
  parameters: Uint8Array,
): Buffer {
  const checksum = hash('sha256', parameters, 'buffer');
  const cipher = createCipheriv(CIPHER, ...handshakeKey(secret, checksum));
  return Buffer.concat([serverId, clientKey, checksum, cipher.update(parameters)]);
}

/** The session parameters in a handshake for this key. */
export function openHandshake(own: AdnlPrivateKey, packet: Uint8Array): Buffer {
  if (packet.length !== HANDSHAKE_BYTES) throw new AdnlError('a handshake has 256 bytes');
  const part = (from: number, to: number): Buffer => Buffer.from(packet.subarray(from, to));
  if (!own.shortId.equals(part(0, 32))) throw new AdnlError('the handshake is for another key');
  const secret = sharedSecret(own, readPublicKey(part(32, 64)));
  const checksum = part(64, 96);
  const decipher = createDecipheriv(CIPHER, ...handshakeKey(secret, checksum));
  const parameters = decipher.update(part(96, HANDSHAKE_BYTES));
  if (!checksum.equals(hash('sha256', parameters, 'buffer')))
    throw new AdnlError('the checksum of the handshake is wrong');
  return parameters;
}

/** The streams of a session on one of its sides. */
export function createStreams(parameters: Buffer, side: 'client' | 'server'): AdnlStreams {
  const toClient = [parameters.subarray(0, 32), parameters.subarray(64, 80)] as const;
  const toServer = [parameters.subarray(32, 64), parameters.subarray(80, 96)] as const;
  const [inbound, outbound] = side === 'client' ? [toClient, toServer] : [toServer, toClient];
  return { inbound: createDecipheriv(CIPHER, ...inbound), outbound: createCipheriv(CIPHER, ...outbound) };
}

function handshakeKey(secret: Buffer, checksum: Buffer): [key: Buffer, iv: Buffer] {
  return [
    Buffer.concat([secret.subarray(0, 16), checksum.subarray(16, 32)]),
    Buffer.concat([checksum.subarray(0, 4), secret.subarray(20, 32)]),
  ];
}

/** Constructor ids of `adnl.message.query` and `.answer`, `tcp.ping` and `tcp.pong`. */
const IDS = { query: 0xb48bf97a, answer: 0x0fac8416, ping: 0x4d082b9a, pong: 0xdc69fb03 };

/** The message in the payload of a packet; an answer repeats the 32 bytes of its query's id. */
type AdnlMessage<Bytes = Buffer> =
  | { readonly kind: 'query' | 'answer'; readonly id: Bytes; readonly body: Bytes }
  | { readonly kind: 'ping' | 'pong'; readonly randomId: bigint };

export function encodeMessage(message: AdnlMessage<Uint8Array>): Buffer {
  const writer = new TlWriter();
  writer.uint(IDS[message.kind]);
  if ('body' in message) {
    writer.int256(message.id);
    writer.bytes(message.body);
  } else writer.long(message.randomId);
  return writer.finish();
}

/** Reads a payload, of which ids and bodies are views; undefined for a message of another kind. Throws TlError. */
export function decodeMessage(payload: Buffer): AdnlMessage | undefined {
  if (payload.length < 4) return undefined;
  const reader = new TlReader(payload);
  const message = readMessage(reader.uint(), reader);
  if (message !== undefined) reader.end();
  return message;
}

function readMessage(constructorId: number, reader: TlReader): AdnlMessage | undefined {
  switch (constructorId) {
    case IDS.answer:
      return { kind: 'answer', id: reader.int256(), body: reader.bytes() };
    case IDS.query:
      return { kind: 'query', id: reader.int256(), body: reader.bytes() };
    case IDS.ping:
      return { kind: 'ping', randomId: reader.long() };
    case IDS.pong:
      return { kind: 'pong', randomId: reader.long() };
    default:
      return undefined;
  }
}

// liteServer.query data:bytes = Object
const LITE_QUERY = 0x798c06df;

/** Wraps a lite-server function, with its wait prefix if any, as the body of an ADNL query. */
export function wrapLiteQuery(request: Uint8Array): Buffer {
  const writer = new TlWriter();
  writer.uint(LITE_QUERY);
  writer.bytes(request);
  return writer.finish();
}

/** The function in the body of an ADNL query; undefined when the query is not for a lite server. Throws TlError. */
export function unwrapLiteQuery(query: Buffer): Buffer | undefined {
  const reader = new TlReader(query);
  if (reader.left < 4 || reader.uint() !== LITE_QUERY) return undefined;
  const request = reader.bytes();
  reader.end();
  return request;
}
