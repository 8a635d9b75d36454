import {
  Address,
  beginCell,
  Cell,
  loadMessage,
  loadTransaction,
  type Message,
  type Transaction,
} from '@ton/core';
import type { BlockId } from '../../../../src/chain/block-id.ts';
import { useNativeSha256 } from '../../../../src/chain/boc/ton-core.ts';
import type { FetchedBlock } from '../../../../src/ingest/fetch/masterchain-blocks.ts';

/** A row by column names: bytes in hex, numbers of more than 32 bits as text. */
export type Row = Record<string, unknown>;

/** A message as @ton/core reads it. Hashes and accounts are in hex. */
export interface CoreMessage {
  readonly kind: 'internal' | 'external-in' | 'external-out';
  readonly hash: string;
  /** Null where it equals the hash, and for messages that are not from outside. */
  readonly normalizedHash: string | null;
  readonly source: string | null;
  /** Its row, without the position. */
  readonly row: Row;
}

/** A transaction as @ton/core reads it. Hashes and accounts are in hex. */
export interface CoreTransaction {
  readonly id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>;
  readonly account: string;
  readonly hash: string;
  readonly lt: bigint;
  readonly now: number;
  /** Its row, without the position. */
  readonly row: Row;
  readonly inbound: CoreMessage | undefined;
  readonly outbound: readonly CoreMessage[];
}

/** The block of transactions. */
interface Place {
  readonly mcSeqno: number;
  readonly id: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>;
}

/** Reads all transactions of a block with @ton/core, in no particular order. */
export function readCoreBlock(mcSeqno: number, { id, bytes }: FetchedBlock): CoreTransaction[] {
  useNativeSha256();
  const cells = new Map<string, Cell>();
  collect(Cell.fromBoc(bytes)[0]!.refs[3]!.refs[2]!, cells);
  return Array.from(cells.values(), (cell) => readCore(cell, { mcSeqno, id }));
}

/** Reads a transaction with @ton/core. */
export function readCore(cell: Cell, { mcSeqno, id }: Place): CoreTransaction {
  const transaction = loadTransaction(cell.beginParse());
  const { lt, now } = transaction;
  const address = Buffer.from(transaction.address.toString(16).padStart(64, '0'), 'hex');
  const account = new Address(id.workchain, address);
  const messages = Array.from(messageCells(cell, transaction), ([ordinal, message]) =>
    readCoreMessage(message, { account, lt, mcSeqno, ordinal }),
  );
  const inbound = messages.find(({ row }) => row.ordinal === 0);
  const hash = cell.hash().toString('hex');
  return {
    id,
    account: hexOf(account),
    hash,
    lt,
    now,
    row: {
      acc8: accountNumber(account),
      lt: `${lt}`,
      hash8: hashNumber(hash),
      in8: inbound === undefined ? null : hashNumber(inbound.hash),
      now: now - 2 ** 31,
      mc_seqno: mcSeqno,
    },
    inbound,
    outbound: messages.filter((message) => message !== inbound),
  };
}

/** The transaction of a message; ordinal 0 received it. */
interface Side {
  readonly account: Address;
  readonly lt: bigint;
  readonly mcSeqno: number;
  readonly ordinal: number;
}

function readCoreMessage(cell: Cell, { account, lt, mcSeqno, ordinal }: Side): CoreMessage {
  const message = loadMessage(cell.beginParse());
  const { info, body } = message;
  const hash = cell.hash().toString('hex');
  const normalized = normalizedHash(message);
  const normalizedUnlessSame = normalized === hash ? null : normalized;
  const source = ordinal > 0 ? account : info.src instanceof Address ? info.src : null;
  const destination = ordinal === 0 ? account : info.dest instanceof Address ? info.dest : null;
  const isExternalIn = info.type === 'external-in';
  return {
    kind: info.type,
    hash,
    normalizedHash: normalizedUnlessSame,
    source: source && hexOf(source),
    row: {
      hash8: hashNumber(hash),
      src8: isExternalIn
        ? normalizedUnlessSame && hashNumber(normalizedUnlessSame)
        : source && accountNumber(source),
      dst8: destination && accountNumber(destination),
      body8: hashNumber(body.hash().toString('hex')),
      lt: `${isExternalIn ? lt : info.createdLt}`,
      created_at: isExternalIn ? null : info.createdAt - 2 ** 31,
      opcode: body.isExotic || body.bits.length < 32 ? null : body.beginParse().loadInt(32),
      mc_seqno: mcSeqno,
      ordinal,
    },
  };
}

/** The first 64 bits with the sign turned round, so that signed numbers have the order of hashes. */
function hashNumber(hash: string): string {
  return `${BigInt(`0x${hash.slice(0, 16)}`) - 2n ** 63n}`;
}

/** The first 63 bits; those of the masterchain are negative. */
function accountNumber({ workChain, hash }: Address): string {
  const bits = BigInt(`0x${hash.toString('hex').slice(0, 16)}`) / 2n;
  if (workChain === 0) return `${bits}`;
  if (workChain === -1) return `${bits - 2n ** 63n}`;
  throw new Error(`No rule for workchain ${workChain}`);
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

/** The normalized form of TEP-467: only destination and body. */
function normalizedHash({ info, body }: Message): string | null {
  if (info.type !== 'external-in') return null;
  const head = beginCell().storeUint(0b1000, 4).storeAddress(info.dest).storeUint(0b000001, 6);
  return head.storeRef(body).endCell().hash().toString('hex');
}

/** The 33 bytes of an account in hex. */
function hexOf({ workChain, hash }: Address): string {
  return Buffer.concat([Buffer.from(Int8Array.of(workChain).buffer), hash]).toString('hex');
}
