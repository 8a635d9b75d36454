import type { Static } from 'typebox';
import Type from 'typebox';
import type { Cells } from '../chain/boc/cells.ts';
import { currencyTexts } from '../chain/tlb/currency.ts';
import {
  accountsOfTransaction,
  type PlacedTransaction,
  type StateAtTransaction,
} from '../chain/tlb/placed-transaction.ts';
import type { AnyDescription, TransactionDescription } from '../chain/tlb/transaction.ts';
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  SplitMergeInfo,
  StoragePhase,
} from '../chain/tlb/transaction-phases.ts';
import { PlainText } from '../http/serializer.ts';
import type { TransactionWriter } from '../index/read/transaction-reader.ts';
import { blockIdSchema, toBlockId } from './blocks.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import { compileReadyText } from './envelope.ts';
import { messageSchema, toMessage } from './messages.ts';
import { AccountStatus, Finality, formatAccount, formatHash, MapOf, Nullable, TextOf } from './values.ts';

const StatusChange = () => TextOf(['unchanged', 'frozen', 'deleted']);

const TRANSACTION_KINDS = [
  'ord',
  'storage',
  'tick_tock',
  'split_prepare',
  'split_install',
  'merge_prepare',
  'merge_install',
];

/** The compute phase: a reason if it was skipped, otherwise all other fields. */
const computePhaseSchema = Type.Object(
  {
    skipped: Type.Boolean(),
    reason: Type.Optional(TextOf(['no_state', 'bad_state', 'no_gas', 'suspended'])),
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
  },
  { title: 'ComputePhase' },
);

function toComputePhase(compute: ComputePhase): Static<typeof computePhaseSchema> {
  if (compute.skipped) return { skipped: true, reason: compute.reason };
  const { gasCredit, exitArg } = compute;
  return {
    skipped: false,
    success: compute.success,
    msg_state_used: compute.msgStateUsed,
    account_activated: compute.accountActivated,
    gas_fees: String(compute.gasFees),
    gas_used: String(compute.gasUsed),
    gas_limit: String(compute.gasLimit),
    ...(gasCredit !== undefined && { gas_credit: String(gasCredit) }),
    mode: compute.mode,
    exit_code: compute.exitCode,
    ...(exitArg !== undefined && { exit_arg: exitArg }),
    vm_steps: compute.vmSteps,
    vm_init_state_hash: formatHash(compute.vmInitStateHash),
    vm_final_state_hash: formatHash(compute.vmFinalStateHash),
  };
}

const sizeSchema = Type.Object({ cells: PlainText(), bits: PlainText() }, { title: 'MsgSize' });

const actionPhaseSchema = Type.Object(
  {
    success: Type.Boolean(),
    valid: Type.Boolean(),
    no_funds: Type.Boolean(),
    status_change: StatusChange(),
    total_fwd_fees: Type.Optional(PlainText()),
    total_action_fees: Type.Optional(PlainText()),
    result_code: Type.Integer(),
    result_arg: Type.Optional(Type.Integer()),
    tot_actions: Type.Integer(),
    spec_actions: Type.Integer(),
    skipped_actions: Type.Integer(),
    msgs_created: Type.Integer(),
    action_list_hash: PlainText(),
    tot_msg_size: sizeSchema,
  },
  { title: 'ActionPhase' },
);

function toActionPhase(action: ActionPhase): Static<typeof actionPhaseSchema> {
  const { totalFwdFees, totalActionFees, resultArg } = action;
  return {
    success: action.success,
    valid: action.valid,
    no_funds: action.noFunds,
    status_change: action.statusChange,
    ...(totalFwdFees !== undefined && { total_fwd_fees: String(totalFwdFees) }),
    ...(totalActionFees !== undefined && { total_action_fees: String(totalActionFees) }),
    result_code: action.resultCode,
    ...(resultArg !== undefined && { result_arg: resultArg }),
    tot_actions: action.totActions,
    spec_actions: action.specActions,
    skipped_actions: action.skippedActions,
    msgs_created: action.msgsCreated,
    action_list_hash: formatHash(action.actionListHash),
    tot_msg_size: toSize(action.totMsgSize),
  };
}

function toSize({ cells, bits }: ActionPhase['totMsgSize']): Static<typeof sizeSchema> {
  return { cells: String(cells), bits: String(bits) };
}

const storageSchema = Type.Object(
  {
    storage_fees_collected: PlainText(),
    storage_fees_due: Type.Optional(PlainText()),
    status_change: StatusChange(),
  },
  { title: 'StoragePhase' },
);

const creditSchema = Type.Object(
  {
    due_fees_collected: Type.Optional(PlainText()),
    credit: PlainText(),
    credit_extra_currencies: Type.Optional(MapOf(PlainText())),
  },
  { title: 'CreditPhase' },
);

