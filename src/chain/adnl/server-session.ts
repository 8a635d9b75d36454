import { acceptHandshake, HANDSHAKE_BYTES } from './handshake.ts';
import type { AdnlPrivateKey } from './keys.ts';
import { decodeMessage, encodeAnswer, encodePong } from './messages.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

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
