import { Failure } from '../../lib/failure.ts';
import { readBocEntry } from './input-cell.ts';
import { readNumber } from './input-number.ts';
import { intEntry, type StackEntry } from './stack-entry.ts';

/** Reads the arguments of the dialect of v3: objects of a type and a value; none at all may be left out. */
export function readV3Stack(stack: unknown): StackEntry[] {
  if (stack === undefined || stack === null) return [];
  if (!Array.isArray(stack)) throw refusal('stack should be an array');
  return stack.map(readV3Entry);
}

function readV3Entry(entry: unknown, index: number): StackEntry {
  if (typeof entry !== 'object' || entry === null)
    throw refusal(`stack[${index}] should be an object with type and value`);
  const { type, value } = entry as { type?: unknown; value?: unknown };
  switch (type) {
    case 'num':
      return intEntry(readNumber(value));
    case 'cell':
    case 'slice':
      if (typeof value !== 'string' || value === '')
        throw refusal(`stack[${index}]: a ${type} should be a bag of cells in base64`);
      return readBocEntry(type, value, 'invalid');
    default:
      throw refusal(`unsupported stack parameter type: ${String(type).slice(0, 256)}`);
  }
}

function refusal(text: string): Failure {
  return new Failure('invalid', text);
}
