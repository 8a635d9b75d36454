import { crc16 } from './crc16.ts';

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

/** The 36 bytes of the friendly form; their base64 is 48 characters in either alphabet. */
export function friendlyBytes(address: AddressParts, flags: FriendlyFlags): Buffer {
  if (!hasFriendlyForm(address.workchain)) {
    throw new RangeError(`workchain ${address.workchain} has no friendly form`);
  }
  const bytes = Buffer.allocUnsafe(36);
  bytes[0] = (flags.bounceable ? 0x11 : 0x51) | (flags.testOnly ? 0x80 : 0);
  bytes.writeInt8(address.workchain, 1);
  address.hash.copy(bytes, 2);
  bytes.writeUInt16BE(crc16(bytes, 34), 34);
  return bytes;
}
