import type { Operation } from '../http/operation.ts';
import type { V2Call } from './call.ts';
import { detectAddress } from './operations/detect-address.ts';
import { detectHash } from './operations/detect-hash.ts';
import { packAddress } from './operations/pack-address.ts';
import { unpackAddress } from './operations/unpack-address.ts';

/** Every operation of v2, in the order of the docs page. */
export const v2Operations: readonly Operation<V2Call>[] = [
  detectAddress,
  detectHash,
  packAddress,
  unpackAddress,
];
