import { NotDecoded } from './not-decoded.ts';

/** How the base64 of a bag of cells begins. */
const BAG_START = 'te6';
const BASE64 = /^[A-Za-z0-9+/]*$/;
const HEX = /^[0-9a-fA-F]*$/;
/** Last digits of base64 whose unused bits are zero, by how many digits there are beyond whole groups. */
const LAST_DIGITS: Readonly<Record<number, RegExp>> = { 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ };

/** The bytes of a body as clients write it, in base64 or in hex. */
export function readBodyText(text: string): Buffer | NotDecoded {
  return text.startsWith(BAG_START) ? readBase64(text) : readHex(text);
}

function readBase64(text: string): Buffer | NotDecoded {
  const fault = (reason: string) => new NotDecoded(`failed to decode base64: ${reason}`);
  if (text.endsWith('===')) return fault('Wrong string padding');
  if (text.length % 4 !== 0) return fault('Wrong padding length');
  const digits = text.slice(0, text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : undefined);
  if (!BASE64.test(digits)) return fault('Wrong character in the string');
  const last = LAST_DIGITS[digits.length % 4];
  if (last !== undefined && !last.test(digits.slice(-1))) return fault('Wrong padding in the string');
  return Buffer.from(digits, 'base64');
}

function readHex(text: string): Buffer | NotDecoded {
  const fault = (reason: string) => new NotDecoded(`failed to decode hex: ${reason}`);
  if (text.length % 2 !== 0) return fault('Wrong hex string length');
  return HEX.test(text) ? Buffer.from(text, 'hex') : fault('Wrong hex string');
}
