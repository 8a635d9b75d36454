import { type AccountId, accountKey, accountKeyOf, toAccountBytes } from '../chain/address.ts';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import type { Cells } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { codeHash, dataHash, readAccount } from '../chain/tlb/account.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../chain/tlb/currency.ts';
import { type Message, type MessagePart, normalizedHash, sliceOf } from '../chain/tlb/message.ts';
import { readShardAccount } from '../chain/tlb/shard-accounts.ts';
import {
  type AnyDescription,
  readTransaction,
  type TransactionDescription,
} from '../chain/tlb/transaction.ts';
import type { ActionPhase, BouncePhase, ComputePhase } from '../chain/tlb/transaction-phases.ts';
import type { MessageDetails } from '../db/queries/messages.ts';
import type {
  StateAtTransaction,
  TransactionDetails,
  TransactionRow,
} from '../db/queries/transaction-details.ts';

/** A transaction that is not in the index. */
interface UnindexedTransaction {
  readonly workchain: number;
  /** The Transaction as a bag of cells. */
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
  /** The block of the transaction, if it is in one. */
  readonly block: { readonly shard: bigint; readonly seqno: number } | undefined;
  /** The hash of the first transaction of its trace. */
  readonly traceId: Buffer;
  /** The states before and after; if absent, only their hashes are shown. */
  readonly states?: { readonly before: StateAtTransaction; readonly after: StateAtTransaction } | undefined;
}

/** The block of a predicted transaction, as clients expect it: the shard of the whole workchain, seqno 0. */
const NO_BLOCK = { shard: -(2n ** 63n), seqno: 0 };

/** Parses a transaction and its messages from cells into the rows that the index would have. */
export function transactionRow(
  { workchain, boc, mcSeqno, block = NO_BLOCK, traceId, states }: UnindexedTransaction,
  globalVersion: number,
): TransactionDetails {
  const bag = readBoc(boc);
  const transaction = readTransaction(bag, bag.root, workchain);
  const { cells, lt, inMessage, outMessages, totalFees } = transaction;
  const account = accountKey(workchain, transaction.account.hash);
  const context = { mcSeqno, globalVersion, account, lt };
  const { before = onlyHash(transaction.oldStateHash), after = onlyHash(transaction.newStateHash) } =
    states ?? {};
  return {
    row: {
      trace_id: traceId,
      at: null,
      account,
      lt: String(lt),
      hash: transaction.hash,
      mc_seqno: mcSeqno,
      block_shard: String(block.shard),
      block_seqno: block.seqno,
      prev_hash: transaction.prevTransHash,
      prev_lt: String(transaction.prevTransLt),
      now: String(transaction.now),
      orig_status: transaction.origStatus,
      end_status: transaction.endStatus,
      total_fees: String(totalFees.grams),
      total_fees_extra: extraColumn(cells, totalFees),
      state_hash_before: transaction.oldStateHash,
      state_hash_after: transaction.newStateHash,
      balance: null,
      balance_extra: null,
      extra_is_hidden: false,
      code_hash: null,
      data_hash: null,
      frozen_hash: null,
      ...descriptionColumns(cells, transaction.description),
    },
    inMessage: inMessage && messageRow(inMessage, { ...context, ordinal: 0 }),
    outMessages: outMessages.map((message, i) => messageRow(message, { ...context, ordinal: i + 1 })),
    before,
    after,
  };
}

function onlyHash(hash: Buffer): StateAtTransaction {
  return { hash, known: undefined };
}

type Columns<Prefix extends string> = Pick<
  TransactionRow,
  Extract<keyof TransactionRow, `${Prefix}${string}`>
>;

/** Columns with the description of a transaction. */
type DescriptionColumns = Columns<'storage_' | 'credit' | 'compute_' | 'action_' | 'bounce' | 'split_'> &
  Pick<TransactionRow, 'kind' | 'aborted' | 'destroyed' | 'is_tock' | 'installed'>;

