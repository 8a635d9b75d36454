import { int32Param } from '../params/int32.ts';

/** The parameter `seqno` of operations about one masterchain block. */
export function seqnoParam() {
  return int32Param({ description: 'Seqno of a masterchain block.', required: true });
}
