import { AdnlError } from './adnl-fault.ts';
import { acceptHandshake, HANDSHAKE_BYTES, makeHandshake } from './handshake.ts';
import type { AdnlPrivateKey, AdnlPublicKey } from './keys.ts';
import { decodeMessage, encodeAnswer, encodePing, encodePong, encodeQuery } from './messages.ts';
import { PacketReader, PacketWriter } from './packets.ts';

/** Packets that nobody asked for before the server counts as flooding. */
const UNASKED_PACKETS = 1000;

/** What a client hears. */
interface ClientEvents {
  /** The server has taken the handshake. */
  readonly onReady: () => void;
  /** Both are views of bytes that are not used again. */
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
  #packetsHeard = 0;

  constructor(server: AdnlPublicKey, events: ClientEvents) {
    const { packet, streams } = makeHandshake(server);
    this.handshake = packet;
    this.#reader = new PacketReader(streams.inbound, (payload) => this.#hear(payload));
    this.#writer = new PacketWriter(streams.outbound);
    this.#events = events;
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Whole packets that have come from the server. */
  get packetsHeard(): number {
    return this.#packetsHeard;
  }

  /** Bytes that wait to be taken. */
  get waitingBytes(): number {
    return this.#writer.size;
  }

  /** Takes bytes from the server. Throws AdnlFault or TlError when they break the protocol. */
  receive(chunk: Uint8Array): void {
    this.#reader.read(chunk);
  }

  /** Adds a query to what waits. */
  query(id: Uint8Array, query: Uint8Array): void {
    this.#send(encodeQuery(id, query));
  }

  /** Adds a ping to what waits. */
  ping(randomId: bigint): void {
    this.#send(encodePing(randomId));
  }

  /** What is to be sent now. */
  take(): Buffer | undefined {
    return this.#writer.take();
  }

  #send(message: Buffer): void {
    this.#packetsSent += 1;
    this.#writer.add(message);
  }

  #hear(payload: Buffer): void {
    this.#packetsHeard += 1;
    // A server has one packet for each of ours and hardly any other.
    if (this.#packetsHeard - this.#packetsSent > UNASKED_PACKETS)
      throw new AdnlError('a flood of packets that nobody asked for');
    if (!this.#ready) {
      this.#ready = true;
      this.#events.onReady();
    }
    // Empty packets, pongs and what later versions may send are of no matter.
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

  /** Takes bytes from the client. Throws AdnlFault or TlError when they break the protocol. */
  receive(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#reader === undefined) {
      const missing = HANDSHAKE_BYTES - this.#handshake.length;
      this.#handshake = Buffer.concat([this.#handshake, chunk.subarray(0, missing)]);
      if (this.#handshake.length < HANDSHAKE_BYTES) return;
      const { inbound, outbound } = acceptHandshake(this.#key, this.#handshake);
      this.#reader = new PacketReader(inbound, (payload) => this.#hear(payload));
      this.#writer = new PacketWriter(outbound);
      // The empty packet tells the client that the handshake was taken.
      this.#writer.add(EMPTY);
      rest = chunk.subarray(missing);
    }
    if (rest.length > 0) this.#reader.read(rest);
  }

  /** Adds the answer to a query to what waits. */
  answer(id: Uint8Array, answer: Uint8Array): void {
    this.send(encodeAnswer(id, answer));
  }

  /** Adds a packet with any payload to what waits; before the handshake there is nobody to hear it. */
  send(payload: Uint8Array): void {
    this.#writer?.add(payload);
  }

  /** What is to be sent now. */
  take(): Buffer | undefined {
    return this.#writer?.take();
  }

  #hear(payload: Buffer): void {
    const message = decodeMessage(payload);
    if (message?.kind === 'query') this.#onQuery(message.id, message.body);
    else if (message?.kind === 'ping') this.send(encodePong(message.randomId));
  }
}
