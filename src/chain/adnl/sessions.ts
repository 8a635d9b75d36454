import { AdnlError } from './adnl-error.ts';
import { acceptHandshake, HANDSHAKE_BYTES, makeHandshake } from './handshake.ts';
import type { AdnlPrivateKey, AdnlPublicKey } from './keys.ts';
import { decodeMessage, encodeAnswer, encodePing, encodePong, encodeQuery } from './messages.ts';
import { PacketReader, PacketWriter } from './packets.ts';

/** More unsolicited packets than this count as flooding. */
const MAX_UNSOLICITED_PACKETS = 1000;

interface ClientEvents {
  /** The server has accepted the handshake. */
  readonly onReady: () => void;
  /** Both buffers are views of bytes that are not reused. */
  readonly onAnswer: (id: Buffer, answer: Buffer) => void;
}

/** The client's side of one connection, without the socket: bytes in, bytes out. */
export class ClientSession {
  /** The first bytes to send. */
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

  /** Whole packets from the server. */
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
    this.#send(encodeQuery(id, query));
  }

  ping(randomId: bigint): void {
    this.#send(encodePing(randomId));
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
    this.send(encodeAnswer(id, answer));
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
    else if (message?.kind === 'ping') this.send(encodePong(message.randomId));
  }
}
