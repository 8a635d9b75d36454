interface HashForms {
  /** `0x` or `0X` in front of 64 hex digits. */
  readonly prefixedHex?: boolean;
  /** 43 characters of standard base64 without the `=`. */
  readonly unpaddedStandard?: boolean;
}

const HEX = /^[0-9a-fA-F]{64}$/;

const HEX_CHARS = 64;
const BASE64_CHARS = 43;

/**
 * Reads a 256-bit hash: 64 hex digits, 44 characters of base64 or base64url with padding, or 43 of base64url
 * without; `forms` adds more. Returns undefined for anything else.
 */
export function parseHash(text: string, forms: HashForms = {}): Buffer | undefined {
  switch (text.length) {
    case HEX_CHARS:
      return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
    case HEX_CHARS + 2:
      return forms.prefixedHex && /^0[xX]/.test(text) ? parseHash(text.slice(2)) : undefined;
    case BASE64_CHARS + 1:
      return text.endsWith('=') ? fromBase64(text.slice(0, BASE64_CHARS), true) : undefined;
    case BASE64_CHARS:
      return fromBase64(text, forms.unpaddedStandard === true);
    default:
      return undefined;
  }
}

function fromBase64(digits: string, standard: boolean): Buffer | undefined {
  const hash = decodeBase64Digits(digits, 'url');
  if (Buffer.isBuffer(hash)) return hash;
  const standardHash = standard ? decodeBase64Digits(digits, 'standard') : undefined;
  return Buffer.isBuffer(standardHash) ? standardHash : undefined;
}

/** Standard base64 with padding, 44 characters. */
export function formatHashBase64(hash: Buffer): string {
  return hash.toString('base64');
}

/** Base64url without padding, 43 characters. */
export function formatHashBase64Url(hash: Buffer): string {
  return hash.toString('base64url');
}

/** 64 lower-case hex digits. */
export function formatHashHex(hash: Buffer): string {
  return hash.toString('hex');
}

const ALPHABETS = {
  standard: /^[A-Za-z0-9+/]*$/,
  url: /^[A-Za-z0-9_-]*$/,
  mixed: /^[A-Za-z0-9+/_-]*$/,
};

// The last digit of an incomplete group has bits that belong to no byte. They must be zero, so that bytes have one
// spelling only.
const LAST_OF_TWO = /[AQgw]$/;
const LAST_OF_THREE = /[AEIMQUYcgkosw048]$/;

/** Why digits are not base64: a foreign character, a single digit after the last group, or spare bits that are set. */
type Base64Fault = 'character' | 'length' | 'spare_bits';

/**
 * Decodes base64 digits without padding. Node's decoder skips what it does not know and takes both alphabets at once;
 * this one checks every digit and names the first fault.
 */
export function decodeBase64Digits(digits: string, alphabet: keyof typeof ALPHABETS): Buffer | Base64Fault {
  if (!ALPHABETS[alphabet].test(digits)) return 'character';
  const rest = digits.length % 4;
  if (rest === 1) return 'length';
  if ((rest === 2 && !LAST_OF_TWO.test(digits)) || (rest === 3 && !LAST_OF_THREE.test(digits)))
    return 'spare_bits';
  return Buffer.from(digits, 'base64');
}
