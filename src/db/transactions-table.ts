import type { SkipReason } from '../chain/tlb/transaction-compute-phase.ts';
import type { AccountStatus, StatusChange } from '../chain/tlb/transaction-status.ts';
import type { BigInteger, Decimal, ExtraCurrencies } from './column-types.ts';

type TransactionKind =
  | 'ord'
  | 'storage'
  | 'tick_tock'
  | 'split_prepare'
  | 'split_install'
  | 'merge_prepare'
  | 'merge_install';

type BounceKind = 'negfunds' | 'nofunds' | 'ok';

/** A transaction with the state of the account after it, as far as the block shows it. */
export interface TransactionsTable {
  readonly trace_id: Buffer;
  readonly account: Buffer;
  readonly lt: BigInteger;
  readonly hash: Buffer;
  readonly mc_seqno: number;
  readonly block_shard: BigInteger;
  readonly block_seqno: number;
  readonly prev_hash: Buffer;
  readonly prev_lt: BigInteger;
  readonly now: BigInteger;
  readonly kind: TransactionKind;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly total_fees: Decimal;
  readonly total_fees_extra: ExtraCurrencies | null;
  readonly state_hash_before: Buffer;
  readonly state_hash_after: Buffer;
  readonly balance: Decimal | null;
  readonly balance_extra: ExtraCurrencies | null;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly aborted: boolean | null;
  readonly destroyed: boolean | null;
  readonly credit_first: boolean | null;
  readonly is_tock: boolean | null;
  readonly installed: boolean | null;
  readonly storage_fees_collected: Decimal | null;
  readonly storage_fees_due: Decimal | null;
  readonly storage_status_change: StatusChange | null;
  readonly credit_due_fees_collected: Decimal | null;
  readonly credit: Decimal | null;
  readonly credit_extra: ExtraCurrencies | null;
  readonly compute_skipped: boolean | null;
  readonly compute_skip_reason: SkipReason | null;
  readonly compute_success: boolean | null;
  readonly compute_msg_state_used: boolean | null;
  readonly compute_account_activated: boolean | null;
  readonly compute_gas_fees: Decimal | null;
  readonly compute_gas_used: BigInteger | null;
  readonly compute_gas_limit: BigInteger | null;
  readonly compute_gas_credit: number | null;
  readonly compute_mode: number | null;
  readonly compute_exit_code: number | null;
  readonly compute_exit_arg: number | null;
  readonly compute_vm_steps: BigInteger | null;
  readonly compute_vm_init_state_hash: Buffer | null;
  readonly compute_vm_final_state_hash: Buffer | null;
  readonly action_success: boolean | null;
  readonly action_valid: boolean | null;
  readonly action_no_funds: boolean | null;
  readonly action_status_change: StatusChange | null;
  readonly action_total_fwd_fees: Decimal | null;
  readonly action_total_action_fees: Decimal | null;
  readonly action_result_code: number | null;
  readonly action_result_arg: number | null;
  readonly action_tot_actions: number | null;
  readonly action_spec_actions: number | null;
  readonly action_skipped_actions: number | null;
  readonly action_msgs_created: number | null;
  readonly action_list_hash: Buffer | null;
  readonly action_tot_msg_size_cells: BigInteger | null;
  readonly action_tot_msg_size_bits: BigInteger | null;
  readonly bounce: BounceKind | null;
  readonly bounce_msg_size_cells: BigInteger | null;
  readonly bounce_msg_size_bits: BigInteger | null;
  readonly bounce_req_fwd_fees: Decimal | null;
  readonly bounce_msg_fees: Decimal | null;
  readonly bounce_fwd_fees: Decimal | null;
  readonly split_cur_shard_pfx_len: number | null;
  readonly split_acc_split_depth: number | null;
  readonly split_this_addr: Buffer | null;
  readonly split_sibling_addr: Buffer | null;
}