const bounceSchema = Type.Object(
  {
    type: TextOf(['negfunds', 'nofunds', 'ok']),
    msg_size: Type.Optional(sizeSchema),
    req_fwd_fees: Type.Optional(PlainText()),
    msg_fees: Type.Optional(PlainText()),
    fwd_fees: Type.Optional(PlainText()),
  },
  { title: 'BouncePhase' },
);

const splitSchema = Type.Object(
  {
    cur_shard_pfx_len: Type.Integer(),
    acc_split_depth: Type.Integer(),
    this_addr: PlainText(),
    sibling_addr: PlainText(),
  },
  { title: 'SplitInfo' },
);

/** The description of a transaction; its type and phases decide which fields are present. */
const descriptionSchema = Type.Object(
  {
    type: TextOf(TRANSACTION_KINDS),
    aborted: Type.Optional(Type.Boolean()),
    destroyed: Type.Optional(Type.Boolean()),
    credit_first: Type.Optional(Type.Boolean()),
    is_tock: Type.Optional(Type.Boolean()),
    installed: Type.Optional(Type.Boolean()),
    storage_ph: Type.Optional(storageSchema),
    credit_ph: Type.Optional(creditSchema),
    compute_ph: Type.Optional(computePhaseSchema),
    action: Type.Optional(actionPhaseSchema),
    bounce: Type.Optional(bounceSchema),
    split_info: Type.Optional(splitSchema),
  },
  { title: 'TransactionDescr' },
);

function toDescription(cells: Cells, description: TransactionDescription): Static<typeof descriptionSchema> {
  const { storage, credit, compute, action, bounce, splitInfo, ...flags }: AnyDescription = description;
  return {
    type: description.kind,
    ...(flags.aborted !== undefined && { aborted: flags.aborted }),
    ...(flags.destroyed !== undefined && { destroyed: flags.destroyed }),
    ...(flags.creditFirst !== undefined && { credit_first: flags.creditFirst }),
    ...(flags.isTock !== undefined && { is_tock: flags.isTock }),
    ...(flags.installed !== undefined && { installed: flags.installed }),
    ...(storage && { storage_ph: toStorage(storage) }),
    ...(credit && { credit_ph: toCredit(cells, credit) }),
    ...(compute && { compute_ph: toComputePhase(compute) }),
    ...(action && { action: toActionPhase(action) }),
    ...(bounce && { bounce: toBounce(bounce) }),
    ...(splitInfo && { split_info: toSplit(splitInfo) }),
  };
}

function toStorage(storage: StoragePhase): Static<typeof storageSchema> {
  const { storageFeesDue } = storage;
  return {
    storage_fees_collected: String(storage.storageFeesCollected),
    ...(storageFeesDue !== undefined && { storage_fees_due: String(storageFeesDue) }),
    status_change: storage.statusChange,
  };
}

function toCredit(cells: Cells, { dueFeesCollected, credit }: CreditPhase): Static<typeof creditSchema> {
  const extra = currencyTexts(cells, credit);
  return {
    ...(dueFeesCollected !== undefined && { due_fees_collected: String(dueFeesCollected) }),
    credit: String(credit.grams),
    ...(Object.keys(extra).length > 0 && { credit_extra_currencies: extra }),
  };
}

function toBounce(bounce: BouncePhase): Static<typeof bounceSchema> {
  const type = bounce.kind;
  if (type === 'negfunds') return { type };
  const msg_size = toSize(bounce.msgSize);
  if (type === 'nofunds') return { type, msg_size, req_fwd_fees: String(bounce.reqFwdFees) };
  return { type, msg_size, msg_fees: String(bounce.msgFees), fwd_fees: String(bounce.fwdFees) };
}

function toSplit(info: SplitMergeInfo): Static<typeof splitSchema> {
  return {
    cur_shard_pfx_len: info.curShardPfxLen,
    acc_split_depth: info.accSplitDepth,
    this_addr: formatHash(info.thisAddr),
    sibling_addr: formatHash(info.siblingAddr),
  };
}

/** An account state before or after a transaction. Only the hash is known within a block and for missing accounts; the rest is null. */
const accountStateSchema = Type.Object(
  {
    hash: PlainText(),
    balance: Nullable(PlainText()),
    extra_currencies: Nullable(MapOf(PlainText())),
    account_status: Nullable(AccountStatus()),
    frozen_hash: Nullable(PlainText()),
    data_hash: Nullable(PlainText()),
    code_hash: Nullable(PlainText()),
  },
  { title: 'AccountState' },
);

const UNKNOWN_STATE = {
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
};

