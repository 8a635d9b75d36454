import { accountKeyOf } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { type BlockExtra, type BlockInfo, previousBlocks } from '../../chain/tlb/block.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { FLAGS_FROM_VERSION, type InternalInfo, type Message } from '../../chain/tlb/message.ts';
import type { AnyDescription, Transaction, TransactionDescription } from '../../chain/tlb/transaction.ts';
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  VmComputePhase,
} from '../../chain/tlb/transaction-phases.ts';
import type { CopyBuffer } from '../../db/copy.ts';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../db/copy-columns.ts';
import type { ShownState } from '../../pages/states.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';

/** Input of a block row. */
interface BlockFacts {
  readonly mcSeqno: number;
  readonly id: BlockId;
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly extra: BlockExtra;
  readonly transactions: number;
}

/** Writes the row of a block, in the order of BLOCK_COLUMNS. */
export function putBlockRow(rows: CopyBuffer, facts: BlockFacts): void {
  const { id, info, extra } = facts;
  const previous = previousBlocks(info);
  rows
    .row(BLOCK_COLUMNS.length)
    .int4(facts.mcSeqno)
    .int4(id.workchain)
    .int8(id.shard)
    .int4(id.seqno)
    .bytes(id.rootHash)
    .bytes(id.fileHash)
    .int8(info.genUtime)
    .int8(info.startLt)
    .int8(info.endLt)
    .int4(facts.globalId)
    .int8(info.version)
    .int2(info.flags)
    .bool(info.afterMerge)
    .bool(info.beforeSplit)
    .bool(info.afterSplit)
    .bool(info.wantMerge)
    .bool(info.wantSplit)
    .bool(info.keyBlock)
    .bool(info.vertSeqnoIncr)
    .int4(info.genValidatorListHashShort | 0)
    .int8(info.genCatchainSeqno)
    .int8(info.minRefMcSeqno)
    .int8(info.prevKeyBlockSeqno)
    .int8(info.vertSeqno)
    .int8(info.masterRef?.seqno ?? 0)
    .bytes(extra.randSeed)
    .bytes(extra.createdBy)
    .int4(facts.transactions)
    .int8Array(previous.map(({ shard }) => shard))
    .int4Array(previous.map(({ seqno }) => seqno));
}

/** Writes the row of the newest blocks at a masterchain block, including itself, in the order of SHARD_STATE_COLUMNS. */
export function putShardStateRow(rows: CopyBuffer, { mcSeqno, masterchain, tops }: FetchedSeqno): void {
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || compare(a.shard, b.shard) || a.seqno - b.seqno,
  );
  rows
    .row(SHARD_STATE_COLUMNS.length)
    .int4(mcSeqno)
    .int4Array(all.map(({ workchain }) => workchain))
    .int8Array(all.map(({ shard }) => shard))
    .int4Array(all.map(({ seqno }) => seqno));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JSON of unchanged extra currencies that the block leaves out. */
const UNCHANGED = 'null';

/** Input of a transaction row. */
interface TransactionFacts {
  readonly mcSeqno: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly account: Buffer;
  readonly transaction: Transaction;
  /** The state after it, where the block shows it. */
  readonly after: ShownState | undefined;
}

const POSITION_BYTES = 8;

/**
 * Writes the row of a transaction, in the order of TRANSACTION_COLUMNS, with its own hash as trace id and an empty
 * position; returns the offsets of both.
 */
export function putTransactionRow(
  rows: CopyBuffer,
  facts: TransactionFacts,
): { readonly traceIdAt: number; readonly positionAt: number } {
  const { account, transaction } = facts;
  const { cells, totalFees } = transaction;
  const after = facts.after?.status === 'nonexist' ? undefined : facts.after;
  const traceIdAt = rows.row(TRANSACTION_COLUMNS.length).reserve(transaction.hash.length);
  rows.buffer.set(transaction.hash, traceIdAt);
  const positionAt = reservePosition(rows);
  rows
    .bytes(account)
    .int8(transaction.lt)
    .bytes(transaction.hash)
    .int4(facts.mcSeqno)
    .int8(facts.shard)
    .int4(facts.seqno)
    .bytes(transaction.prevTransHash)
    .int8(transaction.prevTransLt)
    .int8(transaction.now)
    .text(transaction.description.kind)
    .text(transaction.origStatus)
    .text(transaction.endStatus)
    .numeric(totalFees.grams)
    .json(extraJson(cells, totalFees.extra))
    .bytes(transaction.oldStateHash)
    .bytes(transaction.newStateHash)
    .numeric(after?.balance)
    .json(after?.extraIsHidden ? UNCHANGED : after?.balanceExtra)
    .bytes(after?.codeHash)
    .bytes(after?.dataHash)
    .bytes(after?.frozenHash);
  putDescription(rows, cells, transaction.description);
  return { traceIdAt, positionAt };
}

/** Adds the field of a position, which only the writer knows. */
function reservePosition(rows: CopyBuffer): number {
  const at = rows.reserve(POSITION_BYTES);
  rows.buffer.fill(0, at, at + POSITION_BYTES);
  return at;
}

