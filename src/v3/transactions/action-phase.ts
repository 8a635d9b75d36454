import Type, { type Static } from 'typebox';
import type { TransactionRow } from '../../db/queries/transaction-states.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatHash } from '../value-texts.ts';

/** What became of the actions that the code of an account asked for. */
export const actionSchema = Type.Object({
  success: Type.Boolean(),
  valid: Type.Boolean(),
  no_funds: Type.Boolean(),
  status_change: PlainText(),
  total_fwd_fees: Type.Optional(PlainText()),
  total_action_fees: Type.Optional(PlainText()),
  result_code: Type.Integer(),
  result_arg: Type.Optional(Type.Integer()),
  tot_actions: Type.Integer(),
  spec_actions: Type.Integer(),
  skipped_actions: Type.Integer(),
  msgs_created: Type.Integer(),
  action_list_hash: PlainText(),
  tot_msg_size: Type.Object({ cells: PlainText(), bits: PlainText() }),
});

/** Writes the action phase of a transaction that has one. */
export function toAction(row: TransactionRow): Static<typeof actionSchema> {
  return {
    success: row.action_success!,
    valid: row.action_valid!,
    no_funds: row.action_no_funds!,
    status_change: row.action_status_change!,
    ...(row.action_total_fwd_fees !== null && { total_fwd_fees: row.action_total_fwd_fees }),
    ...(row.action_total_action_fees !== null && { total_action_fees: row.action_total_action_fees }),
    result_code: row.action_result_code!,
    ...(row.action_result_arg !== null && { result_arg: row.action_result_arg }),
    tot_actions: row.action_tot_actions!,
    spec_actions: row.action_spec_actions!,
    skipped_actions: row.action_skipped_actions!,
    msgs_created: row.action_msgs_created!,
    action_list_hash: formatHash(row.action_list_hash!),
    tot_msg_size: { cells: row.action_tot_msg_size_cells!, bits: row.action_tot_msg_size_bits! },
  };
}
