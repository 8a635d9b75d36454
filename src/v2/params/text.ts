import type { ParameterInput } from '../../http/operation.ts';
import { missingRefusal, parseRefusal } from './refusal.ts';

/**
 * The text given for a required parameter: the first value counts. An absent query parameter reads as the empty
 * string, an absent (or null) property of a body is missing.
 */
export function requiredText(input: ParameterInput): string {
  const value = input.values[0];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) throw parseRefusal(input, 'must be a string');
  if (input.origin === 'body') throw missingRefusal(input);
  return '';
}

/** Undoes what form decoding did to unescaped base64 in a query: `+` became a space. */
export function restorePlus(text: string): string {
  return text.includes(' ') ? text.replaceAll(' ', '+') : text;
}
