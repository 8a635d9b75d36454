import { Failure } from '../../lib/failure.ts';

const SPACE = /[\t\n\v\f\r ]/g;
const DIGITS = /^[A-Za-z0-9+/_-]*$/;
/** Digits that may come last where the bytes do not fill it: its low bits must be zero. */
const LAST_OF_TWO = /[AQgw]$/;
const LAST_OF_THREE = /[AEIMQUYcgkosw048]$/;

/**
 * Decodes base64 as callers spell it: either alphabet, with or without padding, with line breaks. Anything else is
 * refused in the words of the service that clients know.
 */
export function decodeBase64(text: string): Buffer {
  const spelled = text.replace(SPACE, '');
  const digits = spelled.replace(/={1,2}$/, '');
  const padding = spelled.length - digits.length;
  if (digits.endsWith('=')) throw refusal('Wrong padding length');
  if (!DIGITS.test(digits)) throw refusal('Wrong character in the string');
  const rest = digits.length % 4;
  if (rest === 1 || (padding > 0 && rest + padding !== 4)) throw refusal('Wrong string padding');
  if ((rest === 2 && !LAST_OF_TWO.test(digits)) || (rest === 3 && !LAST_OF_THREE.test(digits)))
    throw refusal('Wrong padding in the string');
  return Buffer.from(digits, 'base64');
}

function refusal(reason: string): Failure {
  return new Failure('invalid', `invalid base64 encoded bytes: ${reason}`);
}
