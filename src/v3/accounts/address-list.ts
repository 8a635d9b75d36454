import type { Parameter } from '../../http/operation.ts';
import { listParam } from '../params/list.ts';
import { plainStringKind } from '../params/plain-string.ts';

const MAX_ADDRESSES = 1024;

/** The parameter `address` of operations that answer by address: any text, since one that is no address fails no others. */
export function addressListParam(): Parameter<readonly string[]> {
  return listParam(plainStringKind, {
    description: 'Addresses in any form; repeat the name for several.',
    max: MAX_ADDRESSES,
    required: true,
    missingText: 'at least 1 address required',
  });
}
