import type { ParameterValues } from '../../http/operation.ts';
import type { WantedTransactions } from '../reads/block-transactions.ts';
import { accountHash } from './account-hash.ts';
import { blockHashes, blockPlace } from './block-place.ts';
import { optionalInt32, optionalInt64 } from './integer.ts';
import { validateRefusal } from './refusal.ts';

const DEFAULT_COUNT = 40;
const MAX_COUNT = 10_000;

/** What the operations take that list transactions of a block. */
export function blockTransactionsParameters() {
  return {
    ...blockPlace(),
    ...blockHashes(),
    after_lt: optionalInt64({
      description: 'Logical time of the last transaction seen; together with after_hash.',
      minimum: 0,
    }),
    after_hash: accountHash(
      'Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash.',
    ),
    count: optionalInt32(
      { description: 'How many transactions at most.', minimum: 1, maximum: MAX_COUNT },
      DEFAULT_COUNT,
    ),
  };
}

/** What a caller wants by these parameters. */
export function wantedTransactions(
  params: ParameterValues<ReturnType<typeof blockTransactionsParameters>>,
): WantedTransactions {
  const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, count: limit } = params;
  const { after_lt: lt, after_hash: account } = params;
  if ((lt === undefined) !== (account === undefined))
    throw validateRefusal('after_lt and after_hash should be used together');
  const after = lt === undefined || account === undefined ? undefined : { account, lt };
  return { workchain, shard, seqno, rootHash, fileHash, limit, after };
}
