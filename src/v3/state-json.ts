import { PlainText } from '../http/serializer.ts';
import { formatHash } from './value-texts.ts';

/** What answers show of the state by which a contract was recognised. */
export const contractStateSchema = {
  last_transaction_lt: PlainText(),
  code_hash: PlainText(),
  data_hash: PlainText(),
};

interface StateOfContract {
  readonly last_transaction_lt: string;
  readonly code_hash: Buffer;
  readonly data_hash: Buffer;
}

/** Writes the state of a contract. */
export function toContractState({ last_transaction_lt, code_hash, data_hash }: StateOfContract) {
  return { last_transaction_lt, code_hash: formatHash(code_hash), data_hash: formatHash(data_hash) };
}
