import { parseDecimal, parseHexDigits } from '../params/integer.ts';
import { refuse } from '../params/kind.ts';
import { textListParam } from './text-list-param.ts';

const MIN_INT32 = -(2n ** 31n);
const MAX_UINT32 = 2n ** 32n - 1n;
const PREFIX = '0x';

/** Opcodes as unsigned numbers. Hex is tried first, so `123` is 0x123; what is too long for it may be decimal. */
export function opcodesParam() {
  return textListParam({
    description: 'Opcodes: hex with or without 0x, or decimal where that is no hex of 32 bits.',
    read: (text, index) => {
      const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
      const opcode = parseHexDigits(digits, 32) ?? parseDecimal(digits, MIN_INT32, MAX_UINT32);
      if (opcode === undefined) throw refuse('opcodes', `invalid opcode format at index ${index}: ${digits}`);
      return Number(BigInt.asUintN(32, opcode));
    },
  });
}
