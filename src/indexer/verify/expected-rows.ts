import type { ChainBlock } from './chain-block.ts';
import type { ChainMessage } from './chain-message.ts';
import type { ChainSeqno } from './chain-seqno.ts';
import type { ChainState } from './chain-state.ts';
import type { ChainTransaction } from './chain-transaction.ts';
import { type Amount, accountBytes } from './core-readers.ts';
import type { Row } from './differences.ts';
import { expectedDescription } from './expected-description.ts';

const FLAGS_FROM_VERSION = 12;

/** A transaction with its place, for all that is compared about it. */
export interface PlacedTransaction {
  readonly account: Buffer;
  readonly block: ChainBlock;
  readonly transaction: ChainTransaction;
  /** Whether it is the first, and whether it is the last, of its account in the block. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** All transactions of a seqno in the order in which traces take them. */
export function placedTransactions({ blocks }: ChainSeqno): PlacedTransaction[] {
  const placed = blocks.flatMap((block) =>
    block.transactions.map((transaction, i) => ({
      account: accountBytes(block.id.workchain, transaction.address),
      ...{ block, transaction },
      isFirst: !block.transactions[i - 1]?.address.equals(transaction.address),
      isLast: !block.transactions[i + 1]?.address.equals(transaction.address),
    })),
  );
  return placed.sort(
    (a, b) =>
      Number(a.transaction.lt - b.transaction.lt) ||
      a.block.id.workchain - b.block.id.workchain ||
      a.transaction.address.compare(b.transaction.address),
  );
}

/** The state of the account after a transaction, where the block shows it. */
export function stateAfter({ block, transaction, isLast }: PlacedTransaction): ChainState | undefined {
  if (!isLast) return undefined;
  return block.after.get(transaction.address.toString('hex'));
}

/** The row of a block. */
export function blockRow(mcSeqno: number, { id, columns }: ChainBlock): Row {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return { mc_seqno: mcSeqno, workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, ...columns };
}

/** The row of all newest blocks at a masterchain block. */
export function shardStateRow({ mcSeqno, masterchain }: ChainSeqno): Row {
  const tops = masterchain.tops.filter(({ seqno }) => seqno > 0);
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0),
  );
  return {
    mc_seqno: mcSeqno,
    workchains: all.map(({ workchain }) => workchain),
    shards: all.map(({ shard }) => shard),
    seqnos: all.map(({ seqno }) => seqno),
  };
}

/** The row of a transaction but for its trace. */
export function transactionRow(mcSeqno: number, placed: PlacedTransaction): Row {
  const { account, block, transaction: tx } = placed;
  const after = stateAfter(placed);
  const shown = after?.status === 'nonexist' ? undefined : after;
  return {
    ...{ account, lt: tx.lt, hash: tx.hash, mc_seqno: mcSeqno },
    ...{ block_shard: block.id.shard, block_seqno: block.id.seqno },
    ...{ prev_hash: tx.prevHash, prev_lt: tx.prevLt, now: tx.now },
    ...{ orig_status: tx.origStatus, end_status: tx.endStatus },
    ...{ total_fees: tx.totalFees.grams, total_fees_extra: tx.totalFees.extra },
    ...{ state_hash_before: tx.stateBefore, state_hash_after: tx.stateAfter },
    balance: shown?.balance.grams,
    ...extraColumn(shown?.balance),
    ...{ code_hash: shown?.codeHash, data_hash: shown?.dataHash, frozen_hash: shown?.frozenHash },
    ...expectedDescription(tx.description),
  };
}

/** Other currencies that an account has, where the block shows them. */
export function extraColumn(balance: Amount | undefined): Row {
  if (balance === undefined) return { balance_extra: null };
  return balance.extra === undefined ? {} : { balance_extra: balance.extra };
}

/** The rows of the messages of a transaction: the one that came in, then those that went out. */
export function messageRows(mcSeqno: number, globalVersion: number, placed: PlacedTransaction): Row[] {
  const { inMessage, outMessages } = placed.transaction;
  const rows = outMessages.map((message, i) => messageRow(mcSeqno, globalVersion, placed, message, i + 1));
  return inMessage === undefined ? rows : [messageRow(mcSeqno, globalVersion, placed, inMessage, 0), ...rows];
}

function messageRow(
  mcSeqno: number,
  globalVersion: number,
  { account, transaction }: PlacedTransaction,
  message: ChainMessage,
  ordinal: number,
): Row {
  const { flags, value, feeOrFlags, normalHash, hash } = message;
  const hasFlags = globalVersion >= FLAGS_FROM_VERSION;
  const body = message.body.beginParse();
  return {
    ...{ account, tx_lt: transaction.lt, ordinal, mc_seqno: mcSeqno, hash },
    hash_norm: ordinal === 0 && normalHash !== undefined && !normalHash.equals(hash) ? normalHash : null,
    peer: ordinal === 0 ? message.source : message.destination,
    ...{ lt: message.createdLt ?? transaction.lt, created_at: message.createdAt },
    ...{ value: value?.grams, value_extra: value?.extra, fwd_fee: message.fwdFee },
    ihr_fee: feeOrFlags === undefined ? null : hasFlags ? 0 : feeOrFlags,
    extra_flags: hasFlags ? feeOrFlags : null,
    import_fee: message.importFee,
    opcode: body.remainingBits >= 32 ? body.loadInt(32) : null,
    ...{ ihr_disabled: flags?.ihrDisabled, bounce: flags?.bounce, bounced: flags?.bounced },
    ...{ body_hash: message.body.hash(), init_hash: message.init?.hash() },
  };
}
