import { crc32c } from '../boc/crc32c.ts';
import type { Validator } from './validator-set.ts';

const MAGIC = -1877581587;
const HEADER_BYTES = 12;
const VALIDATOR_BYTES = 32 + 8 + 32;

/**
 * The short hash of a list of validators that a block header (`gen_validator_list_hash_short`), block signatures and,
 * for catchain number 0, the masterchain state name. It depends on the order.
 */
export function validatorSetHash(validators: readonly Validator[], catchainSeqno: number): number {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + validators.length * VALIDATOR_BYTES);
  bytes.writeInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(catchainSeqno, 4);
  bytes.writeUInt32LE(validators.length, 8);
  let at = HEADER_BYTES;
  for (const { publicKey, weight, adnlAddress } of validators) {
    publicKey.copy(bytes, at);
    bytes.writeBigUInt64LE(weight, at + 32);
    adnlAddress.copy(bytes, at + 40);
    at += VALIDATOR_BYTES;
  }
  return crc32c(bytes);
}
