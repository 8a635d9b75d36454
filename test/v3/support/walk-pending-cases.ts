import { PENDING_ACCOUNTS, PENDING_MESSAGES } from './made-pending.ts';
import type { WalkCase } from './walk-cases.ts';

/** Cases of operations about messages that are pending. */
export function pendingCases(): Record<string, WalkCase> {
  const [account, messages] = [PENDING_ACCOUNTS, PENDING_MESSAGES];
  const traces = {
    ...{ account, ext_msg_hash: [messages[0], messages, messages.join()] },
    supported_action_types: ['latest', ['v1', 'staking']],
  };
  const bases = [{ account: account[0] }, { ext_msg_hash: messages }];
  return {
    pendingTransactions: {
      bases: [{ account: account[0] }],
      values: { account: [account, account.join()], trace_id: [messages[0], messages] },
      rows: 'transactions',
      mayBeMissing: true,
    },
    pendingTraces: { bases, values: traces, rows: 'traces' },
    pendingActions: {
      bases,
      values: { ...traces, include_transactions: ['true', '0'] },
      rows: 'actions',
    },
  };
}
