import { hash } from 'node:crypto';

/** A bag of cells that many runs have in common: each thread gets it once and is told its key after that. */
export interface SharedBoc {
  /** The SHA-256 of the bytes. */
  readonly key: string;
  /** The bytes in base64, the form in which the emulator takes them. */
  readonly text: string;
}

/** Prepares a bag of cells for many runs. */
export function shareBoc(boc: Uint8Array): SharedBoc {
  return { key: hash('sha256', boc, 'hex'), text: toBase64(boc) };
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
