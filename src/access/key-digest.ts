import { hash } from 'node:crypto';

/** SHA-256 of an API key in base64: the only form in which a key is kept, in memory as in the database. */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64');
}

/** The digest as the database stores it. */
export function digestBytes(digest: string): Buffer {
  return Buffer.from(digest, 'base64');
}
