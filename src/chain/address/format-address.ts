import { crc16 } from './crc16.ts';

const FRIENDLY_BYTES = 36;
const FRIENDLY_CHARS = 48;

interface AddressParts {
  readonly workchain: number;
  readonly hash: Buffer;
}

interface FriendlyFlags {
  readonly bounceable: boolean;
  readonly testOnly: boolean;
}

/** True where the friendly form exists: it has room for one signed byte of workchain. */
export function hasFriendlyForm(workchain: number): boolean {
  return workchain >= -128 && workchain <= 127;
}

/** `workchain:hex`, in upper or lower case. */
export function formatRaw(address: AddressParts, hexCase: 'upper' | 'lower'): string {
  const hex = address.hash.toString('hex');
  return `${address.workchain}:${hexCase === 'upper' ? hex.toUpperCase() : hex}`;
}

/** The friendly form in base64url. */
export function formatFriendly(address: AddressParts, flags: FriendlyFlags): string {
  const bytes = Buffer.allocUnsafe(FRIENDLY_BYTES);
  writeFriendly(bytes, 0, address, flags);
  return bytes.toString('base64url');
}

/** A friendly form in both alphabets. */
export interface FriendlyForms {
  readonly b64: string;
  readonly b64url: string;
}

/** The bounceable and the non-bounceable form in both alphabets. */
export function formatFriendlyForms(
  address: AddressParts,
  testOnly: boolean,
): { readonly bounceable: FriendlyForms; readonly nonBounceable: FriendlyForms } {
  // 36 bytes are 48 characters without padding, so both forms can be encoded in one go.
  const bytes = Buffer.allocUnsafe(2 * FRIENDLY_BYTES);
  writeFriendly(bytes, 0, address, { bounceable: true, testOnly });
  writeFriendly(bytes, FRIENDLY_BYTES, address, { bounceable: false, testOnly });
  const b64 = bytes.toString('base64');
  const b64url = bytes.toString('base64url');
  return {
    bounceable: { b64: b64.slice(0, FRIENDLY_CHARS), b64url: b64url.slice(0, FRIENDLY_CHARS) },
    nonBounceable: { b64: b64.slice(FRIENDLY_CHARS), b64url: b64url.slice(FRIENDLY_CHARS) },
  };
}

function writeFriendly(bytes: Buffer, at: number, address: AddressParts, flags: FriendlyFlags): void {
  if (!hasFriendlyForm(address.workchain)) {
    throw new RangeError(`workchain ${address.workchain} has no friendly form`);
  }
  bytes[at] = (flags.bounceable ? 0x11 : 0x51) | (flags.testOnly ? 0x80 : 0);
  bytes[at + 1] = address.workchain;
  bytes.set(address.hash, at + 2);
  const crc = crc16(bytes, at, at + 34);
  bytes[at + 34] = crc >> 8;
  bytes[at + 35] = crc;
}
