import { TlError } from './tl-error.ts';

/** Whether a mode announces the field that belongs to `bit`. */
export function hasBit(mode: number, bit: number): boolean {
  return ((mode >>> bit) & 1) === 1;
}

/** Whether an optional field is to be written; refuses a value that does not agree with its mode. */
export function isGiven<T>(mode: number, bit: number, value: T | undefined, field: string): value is T {
  const given = value !== undefined;
  if (given !== hasBit(mode, bit)) {
    throw new TlError(
      `${field} is ${given ? '' : 'not '}given, but bit ${bit} of mode ${mode} says otherwise`,
    );
  }
  return given;
}
