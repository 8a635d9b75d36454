import type { ParameterValues } from '../../http/operation.ts';
import type { PendingQuestion } from '../../pending/pending-traces.ts';
import { supportedTypesParam } from '../actions/action-params.ts';
import { accountParam } from '../params/accounts.ts';
import { hashKind } from '../params/hash.ts';
import { refuse } from '../params/kind.ts';
import { listParam } from '../params/list.ts';

const MAX_HASHES = 1000;

/** The parameters that choose pending traces, and the vocabulary of the caller. */
export function pendingParams() {
  return {
    account: accountParam({ description: 'An account that has part in the trace.' }),
    ext_msg_hash: listParam(hashKind, {
      description: 'Hashes of messages from outside, normalized or not. The account counts if there is one.',
      max: MAX_HASHES,
    }),
    ...supportedTypesParam(),
  };
}

/** The traces that a request asks for. */
export function toQuestion({
  account,
  ext_msg_hash: messages,
}: Pick<ParameterValues<ReturnType<typeof pendingParams>>, 'account' | 'ext_msg_hash'>): PendingQuestion {
  if (account !== undefined) return { accounts: [account] };
  if (messages.length === 0) throw refuse('account', 'account or ext_msg_hash should be specified');
  return { messages };
}
