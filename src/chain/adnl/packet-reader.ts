import { type Decipheriv, hash } from 'node:crypto';
import { AdnlFault } from './adnl-fault.ts';
import {
  CHECKSUM_BYTES,
  LENGTH_BYTES,
  MAX_PACKET_BYTES,
  MIN_PACKET_BYTES,
  NONCE_BYTES,
} from './packet-size.ts';

/**
 * Decrypts a stream and cuts it into packets. A packet inside one chunk is a view of it; a longer one is gathered in a
 * buffer of its own, so that every byte is copied at most once and tiny chunks cost no memory.
 */
export class PacketReader {
  readonly #decipher: Decipheriv;
  readonly #onPayload: (payload: Buffer) => void;
  readonly #head = Buffer.allocUnsafeSlow(LENGTH_BYTES);
  #headSize = 0;
  /** The packet that has begun but is not whole. */
  #packet: Buffer | undefined;
  #packetSize = 0;

  constructor(decipher: Decipheriv, onPayload: (payload: Buffer) => void) {
    this.#decipher = decipher;
    this.#onPayload = onPayload;
  }

  /** Takes the next bytes of the stream and hands over every payload that they complete. */
  read(chunk: Uint8Array): void {
    const plain = this.#decipher.update(chunk);
    let at = this.#packet === undefined ? 0 : this.#gather(this.#packet, plain, 0);
    while (at < plain.length) {
      const copied = plain.copy(this.#head, this.#headSize, at);
      at += copied;
      this.#headSize += copied;
      if (this.#headSize < LENGTH_BYTES) return;
      this.#headSize = 0;
      at = this.#readPacket(this.#head.readUInt32LE(0), plain, at);
    }
  }

  /** Reads a packet from its first byte on and tells where the chunk goes on. */
  #readPacket(length: number, plain: Buffer, at: number): number {
    if (length < MIN_PACKET_BYTES || length > MAX_PACKET_BYTES)
      throw new AdnlFault(`a packet of ${length} bytes`);
    if (plain.length - at >= length) {
      this.#deliver(plain.subarray(at, at + length));
      return at + length;
    }
    // Memory that nothing was written to is not taken from the machine, so a lying length costs little.
    this.#packet = Buffer.allocUnsafeSlow(length);
    this.#packetSize = 0;
    return this.#gather(this.#packet, plain, at);
  }

  #gather(packet: Buffer, plain: Buffer, at: number): number {
    const copied = plain.copy(packet, this.#packetSize, at);
    this.#packetSize += copied;
    if (this.#packetSize === packet.length) {
      this.#packet = undefined;
      this.#deliver(packet);
    }
    return at + copied;
  }

  #deliver(packet: Buffer): void {
    const end = packet.length - CHECKSUM_BYTES;
    // As text, because a digest as a Buffer costs three times as much.
    if (hash('sha256', packet.subarray(0, end), 'binary') !== packet.toString('latin1', end))
      throw new AdnlFault('the checksum of a packet is wrong');
    this.#onPayload(packet.subarray(NONCE_BYTES, end));
  }
}
