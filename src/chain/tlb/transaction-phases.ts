import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { readCurrencyCollection } from './currency.ts';

// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange
//   = TrStoragePhase;

/** Storage fees since the last transaction. */
export type StoragePhase = Readonly<ReturnType<typeof readStoragePhase>>;

export function readStoragePhase(slice: Slice) {
  return {
    storageFeesCollected: slice.coins(),
    storageFeesDue: slice.boolean() ? slice.coins() : undefined,
    statusChange: readStatusChange(slice),
  };
}

// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;

/** The value credited from the inbound message. */
export type CreditPhase = Readonly<ReturnType<typeof readCreditPhase>>;

export function readCreditPhase(slice: Slice) {
  return {
    dueFeesCollected: slice.boolean() ? slice.coins() : undefined,
    credit: readCurrencyCollection(slice),
  };
}

// tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
//   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8
//   exit_code:int32 exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ]
//   = TrComputePhase;
// cskip_no_state$00 = ComputeSkipReason;
// cskip_bad_state$01 = ComputeSkipReason;
// cskip_no_gas$10 = ComputeSkipReason;
// cskip_suspended$110 = ComputeSkipReason;

export type ComputePhase = Readonly<ReturnType<typeof readComputePhase>>;

export type SkipReason = 'no_state' | 'bad_state' | 'no_gas' | 'suspended';

const REASONS = ['no_state', 'bad_state', 'no_gas'] as const;

export function readComputePhase(slice: Slice) {
  if (!slice.boolean()) return { skipped: true as const, reason: readReason(slice) };
  const success = slice.boolean();
  const msgStateUsed = slice.boolean();
  const accountActivated = slice.boolean();
  const gasFees = slice.coins();
  const rest = slice.refSlice();
  return {
    skipped: false as const,
    success,
    msgStateUsed,
    accountActivated,
    gasFees,
    gasUsed: rest.varNumber(7),
    gasLimit: rest.varNumber(7),
    gasCredit: rest.boolean() ? rest.varNumber(3) : undefined,
    mode: rest.int(8),
    exitCode: rest.int(32),
    exitArg: rest.boolean() ? rest.int(32) : undefined,
    vmSteps: rest.uint(32),
    vmInitStateHash: rest.hash(),
    vmFinalStateHash: rest.hash(),
  };
}

function readReason(slice: Slice): SkipReason {
  const reason = REASONS[slice.uint(2)];
  if (reason !== undefined) return reason;
  if (slice.boolean()) throw new CellError('unknown reason for a skipped compute phase');
  return 'suspended';
}

// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
//   total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32)
//   tot_actions:uint16 spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256
//   tot_msg_size:StorageUsed = TrActionPhase;

/** The action phase: how the output actions of the code were performed. */
export type ActionPhase = Readonly<ReturnType<typeof readActionPhase>>;

/** Reads a TrActionPhase from the start of its cell. */
export function readActionPhase(slice: Slice) {
  return {
    success: slice.boolean(),
    valid: slice.boolean(),
    noFunds: slice.boolean(),
    statusChange: readStatusChange(slice),
    totalFwdFees: slice.boolean() ? slice.coins() : undefined,
    totalActionFees: slice.boolean() ? slice.coins() : undefined,
    resultCode: slice.int(32),
    resultArg: slice.boolean() ? slice.int(32) : undefined,
    totActions: slice.uint(16),
    specActions: slice.uint(16),
    skippedActions: slice.uint(16),
    msgsCreated: slice.uint(16),
    actionListHash: slice.hash(),
    totMsgSize: readStorageUsed(slice),
  };
}

// tr_phase_bounce_negfunds$00 = TrBouncePhase;
// tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams = TrBouncePhase;
// tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;

/** The bounce phase: how the inbound message was returned. */
export type BouncePhase = Readonly<ReturnType<typeof readBouncePhase>>;

export function readBouncePhase(slice: Slice) {
  if (slice.boolean())
    return {
      kind: 'ok' as const,
      msgSize: readStorageUsed(slice),
      msgFees: slice.coins(),
      fwdFees: slice.coins(),
    };
  if (!slice.boolean()) return { kind: 'negfunds' as const };
  return { kind: 'nofunds' as const, msgSize: readStorageUsed(slice), reqFwdFees: slice.coins() };
}

// split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256
//   = SplitMergeInfo;

/** An account that is split or merged, and its sibling. */
export type SplitMergeInfo = Readonly<ReturnType<typeof readSplitMergeInfo>>;

export function readSplitMergeInfo(slice: Slice) {
  return {
    curShardPfxLen: slice.uint(6),
    accSplitDepth: slice.uint(6),
    thisAddr: slice.hash(),
    siblingAddr: slice.hash(),
  };
}

// acc_state_uninit$00 = AccountStatus;
// acc_state_frozen$01 = AccountStatus;
// acc_state_active$10 = AccountStatus;
// acc_state_nonexist$11 = AccountStatus;

/** The status of an account before or after a transaction. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;

export function readAccountStatus(slice: Slice): AccountStatus {
  return STATUSES[slice.uint(2)]!;
}

// acst_unchanged$0 = AccStatusChange;
// acst_frozen$10 = AccStatusChange;
// acst_deleted$11 = AccStatusChange;

/** How a phase changed the status of an account. */
export type StatusChange = 'unchanged' | 'frozen' | 'deleted';

function readStatusChange(slice: Slice): StatusChange {
  if (!slice.boolean()) return 'unchanged';
  return slice.boolean() ? 'deleted' : 'frozen';
}

// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;

function readStorageUsed(slice: Slice) {
  return { cells: slice.varNumber(7), bits: slice.varNumber(7) };
}
