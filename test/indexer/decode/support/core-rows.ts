import {
  Address,
  beginCell,
  Cell,
  type CurrencyCollection,
  loadMessage,
  loadTransaction,
  type Message,
  storeStateInit,
  type Transaction,
  type TransactionComputePhase,
  type TransactionDescription,
} from '@ton/core';
import type { BlockId } from '../../../../src/chain/block-id.ts';
import { useNativeSha256 } from '../../../../src/chain/boc/ton-core.ts';
import type { FetchedBlock } from '../../../../src/indexer/fetch/masterchain-blocks.ts';

/** A row by column names: bytes in hex, numbers of more than 32 bits as text. */
export type Row = Record<string, unknown>;

/** The expected rows of a block, read by @ton/core, without state columns. */
interface CoreRows {
  readonly transactions: readonly Row[];
  readonly messages: readonly Row[];
}

const STATUSES = {
  uninitialized: 'uninit',
  'non-existing': 'nonexist',
  active: 'active',
  frozen: 'frozen',
} as const;

/** The position of transactions. */
interface Place {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  readonly id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>;
}

/** Reads all transactions of a block with @ton/core, in no particular order. */
export function coreRows(mcSeqno: number, globalVersion: number, { id, bytes }: FetchedBlock): CoreRows {
  useNativeSha256();
  const cells = new Map<string, Cell>();
  collect(Cell.fromBoc(bytes)[0]!.refs[3]!.refs[2]!, cells);
  return rowsOfCells([...cells.values()], { mcSeqno, globalVersion, id });
}

/** Reads transactions with @ton/core. */
export function rowsOfCells(cells: readonly Cell[], { mcSeqno, globalVersion, id }: Place): CoreRows {
  const messages: Row[] = [];
  const transactions = cells.map((cell) => {
    const transaction = loadTransaction(cell.beginParse());
    const { lt } = transaction;
    const account = accountOf(new Address(id.workchain, bytesOf(transaction.address)));
    for (const [ordinal, message] of messageCells(cell, transaction)) {
      const owner = { account, tx_lt: `${lt}`, ordinal, mc_seqno: mcSeqno };
      messages.push({ ...owner, ...messageColumns(message, lt, ordinal, globalVersion) });
    }
    const place = { mc_seqno: mcSeqno, block_shard: `${id.shard}`, block_seqno: id.seqno };
    return { ...transactionColumns(transaction, cell), ...place, account };
  });
  return { transactions, messages };
}

/** All transactions below a dictionary cell: cells of their format that are not inside another one. */
function collect(cell: Cell, found: Map<string, Cell>): void {
  const isTransaction =
    cell.bits.length > 650 && cell.refs.length >= 3 && cell.beginParse().loadUint(4) === 7;
  if (isTransaction) found.set(cell.hash().toString('hex'), cell);
  else for (const child of cell.refs) collect(child, found);
}

function* messageCells(cell: Cell, transaction: Transaction): Generator<[number, Cell]> {
  const slice = cell.refs[0]!.beginParse();
  const inbound = slice.loadMaybeRef();
  if (inbound !== null) yield [0, inbound];
  const root = slice.loadMaybeRef();
  const outbound = root === null ? [] : [...leaves(root)];
  if (outbound.length !== transaction.outMessagesCount) throw new Error('Messages are missing');
  for (const [i, message] of outbound.entries()) yield [i + 1, message];
}

/** The references of the leaves of a dictionary: leaves have one reference, forks have two. */
function* leaves(cell: Cell): Generator<Cell> {
  if (cell.refs.length === 1) yield cell.refs[0]!;
  else for (const child of cell.refs) yield* leaves(child);
}

function transactionColumns(transaction: Transaction, cell: Cell): Row {
  return {
    trace_id: cell.hash().toString('hex'),
    hash: cell.hash().toString('hex'),
    lt: `${transaction.lt}`,
    prev_hash: bytesOf(transaction.prevTransactionHash).toString('hex'),
    prev_lt: `${transaction.prevTransactionLt}`,
    now: `${transaction.now}`,
    orig_status: STATUSES[transaction.oldStatus],
    end_status: STATUSES[transaction.endStatus],
    total_fees: `${transaction.totalFees.coins}`,
    total_fees_extra: extra(transaction.totalFees),
    state_hash_before: transaction.stateUpdate.oldHash.toString('hex'),
    state_hash_after: transaction.stateUpdate.newHash.toString('hex'),
    ...descriptionColumns(transaction.description),
  };
}

function messageColumns(cell: Cell, txLt: bigint, ordinal: number, globalVersion: number): Row {
  const message = loadMessage(cell.beginParse());
  const { info, body, init } = message;
  const initCell = init && beginCell().store(storeStateInit(init)).endCell();
  const hash = cell.hash().toString('hex');
  const normalized = normalizedHash(message);
  const internal = info.type === 'internal' ? info : undefined;
  const peer = ordinal === 0 ? info.src : info.dest;
  return {
    hash,
    hash_norm: normalized === hash ? null : normalized,
    peer: peer instanceof Address ? accountOf(peer) : null,
    lt: `${info.type === 'external-in' ? txLt : info.createdLt}`,
    created_at: info.type === 'external-in' ? null : `${info.createdAt}`,
    value: internal ? `${internal.value.coins}` : null,
    value_extra: internal ? extra(internal.value) : null,
    fwd_fee: internal ? `${internal.forwardFee}` : null,
    ihr_fee: internal ? (globalVersion >= 12 ? '0' : `${internal.ihrFee}`) : null,
    extra_flags: internal && globalVersion >= 12 ? `${internal.ihrFee}` : null,
    import_fee: info.type === 'external-in' ? `${info.importFee}` : null,
    opcode: body.isExotic || body.bits.length < 32 ? null : body.beginParse().loadInt(32),
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    body_hash: body.hash().toString('hex'),
    init_hash: initCell?.hash().toString('hex') ?? null,
  };
}

/** The normalized form of TEP-467: only destination and body. */
function normalizedHash({ info, body }: Message): string | null {
  if (info.type !== 'external-in') return null;
  const head = beginCell().storeUint(0b1000, 4).storeAddress(info.dest).storeUint(0b000001, 6);
  return head.storeRef(body).endCell().hash().toString('hex');
}

function extra({ other }: CurrencyCollection): Row | null {
  const entries = [...(other ?? [])].map(([id, amount]) => [`${id}`, `${amount}`]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function accountOf({ workChain, hash }: Address): string {
  return Buffer.concat([Buffer.from(Int8Array.of(workChain).buffer), hash]).toString('hex');
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

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
function descriptionColumns(description: TransactionDescription): Record<string, unknown> {
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
    credit_extra: credit ? extraColumn(credit.credit) : null,
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

function extraColumn({ other }: CurrencyCollection): Record<string, string> | null {
  const entries = [...(other ?? [])].map(([id, amount]) => [`${id}`, `${amount}`]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
