import type { Cells } from '../../chain/boc/cells.ts';
import type { ActionPhase } from '../../chain/tlb/transaction-action-phase.ts';
import type { ComputePhase } from '../../chain/tlb/transaction-compute-phase.ts';
import type { AnyDescription, TransactionDescription } from '../../chain/tlb/transaction-description.ts';
import type { BouncePhase } from '../../chain/tlb/transaction-phases.ts';
import type { TransactionRow } from '../../db/queries/transaction-states.ts';
import { extraColumn, textColumn } from './column-values.ts';

type Columns<Prefix extends string> = Pick<
  TransactionRow,
  Extract<keyof TransactionRow, `${Prefix}${string}`>
>;

/** Columns that say what happened in a transaction. */
export type DescriptionColumns = Columns<
  'storage_' | 'credit' | 'compute_' | 'action_' | 'bounce' | 'split_'
> &
  Pick<TransactionRow, 'kind' | 'aborted' | 'destroyed' | 'is_tock' | 'installed'>;

/** What happened in a transaction, in the columns that the index has for it. */
export function descriptionColumns(cells: Cells, description: TransactionDescription): DescriptionColumns {
  const { storage, credit, compute, action, bounce, splitInfo, ...flags }: AnyDescription = description;
  return {
    kind: description.kind,
    aborted: flags.aborted ?? null,
    destroyed: flags.destroyed ?? null,
    credit_first: flags.creditFirst ?? null,
    // Clients know these two from whatever is not in the index, also where they say nothing.
    is_tock: flags.isTock ?? false,
    installed: flags.installed ?? false,
    storage_fees_collected: textColumn(storage?.storageFeesCollected),
    storage_fees_due: textColumn(storage?.storageFeesDue),
    storage_status_change: storage?.statusChange ?? null,
    credit_due_fees_collected: textColumn(credit?.dueFeesCollected),
    credit: textColumn(credit?.credit.grams),
    credit_extra: extraColumn(cells, credit?.credit),
    ...computeColumns(compute),
    ...actionColumns(action),
    ...bounceColumns(bounce),
    split_cur_shard_pfx_len: splitInfo?.curShardPfxLen ?? null,
    split_acc_split_depth: splitInfo?.accSplitDepth ?? null,
    split_this_addr: splitInfo?.thisAddr ?? null,
    split_sibling_addr: splitInfo?.siblingAddr ?? null,
  };
}

function computeColumns(compute: ComputePhase | undefined): Columns<'compute_'> {
  const vm = compute?.skipped === false ? compute : undefined;
  return {
    compute_skipped: compute?.skipped ?? null,
    compute_skip_reason: compute?.skipped === true ? compute.reason : null,
    compute_success: vm?.success ?? null,
    compute_msg_state_used: vm?.msgStateUsed ?? null,
    compute_account_activated: vm?.accountActivated ?? null,
    compute_gas_fees: textColumn(vm?.gasFees),
    compute_gas_used: textColumn(vm?.gasUsed),
    compute_gas_limit: textColumn(vm?.gasLimit),
    compute_gas_credit: vm?.gasCredit ?? null,
    compute_mode: vm?.mode ?? null,
    compute_exit_code: vm?.exitCode ?? null,
    compute_exit_arg: vm?.exitArg ?? null,
    compute_vm_steps: textColumn(vm?.vmSteps),
    compute_vm_init_state_hash: vm?.vmInitStateHash ?? null,
    compute_vm_final_state_hash: vm?.vmFinalStateHash ?? null,
  };
}

function actionColumns(action: ActionPhase | undefined): Columns<'action_'> {
  return {
    action_success: action?.success ?? null,
    action_valid: action?.valid ?? null,
    action_no_funds: action?.noFunds ?? null,
    action_status_change: action?.statusChange ?? null,
    action_total_fwd_fees: textColumn(action?.totalFwdFees),
    action_total_action_fees: textColumn(action?.totalActionFees),
    action_result_code: action?.resultCode ?? null,
    action_result_arg: action?.resultArg ?? null,
    action_tot_actions: action?.totActions ?? null,
    action_spec_actions: action?.specActions ?? null,
    action_skipped_actions: action?.skippedActions ?? null,
    action_msgs_created: action?.msgsCreated ?? null,
    action_list_hash: action?.actionListHash ?? null,
    action_tot_msg_size_cells: textColumn(action?.totMsgSize.cells),
    action_tot_msg_size_bits: textColumn(action?.totMsgSize.bits),
  };
}

function bounceColumns(bounce: BouncePhase | undefined): Columns<'bounce'> {
  const size = bounce === undefined || bounce.kind === 'negfunds' ? undefined : bounce.msgSize;
  return {
    bounce: bounce?.kind ?? null,
    bounce_msg_size_cells: textColumn(size?.cells),
    bounce_msg_size_bits: textColumn(size?.bits),
    bounce_req_fwd_fees: textColumn(bounce?.kind === 'nofunds' ? bounce.reqFwdFees : undefined),
    bounce_msg_fees: textColumn(bounce?.kind === 'ok' ? bounce.msgFees : undefined),
    bounce_fwd_fees: textColumn(bounce?.kind === 'ok' ? bounce.fwdFees : undefined),
  };
}
