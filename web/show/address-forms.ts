export interface AccountAddress {
  readonly workchain: number;
  /** 64 digits, upper case as in answers of v3. */
  readonly hex: string;
}

const FRIENDLY_BYTES = 36;
const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x51;
const TEST_FLAG = 0x80;

/** Reads the raw and the friendly form, with either alphabet of base64; null for anything else. */
export function parseAddress(text: string): AccountAddress | null {
  const raw = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/.exec(text);
  if (raw !== null) return { workchain: Number(raw[1]), hex: raw[2]!.toUpperCase() };
  const bytes = /^[\w+/-]{48}$/.test(text) ? fromBase64(text) : null;
  if (bytes === null || bytes.length !== FRIENDLY_BYTES) return null;
  const tag = bytes[0]! & ~TEST_FLAG;
  if (tag !== BOUNCEABLE && tag !== NON_BOUNCEABLE) return null;
  const check = crc16(bytes.subarray(0, FRIENDLY_BYTES - 2));
  if (check !== bytes[FRIENDLY_BYTES - 2]! * 256 + bytes[FRIENDLY_BYTES - 1]!) return null;
  return { workchain: (bytes[1]! << 24) >> 24, hex: toHex(bytes.subarray(2, FRIENDLY_BYTES - 2)) };
}

/** The form of v3: `workchain:HEX`. */
export function rawForm({ workchain, hex }: AccountAddress): string {
  return `${workchain}:${hex}`;
}

export function friendlyForm(
  { workchain, hex }: AccountAddress,
  { isBounceable, isTestOnly }: { readonly isBounceable: boolean; readonly isTestOnly: boolean },
): string {
  const bytes = new Uint8Array(FRIENDLY_BYTES);
  bytes[0] = (isBounceable ? BOUNCEABLE : NON_BOUNCEABLE) | (isTestOnly ? TEST_FLAG : 0);
  bytes[1] = workchain & 255;
  for (let i = 0; i < 32; i++) bytes[i + 2] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
  const check = crc16(bytes.subarray(0, FRIENDLY_BYTES - 2));
  bytes[FRIENDLY_BYTES - 2] = check >> 8;
  bytes[FRIENDLY_BYTES - 1] = check & 255;
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_');
}

/** Reads base64 in either alphabet, with or without padding; null for anything else. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
    return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return rest;
}
