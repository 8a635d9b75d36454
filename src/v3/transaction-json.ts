import type { Static } from 'typebox';
import Type from 'typebox';
import type {
  StateAtTransaction,
  TransactionDetails,
  TransactionRow,
} from '../db/queries/transaction-details.ts';
import { PlainText } from '../http/serializer.ts';
import { blockIdSchema, toBlockId } from './blocks.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import { messageSchema, toMessage } from './messages.ts';
import {
  AccountStatus,
  Finality,
  formatAccount,
  formatHash,
  formatHashOrNull,
  MapOf,
  Nullable,
  TextOf,
} from './values.ts';

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

/** The index stores null for a hash of zeros. */
const ZERO_HASH = Buffer.alloc(32);

function toComputePhase(row: TransactionRow): Static<typeof computePhaseSchema> {
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

function toActionPhase(row: TransactionRow): Static<typeof actionPhaseSchema> {
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

/** Writes a description; the columns of a phase that did not happen are all null. */
function toDescription(row: TransactionRow): Static<typeof descriptionSchema> {
  return {
    type: row.kind,
    ...(row.aborted !== null && { aborted: row.aborted }),
    ...(row.destroyed !== null && { destroyed: row.destroyed }),
    ...(row.credit_first !== null && { credit_first: row.credit_first }),
    ...(row.is_tock !== null && { is_tock: row.is_tock }),
    ...(row.installed !== null && { installed: row.installed }),
    ...(row.storage_status_change !== null && { storage_ph: toStorage(row) }),
    ...(row.credit !== null && { credit_ph: toCredit(row) }),
    ...(row.compute_skipped !== null && { compute_ph: toComputePhase(row) }),
    ...(row.action_success !== null && { action: toActionPhase(row) }),
    ...(row.bounce !== null && { bounce: toBounce(row) }),
    ...(row.split_this_addr !== null && { split_info: toSplit(row) }),
  };
}

function toStorage(row: TransactionRow): Static<typeof storageSchema> {
  return {
    storage_fees_collected: row.storage_fees_collected!,
    ...(row.storage_fees_due !== null && { storage_fees_due: row.storage_fees_due }),
    status_change: row.storage_status_change!,
  };
}

function toCredit(row: TransactionRow): Static<typeof creditSchema> {
  return {
    ...(row.credit_due_fees_collected !== null && { due_fees_collected: row.credit_due_fees_collected }),
    credit: row.credit!,
    ...(row.credit_extra !== null && { credit_extra_currencies: row.credit_extra }),
  };
}

function toBounce(row: TransactionRow): Static<typeof bounceSchema> {
  const [cells, bits] = [row.bounce_msg_size_cells, row.bounce_msg_size_bits];
  return {
    type: row.bounce!,
    ...(cells !== null && bits !== null && { msg_size: { cells, bits } }),
    ...(row.bounce_req_fwd_fees !== null && { req_fwd_fees: row.bounce_req_fwd_fees }),
    ...(row.bounce_msg_fees !== null && { msg_fees: row.bounce_msg_fees }),
    ...(row.bounce_fwd_fees !== null && { fwd_fees: row.bounce_fwd_fees }),
  };
}

function toSplit(row: TransactionRow): Static<typeof splitSchema> {
  return {
    cur_shard_pfx_len: row.split_cur_shard_pfx_len!,
    acc_split_depth: row.split_acc_split_depth!,
    this_addr: formatHash(row.split_this_addr!),
    sibling_addr: formatHash(row.split_sibling_addr!),
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

function toAccountState({ hash, known }: StateAtTransaction): Static<typeof accountStateSchema> {
  if (known === undefined) return { hash: formatHash(hash), ...UNKNOWN_STATE };
  return {
    hash: formatHash(hash),
    balance: known.balance,
    extra_currencies: known.balance_extra ?? null,
    account_status: known.status,
    frozen_hash: formatHashOrNull(known.frozen_hash),
    data_hash: formatHashOrNull(known.data_hash),
    code_hash: formatHashOrNull(known.code_hash),
  };
}

/** A transaction. */
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

/** Writes a transaction of the index. */
export function toTransaction(details: TransactionDetails, bodies: DecodedBodies): TransactionJson {
  const { row, inMessage, outMessages } = details;
  return {
    account: formatAccount(row.account),
    hash: formatHash(row.hash),
    lt: row.lt,
    now: Number(row.now),
    mc_block_seqno: row.mc_seqno,
    trace_id: formatHash(row.trace_id),
    prev_trans_hash: formatHash(row.prev_hash),
    prev_trans_lt: row.prev_lt,
    orig_status: row.orig_status,
    end_status: row.end_status,
    total_fees: row.total_fees,
    total_fees_extra_currencies: row.total_fees_extra ?? {},
    description: toDescription(row),
    block_ref: toBlockId(row.account.readInt8(0), row.block_shard, row.block_seqno),
    in_msg: inMessage === undefined ? null : toMessage(inMessage, bodies),
    out_msgs: outMessages.map((message) => toMessage(message, bodies)),
    account_state_before: toAccountState(details.before),
    account_state_after: toAccountState(details.after),
    emulated: false,
    finality: 'finalized',
  };
}

/** The accounts of transactions and of the other sides of their messages, for the address book. */
export function* accountsOfTransactions(
  transactions: readonly TransactionDetails[],
): Generator<Buffer | null | undefined, void> {
  for (const { row, inMessage, outMessages } of transactions) {
    yield row.account;
    yield inMessage?.peer;
    for (const { peer } of outMessages) yield peer;
  }
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

/** Writes a transaction that is not in the index. */
export function toUnindexedTransaction(
  details: TransactionDetails,
  { externalHash, hasTraceId, emulated, finality }: UnindexedTransactionInfo,
  bodies: DecodedBodies,
): TransactionJson {
  const { trace_id, ...shown } = toTransaction(details, bodies);
  return {
    ...shown,
    ...(hasTraceId && { trace_id }),
    trace_external_hash: formatHash(externalHash),
    emulated,
    finality,
  };
}
