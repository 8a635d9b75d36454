import type { Parameter } from '../../http/operation.ts';
import type { TransactionPlace } from '../../lite/queries/get-transactions.ts';
import { address } from './address.ts';
import { flag } from './flag.ts';
import { optionalHash } from './hash.ts';
import { optionalInt32, optionalInt64 } from './integer.ts';
import { parseRefusal, validateRefusal } from './refusal.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

/** What the operations take that read the history of an account. */
export function historyParameters() {
  return {
    address: historyAddress(),
    limit: optionalInt32(
      { description: 'How many transactions at most.', minimum: 1, maximum: MAX_LIMIT },
      DEFAULT_LIMIT,
    ),
    lt: optionalInt64({
      description: 'Logical time of the newest transaction to give; together with hash.',
      minimum: 0,
    }),
    hash: optionalHash('Hash of the newest transaction to give; together with lt.'),
    to_lt: optionalInt64({
      description: 'Transactions up to this logical time, it included, are left out.',
    }),
    archival: flag('With true, only lite servers that have the whole chain are asked.'),
  };
}

/** Where a caller wants to start; undefined for the newest transaction. */
export function historyStart(lt: bigint | undefined, hash: Buffer | undefined): TransactionPlace | undefined {
  if ((lt === undefined) !== (hash === undefined))
    throw validateRefusal('lt and hash should be used together');
  return lt === undefined || hash === undefined ? undefined : { lt, hash };
}

/** In a query string these operations do not repeat an address that is none. */
function historyAddress(): ReturnType<typeof address> {
  const parameter = address();
  const read: (typeof parameter)['read'] = (input) => {
    try {
      return parameter.read(input);
    } catch (error) {
      throw input.origin === 'query' ? parseRefusal(input, `failed to parse ${input.name}`) : error;
    }
  };
  return { ...parameter, read } satisfies Parameter<unknown>;
}
