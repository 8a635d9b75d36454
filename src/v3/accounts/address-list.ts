import type { Parameter } from '../../http/operation.ts';
import { listParam } from '../params/list.ts';
import { plainStringKind } from '../params/plain-string.ts';

const MAX_ADDRESSES = 1024;

/** The parameter `address` of operations that answer by address: any text, since one that is no address fails no others. */
export function addressListParam({ splitCommas = false } = {}): Parameter<readonly string[]> {
  const several = splitCommas ? 'repeat the name or use commas' : 'repeat the name';
  return listParam(plainStringKind, {
    description: `Addresses in any form; ${several} for several.`,
    splitCommas,
    max: MAX_ADDRESSES,
    required: true,
    missingText: 'at least 1 address required',
  });
}
