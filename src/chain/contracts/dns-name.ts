import { Failure } from '../../lib/failure.ts';
import { refuse } from './not-that.ts';

const MAX_NAME_BYTES = 128;
const MAX_ENCODED_BYTES = 127;

/**
 * A domain name as resolvers take it: its labels from the last to the first, a zero byte after each. A dot at the end
 * makes an empty first label, and the name that is only a dot, or nothing, is one empty label. A name that is too long
 * is refused as tonlib does it.
 */
export function encodeDnsName(name: string): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Failure('lite_server', 'Name is too long');
  const labels = name.split('.');
  if (labels.length > 1 && labels[0] === '') labels.shift();
  const encoded = Buffer.from(
    labels
      .reverse()
      .map((label) => `${label}\0`)
      .join(''),
  );
  if (encoded.length > MAX_ENCODED_BYTES) throw new Failure('lite_server', 'DNS encoded name is too long');
  return encoded;
}

/** The name that a contract tells as resolvers take it. */
export function decodeFullName(encoded: string): string {
  const labels = encoded.split('\0').filter((label) => label !== '');
  return labels.length === 0 ? refuse('no name') : labels.reverse().join('.');
}

/** The name that a resolved part of an encoded one stands for. */
export function decodeDnsName(encoded: Buffer): string {
  return encoded.toString('utf8').split('\0').reverse().join('.');
}
