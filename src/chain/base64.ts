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
