import type { CurrencyCollection, TransactionComputePhase, TransactionDescription } from '@ton/core';

const KINDS = {
  generic: 'ord',
  'tick-tock': 'tick_tock',
  storage: 'storage',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
} as const;
const BOUNCES = { 'negative-funds': 'negfunds', 'no-funds': 'nofunds', ok: 'ok' } as const;

const big = (value: bigint | number | null | undefined): string | null =>
  value === undefined || value === null ? null : `${value}`;
const hash = (value: bigint): string | null => (value === 0n ? null : value.toString(16).padStart(64, '0'));

/** The columns of a description of @ton/core, which cannot read merges. */
export function descriptionColumns(description: TransactionDescription): Record<string, unknown> {
  const { type } = description;
  if (type === 'merge-prepare' || type === 'merge-install') throw new Error(type);
  const whole = type === 'storage' || type === 'split-install' ? undefined : description;
  const generic = type === 'generic' ? description : undefined;
  const storage = type === 'split-install' ? undefined : description.storagePhase;
  const split = 'splitInfo' in description ? description.splitInfo : undefined;
  const credit = generic?.creditPhase;
  const action = whole?.actionPhase;
  const bounce = generic?.bouncePhase;
  const size = bounce && bounce.type !== 'negative-funds' ? bounce.messageSize : undefined;
  return {
    kind: KINDS[type],
    aborted: whole?.aborted ?? null,
    destroyed: whole?.destroyed ?? null,
    credit_first: generic?.creditFirst ?? null,
    is_tock: type === 'tick-tock' ? description.isTock : null,
    installed: type === 'split-install' ? description.installed : null,
    storage_fees_collected: big(storage?.storageFeesCollected),
    storage_fees_due: big(storage?.storageFeesDue),
    storage_status_change: storage?.statusChange ?? null,
    credit_due_fees_collected: big(credit?.dueFeesColelcted),
    credit: big(credit?.credit.coins),
    credit_extra: credit ? extra(credit.credit) : null,
    ...computeColumns(whole?.computePhase),
    action_success: action?.success ?? null,
    action_valid: action?.valid ?? null,
    action_no_funds: action?.noFunds ?? null,
    action_status_change: action?.statusChange ?? null,
    action_total_fwd_fees: big(action?.totalFwdFees),
    action_total_action_fees: big(action?.totalActionFees),
    action_result_code: action?.resultCode ?? null,
    action_result_arg: action?.resultArg ?? null,
    action_tot_actions: action?.totalActions ?? null,
    action_spec_actions: action?.specActions ?? null,
    action_skipped_actions: action?.skippedActions ?? null,
    action_msgs_created: action?.messagesCreated ?? null,
    action_list_hash: action ? action.actionListHash.toString(16).padStart(64, '0') : null,
    action_tot_msg_size_cells: big(action?.totalMessageSize.cells),
    action_tot_msg_size_bits: big(action?.totalMessageSize.bits),
    bounce: bounce ? BOUNCES[bounce.type] : null,
    bounce_msg_size_cells: big(size?.cells),
    bounce_msg_size_bits: big(size?.bits),
    bounce_req_fwd_fees: bounce?.type === 'no-funds' ? big(bounce.requiredForwardFees) : null,
    bounce_msg_fees: bounce?.type === 'ok' ? big(bounce.messageFees) : null,
    bounce_fwd_fees: bounce?.type === 'ok' ? big(bounce.forwardFees) : null,
    split_cur_shard_pfx_len: split?.currentShardPrefixLength ?? null,
    split_acc_split_depth: split?.accountSplitDepth ?? null,
    split_this_addr: split ? hash(split.thisAddress) : null,
    split_sibling_addr: split ? hash(split.siblingAddress) : null,
  };
}

function computeColumns(phase: TransactionComputePhase | undefined): Record<string, unknown> {
  const vm = phase?.type === 'vm' ? phase : undefined;
  return {
    compute_skipped: phase ? phase.type === 'skipped' : null,
    compute_skip_reason: phase?.type === 'skipped' ? phase.reason.replace('-', '_') : null,
    compute_success: vm?.success ?? null,
    compute_msg_state_used: vm?.messageStateUsed ?? null,
    compute_account_activated: vm?.accountActivated ?? null,
    compute_gas_fees: big(vm?.gasFees),
    compute_gas_used: big(vm?.gasUsed),
    compute_gas_limit: big(vm?.gasLimit),
    compute_gas_credit: vm?.gasCredit === undefined ? null : Number(vm.gasCredit),
    compute_mode: vm?.mode ?? null,
    compute_exit_code: vm?.exitCode ?? null,
    compute_exit_arg: vm?.exitArg ?? null,
    compute_vm_steps: big(vm?.vmSteps),
    compute_vm_init_state_hash: vm ? hash(vm.vmInitStateHash) : null,
    compute_vm_final_state_hash: vm ? hash(vm.vmFinalStateHash) : null,
  };
}

function extra({ other }: CurrencyCollection): Record<string, string> | null {
  const entries = [...(other ?? [])].map(([id, amount]) => [`${id}`, `${amount}`]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
