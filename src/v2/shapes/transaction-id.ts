import Type from 'typebox';
import { Hash256, Int64Text } from './block-id.ts';

/** `internal.transactionId`; a time of zero and a hash of zeros stand for no transaction. */
export const TransactionId = Type.Object({
  '@type': Type.Literal('internal.transactionId'),
  lt: Int64Text(),
  hash: Hash256(),
});

/** Writes `internal.transactionId`. */
export function transactionId(lt: bigint, hash: Buffer) {
  return {
    '@type': 'internal.transactionId' as const,
    lt: String(BigInt.asIntN(64, lt)),
    hash: hash.toString('base64'),
  };
}