/** Converts a description to the columns of the index. */
function descriptionColumns(cells: Cells, description: TransactionDescription): DescriptionColumns {
  const { storage, credit, compute, action, bounce, splitInfo, ...flags }: AnyDescription = description;
  return {
    kind: description.kind,
    aborted: flags.aborted ?? null,
    destroyed: flags.destroyed ?? null,
    credit_first: flags.creditFirst ?? null,
    // The reference server always shows these two for transactions that are not in its index.
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

/** Since this global version a message field holds flags; before, it was the IHR fee. */
const FLAGS_FROM_VERSION = 12;

/** The transaction that sent or received a message. */
interface MessageContext {
  readonly mcSeqno: number;
  /** 0 while unknown, which counts as the latest. */
  readonly globalVersion: number;
  /** Of the transaction that received or sent it. */
  readonly account: Buffer;
  readonly lt: bigint;
  /** 0 for the in message. */
  readonly ordinal: number;
}

/** Converts a message to the row that the index would have. */
function messageRow(message: Message, context: MessageContext): MessageDetails {
  const { account, lt, ordinal, mcSeqno, globalVersion } = context;
  const { cells, info, init } = message;
  const internal = info.kind === 'internal' ? info : undefined;
  const hasFlags = globalVersion === 0 || globalVersion >= FLAGS_FROM_VERSION;
  return {
    at: null,
    account,
    tx_lt: String(lt),
    ordinal,
    mc_seqno: mcSeqno,
    hash: message.hash,
    hash_norm: normalizedUnlessSame(message),
    peer: accountKeyOf(ordinal === 0 ? info.src : info.dest) ?? null,
    lt: String(info.kind === 'external-in' ? lt : info.createdLt),
    created_at: info.kind === 'external-in' ? null : String(info.createdAt),
    value: textColumn(internal?.value.grams),
    value_extra: extraColumn(cells, internal?.value),
    fwd_fee: textColumn(internal?.fwdFee),
    ihr_fee: textColumn(internal && (hasFlags ? 0n : internal.extraFlags)),
    extra_flags: textColumn(hasFlags ? internal?.extraFlags : undefined),
    import_fee: info.kind === 'external-in' ? String(info.importFee) : null,
    opcode: message.opcode === undefined ? null : message.opcode | 0,
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    body_hash: message.bodyHash,
    body: bagOf(cells, message.body),
    init_hash: init?.hash ?? null,
    init: init === undefined ? null : bagOf(cells, init.part),
  };
}

function normalizedUnlessSame(message: Message): Buffer | null {
  if (message.info.kind !== 'external-in') return null;
  const normalized = normalizedHash(message);
  return normalized.equals(message.hash) ? null : normalized;
}

function bagOf(cells: Cells, part: MessagePart): Buffer {
  return writeBoc(part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part), { order: 'tonlib' });
}

/** An account state that is not in the index. */
export interface UnindexedState {
  readonly state: StateAtTransaction;
  readonly cells: CellBag;
  /** Cell index, -1 if there is none; also of `data`. */
  readonly code: number;
  readonly data: number;
}

/** Parses a ShardAccount into the state that the index would have. */
export function accountRow(shardAccount: Uint8Array): UnindexedState {
  const cells = readBoc(shardAccount);
  const { account: cell } = readShardAccount(new Slice(cells, cells.root));
  const account = readAccount(cells, cell);
  const hash = Buffer.from(cells.hash(cell, 0));
  if (account === undefined) return { state: { hash, known: undefined }, cells, code: -1, data: -1 };
  const { state, balance } = account;
  return {
    state: {
      hash,
      known: {
        status: state.kind,
        balance: String(balance.grams),
        balance_extra: extraColumn(cells, balance) ?? {},
        code_hash: codeHash(cells, account) ?? null,
        data_hash: dataHash(cells, account) ?? null,
        frozen_hash: state.kind === 'frozen' ? state.stateHash : null,
      },
    },
    cells,
    code: state.kind === 'active' ? state.init.code : -1,
    data: state.kind === 'active' ? state.init.data : -1,
  };
}

/** An integer as the database driver returns it. */
function textColumn(value: bigint | number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Extra currencies as the database driver returns them: null if there are none. */
function extraColumn(
  cells: Cells,
  amount: CurrencyCollection | undefined,
): Readonly<Record<string, string>> | null {
  if (amount === undefined || amount.extra < 0) return null;
  const found = readExtraCurrencies(cells, amount);
  if (found.length === 0) return null;
  return Object.fromEntries(found.map(({ id, amount }) => [id, String(amount)]));
}

interface Timed {
  readonly account: AccountId;
  readonly lt: bigint;
}

/** Sorts transactions by logical time, so that causes come before effects, then by account. */
export function sortByLt<T extends Timed>(transactions: readonly T[]): T[] {
  return transactions.toSorted((a, b) =>
    a.lt === b.lt
      ? Buffer.compare(toAccountBytes(a.account), toAccountBytes(b.account))
      : a.lt < b.lt
        ? -1
        : 1,
  );
}
