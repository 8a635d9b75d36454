import { ACCOUNT_BYTES, accountKey } from './account-key.ts';
import { formatRaw } from './format-address.ts';

const RAW = /^(-?\d{1,3}):([0-9A-F]{64})$/;

/**
 * The bytes of a column that holds accounts and, for a few types of actions, other texts: keys, ids of other chains. A raw
 * address becomes the 33 bytes of an account, any other text is UTF-8.
 */
export function toAccountOrText(text: string): Buffer {
  const match = RAW.exec(text);
  const workchain = Number(match?.[1]);
  return match !== null && workchain >= -128 && workchain <= 127
    ? accountKey(workchain, Buffer.from(match[2]!, 'hex'))
    : Buffer.from(text, 'utf8');
}

/** What the bytes of such a column say. */
export function fromAccountOrText(bytes: Buffer): string {
  if (bytes.length !== ACCOUNT_BYTES) return bytes.toString('utf8');
  return formatRaw({ workchain: bytes.readInt8(0), hash: bytes.subarray(1) }, 'upper');
}
