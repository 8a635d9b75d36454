import { isUtf8 } from 'node:buffer';
import type { Slice } from '../../boc/slice.ts';
import { childOf } from './child-of.ts';
import { CHARACTERS_A_STEP, type Run } from './run.ts';

/**
 * Text along a chain of cells, all of which it takes. Undefined if it is no UTF-8 or a cell leads to more than one
 * other. Unlike in other snakes, bits of a cell that do not fill a byte are filled up with zeros.
 */
export function readSnakeText(run: Run, slice: Slice): string | undefined {
  const parts: Buffer[] = [];
  for (let part: Slice | undefined = slice; ; ) {
    const { bitsLeft, refsLeft } = part;
    if (refsLeft > 1) return undefined;
    run.spend(1 + Math.ceil(bitsLeft / 8 / CHARACTERS_A_STEP));
    const bytes = Buffer.alloc((bitsLeft + 7) >> 3);
    part.copyBits(bitsLeft, bytes, 0);
    parts.push(bytes);
    if (refsLeft === 0) break;
    part = childOf(part);
    if (part === undefined) return undefined;
  }
  const text = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return isUtf8(text) ? text.toString('utf8') : undefined;
}
