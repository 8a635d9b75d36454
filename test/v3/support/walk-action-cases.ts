import type { DemoPicks } from './demo-picks.ts';
import type { WalkCase } from './walk-cases.ts';
import { FLAG, SORTED, span } from './walk-values.ts';

/** Cases of actions, and of what they changed. */
export async function actionCases(picks: DemoPicks): Promise<Record<string, WalkCase>> {
  const { common, middle } = picks;
  const [actions, traces] = [await common('actions', 'action_id'), await common('actions', 'trace_id')];
  const hashes = await common('transactions', 'hash');
  const types = await common('actions', 'type');
  return {
    actions: {
      bases: [{}],
      values: {
        ...{ account: await common('action_accounts', 'account'), trace_id: [traces, traces.join()] },
        ...{ action_id: [actions[0], actions], tx_hash: [hashes, hashes.join()] },
        ...{
          msg_hash: await common('messages', 'hash'),
          mc_seqno: await middle('actions', 'trace_mc_seqno_end'),
        },
        ...(await span(picks, 'actions', 'trace_end_utime', 'trace_end_lt')),
        ...{ action_type: [types, types.join()], exclude_action_type: [types[0], 'tick_tock'] },
        ...{ supported_action_types: ['v1', ['latest', 'tgbtc']], include_accounts: FLAG },
        ...{ include_transactions: FLAG, ...SORTED },
      },
      rows: 'actions',
    },
    balanceChanges: {
      bases: traces.map((trace_id) => ({ trace_id })),
      values: { trace_id: traces, action_id: actions },
      mayBeMissing: true,
    },
  };
}