export function toAccountState({ hash, known }: StateAtTransaction): Static<typeof accountStateSchema> {
  if (known === undefined) return { hash: formatHash(hash), ...UNKNOWN_STATE };
  return {
    hash: formatHash(hash),
    balance: String(known.balance),
    extra_currencies: known.extraCurrencies ?? null,
    account_status: known.status,
    frozen_hash: hashOrNull(known.frozenHash),
    data_hash: hashOrNull(known.dataHash),
    code_hash: hashOrNull(known.codeHash),
  };
}

function hashOrNull(hash: Buffer | undefined): string | null {
  return hash === undefined ? null : formatHash(hash);
}

export const transactionSchema = Type.Object(
  {
    account: PlainText(),
    hash: PlainText(),
    lt: PlainText(),
    now: Type.Integer(),
    mc_block_seqno: Type.Integer({ description: 'The masterchain block that committed the transaction.' }),
    trace_id: Type.Optional(PlainText({ description: 'Hash of the first transaction of the trace.' })),
    trace_external_hash: Type.Optional(
      PlainText({
        description: 'Hash of the external message that started the trace; pending transactions only.',
      }),
    ),
    prev_trans_hash: PlainText(),
    prev_trans_lt: PlainText(),
    orig_status: AccountStatus(),
    end_status: AccountStatus(),
    total_fees: PlainText(),
    total_fees_extra_currencies: MapOf(PlainText()),
    description: descriptionSchema,
    block_ref: blockIdSchema,
    in_msg: Nullable(messageSchema),
    out_msgs: Type.Array(messageSchema),
    account_state_before: accountStateSchema,
    account_state_after: accountStateSchema,
    emulated: Type.Boolean(),
    finality: Finality(),
  },
  { title: 'Transaction' },
);

export type TransactionJson = Static<typeof transactionSchema>;

export function toTransaction(placed: PlacedTransaction, bodies: DecodedBodies): TransactionJson {
  const { transaction, account, mcSeqno, block, hasExtraFlags } = placed;
  const { cells, inMessage } = transaction;
  const side = { account, hasExtraFlags };
  return {
    account: formatAccount(account),
    hash: formatHash(transaction.hash),
    lt: String(transaction.lt),
    now: transaction.now,
    mc_block_seqno: mcSeqno,
    trace_id: formatHash(placed.traceId),
    prev_trans_hash: formatHash(transaction.prevTransHash),
    prev_trans_lt: String(transaction.prevTransLt),
    orig_status: transaction.origStatus,
    end_status: transaction.endStatus,
    total_fees: String(transaction.totalFees.grams),
    total_fees_extra_currencies: currencyTexts(cells, transaction.totalFees),
    description: toDescription(cells, transaction.description),
    block_ref: toBlockId(transaction.account.workchain, block.shard, block.seqno),
    in_msg: inMessage === undefined ? null : toMessage(inMessage, { ...side, isReceived: true }, bodies),
    out_msgs: transaction.outMessages.map((message) =>
      toMessage(message, { ...side, isReceived: false }, bodies),
    ),
    account_state_before: toAccountState(placed.before),
    account_state_after: toAccountState(placed.after),
    emulated: false,
    finality: 'finalized',
  };
}

/** The accounts of transactions and of the other sides of their messages, for the address book. */
export function* accountsOfTransactions(placed: readonly PlacedTransaction[]): Generator<Buffer, void> {
  for (const { account, transaction } of placed) {
    yield account;
    yield* accountsOfTransaction(transaction);
  }
}

const writeTransaction = compileReadyText(transactionSchema);

export function createTransactionWriter(bodies: DecodedBodies): TransactionWriter {
  return {
    write: (placed) => writeTransaction(toTransaction(placed, bodies)),
    isWhole: bodies.areWhole,
  };
}

/** Facts about a transaction outside the index that its cells do not tell. */
interface UnindexedTransactionInfo {
  /** Of the external message that started its trace. */
  readonly externalHash: Buffer;
  /** Whether the first transaction of its trace is real, so that the trace has an id. */
  readonly hasTraceId: boolean;
  readonly emulated: boolean;
  readonly finality: 'pending' | 'confirmed' | 'finalized';
}

export function toUnindexedTransaction(
  placed: PlacedTransaction,
  { externalHash, hasTraceId, emulated, finality }: UnindexedTransactionInfo,
  bodies: DecodedBodies,
): TransactionJson {
  const { trace_id, ...shown } = toTransaction(placed, bodies);
  return {
    ...shown,
    ...(hasTraceId && { trace_id }),
    trace_external_hash: formatHash(externalHash),
    // The reference server always shows these two for transactions that are not in its index.
    description: { is_tock: false, installed: false, ...shown.description },
    emulated,
    finality,
  };
}