/** Writes the columns from `aborted` to the end. */
function putDescription(rows: CopyBuffer, cells: Cells, description: TransactionDescription): void {
  const { storage, credit, compute, action, bounce, splitInfo, ...flags }: AnyDescription = description;
  rows
    .bool(flags.aborted)
    .bool(flags.destroyed)
    .bool(flags.creditFirst)
    .bool(flags.isTock)
    .bool(flags.installed)
    .numeric(storage?.storageFeesCollected)
    .numeric(storage?.storageFeesDue)
    .text(storage?.statusChange)
    .numeric(credit?.dueFeesCollected)
    .numeric(credit?.credit.grams)
    .json(credit && extraJson(cells, credit.credit.extra));
  putCompute(rows, compute);
  putAction(rows, action);
  putBounce(rows, bounce);
  rows
    .int2(splitInfo?.curShardPfxLen)
    .int2(splitInfo?.accSplitDepth)
    .bytes(splitInfo?.thisAddr)
    .bytes(splitInfo?.siblingAddr);
}

function putCompute(rows: CopyBuffer, compute: ComputePhase | undefined): void {
  rows.bool(compute?.skipped).text(compute?.skipped === true ? compute.reason : undefined);
  const vm: VmComputePhase | undefined = compute?.skipped === false ? compute : undefined;
  rows
    .bool(vm?.success)
    .bool(vm?.msgStateUsed)
    .bool(vm?.accountActivated)
    .numeric(vm?.gasFees)
    .int8(vm?.gasUsed)
    .int8(vm?.gasLimit)
    .int4(vm?.gasCredit)
    .int2(vm?.mode)
    .int4(vm?.exitCode)
    .int4(vm?.exitArg)
    .int8(vm?.vmSteps)
    .bytes(unlessZero(vm?.vmInitStateHash))
    .bytes(unlessZero(vm?.vmFinalStateHash));
}

function putAction(rows: CopyBuffer, action: ActionPhase | undefined): void {
  rows
    .bool(action?.success)
    .bool(action?.valid)
    .bool(action?.noFunds)
    .text(action?.statusChange)
    .numeric(action?.totalFwdFees)
    .numeric(action?.totalActionFees)
    .int4(action?.resultCode)
    .int4(action?.resultArg)
    .int4(action?.totActions)
    .int4(action?.specActions)
    .int4(action?.skippedActions)
    .int4(action?.msgsCreated)
    .bytes(action?.actionListHash)
    .int8(action?.totMsgSize.cells)
    .int8(action?.totMsgSize.bits);
}

function putBounce(rows: CopyBuffer, bounce: BouncePhase | undefined): void {
  const size = bounce === undefined || bounce.kind === 'negfunds' ? undefined : bounce.msgSize;
  rows
    .text(bounce?.kind)
    .int8(size?.cells)
    .int8(size?.bits)
    .numeric(bounce?.kind === 'nofunds' ? bounce.reqFwdFees : undefined)
    .numeric(bounce?.kind === 'ok' ? bounce.msgFees : undefined)
    .numeric(bounce?.kind === 'ok' ? bounce.fwdFees : undefined);
}

/** Current nodes write zeros in place of VM state hashes. */
function unlessZero(hash: Buffer | undefined): Buffer | undefined {
  return hash?.some((byte) => byte !== 0) ? hash : undefined;
}

/** Input of a message row. */
interface MessageFacts {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  /** Account of the transaction that received or sent it. */
  readonly account: Buffer;
  readonly lt: bigint;
  /** 0 for the in message. */
  readonly ordinal: number;
  readonly message: Message;
  /** Where it differs from the hash. */
  readonly normalizedHash: Buffer | undefined;
}

/** Writes the row of a message, in the order of MESSAGE_COLUMNS; returns the offset of its empty position. */
export function putMessageRow(rows: CopyBuffer, facts: MessageFacts): number {
  const { message, ordinal } = facts;
  const { info } = message;
  const internal: InternalInfo | undefined = info.kind === 'internal' ? info : undefined;
  const hasFlags = facts.globalVersion >= FLAGS_FROM_VERSION;
  const positionAt = reservePosition(rows.row(MESSAGE_COLUMNS.length));
  rows
    .bytes(facts.account)
    .int8(facts.lt)
    .int2(ordinal)
    .int4(facts.mcSeqno)
    .bytes(message.hash)
    .bytes(facts.normalizedHash)
    .bytes(accountKeyOf(ordinal === 0 ? info.src : info.dest))
    .int8(info.kind === 'external-in' ? facts.lt : info.createdLt)
    .int8(info.kind === 'external-in' ? undefined : info.createdAt)
    .numeric(internal?.value.grams)
    .json(internal && extraJson(message.cells, internal.value.extra))
    .numeric(internal?.fwdFee)
    .numeric(internal && (hasFlags ? 0n : internal.extraFlags))
    .numeric(hasFlags ? internal?.extraFlags : undefined)
    .numeric(info.kind === 'external-in' ? info.importFee : undefined)
    .int4(message.opcode === undefined ? undefined : message.opcode | 0)
    .bool(internal?.ihrDisabled)
    .bool(internal?.bounce)
    .bool(internal?.bounced)
    .bytes(message.bodyHash)
    .bytes(message.init?.hash);
  return positionAt;
}

/** Extra currencies as JSON `{"<id>":"<amount>"}`, from the root of their dictionary (-1 for none); undefined without any. */
export function extraJson(cells: Cells, extra: number): string | undefined {
  if (extra < 0) return undefined;
  const entries = readExtraCurrencies(cells, { grams: 0n, extra }).map(
    (one) => `"${one.id}":"${one.amount}"`,
  );
  return entries.length === 0 ? undefined : `{${entries.join()}}`;
}
