import { AdnlFault } from './adnl-fault.ts';
import { makeHandshake } from './handshake.ts';
import type { AdnlPublicKey } from './keys.ts';
import { decodeMessage, encodePing, encodeQuery } from './messages.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

/** Packets that nobody asked for before the server counts as flooding. */
const UNASKED_PACKETS = 1000;

/** What a client hears. */
export interface ClientEvents {
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
      throw new AdnlFault('a flood of packets that nobody asked for');
    if (!this.#ready) {
      this.#ready = true;
      this.#events.onReady();
    }
    // Empty packets, pongs and what later versions may send are of no matter.
    const message = decodeMessage(payload);
    if (message?.kind === 'answer') this.#events.onAnswer(message.id, message.body);
  }
}
