import Type, { type Static } from 'typebox';
import type { TransactionRow } from '../../db/queries/transaction-states.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatHash } from '../value-texts.ts';

/** What became of the code of an account: a reason when it did not run, all the rest when it did. */
export const computeSchema = Type.Object({
  skipped: Type.Boolean(),
  reason: Type.Optional(PlainText()),
  success: Type.Optional(Type.Boolean()),
  msg_state_used: Type.Optional(Type.Boolean()),
  account_activated: Type.Optional(Type.Boolean()),
  gas_fees: Type.Optional(PlainText()),
  gas_used: Type.Optional(PlainText()),
  gas_limit: Type.Optional(PlainText()),
  gas_credit: Type.Optional(PlainText()),
  mode: Type.Optional(Type.Integer()),
  exit_code: Type.Optional(Type.Integer()),
  exit_arg: Type.Optional(Type.Integer()),
  vm_steps: Type.Optional(Type.Integer()),
  vm_init_state_hash: Type.Optional(PlainText()),
  vm_final_state_hash: Type.Optional(PlainText()),
});

/** The index has no hash where the chain has zeros. */
const ZERO_HASH = Buffer.alloc(32);

/** Writes the compute phase of a transaction that has one. */
export function toCompute(row: TransactionRow): Static<typeof computeSchema> {
  if (row.compute_skipped === true) return { skipped: true, reason: row.compute_skip_reason! };
  return {
    skipped: false,
    success: row.compute_success!,
    msg_state_used: row.compute_msg_state_used!,
    account_activated: row.compute_account_activated!,
    gas_fees: row.compute_gas_fees!,
    gas_used: row.compute_gas_used!,
    gas_limit: row.compute_gas_limit!,
    ...(row.compute_gas_credit !== null && { gas_credit: String(row.compute_gas_credit) }),
    mode: row.compute_mode!,
    exit_code: row.compute_exit_code!,
    ...(row.compute_exit_arg !== null && { exit_arg: row.compute_exit_arg }),
    vm_steps: Number(row.compute_vm_steps),
    vm_init_state_hash: formatHash(row.compute_vm_init_state_hash ?? ZERO_HASH),
    vm_final_state_hash: formatHash(row.compute_vm_final_state_hash ?? ZERO_HASH),
  };
}
