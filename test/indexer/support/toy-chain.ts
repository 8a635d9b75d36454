import { createHash } from 'node:crypto';
import { TRANSACTION_COLUMNS } from '../../../src/db/copy/columns.ts';
import { CopyBuffer } from '../../../src/db/copy/copy-buffer.ts';
import type { CopyRows } from '../../../src/db/copy/copy-rows.ts';
import type { DecodedSeqno, TraceFacts } from '../../../src/indexer/decode/decoded-seqno.ts';

/** A transaction, as far as traces go. */
export interface ToyTransaction {
  readonly mcSeqno: number;
  readonly account: string;
  readonly lt: number;
  readonly hash: string;
  readonly inKind: number;
  readonly inHash?: string;
  readonly normHash?: string;
  /** Hashes of internal messages. */
  readonly outs: readonly string[];
  readonly logs: number;
}

const ZEROS = Buffer.alloc(32);
/** A hash that is made of a name, in hex. */
export const toyHash = (name: string): string => createHash('sha256').update(name).digest('hex');
/** An account that is made of a name, in hex. */
export const toyAccount = (name: string): string => `00${toyHash(name)}`;
const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** A seqno with these transactions, as decoding would give it; rows have only what no column may lack. */
export function toySeqno(
  mcSeqno: number,
  transactions: readonly ToyTransaction[],
  more: Partial<DecodedSeqno> = {},
): DecodedSeqno {
  const rows = new CopyBuffer();
  const traceIdAt = transactions.map((transaction) => writeTransaction(rows, transaction));
  return {
    mcSeqno,
    genUtime: utimeOf(mcSeqno),
    blockCount: 1,
    hasKeyBlock: false,
    blocks: blockRow(mcSeqno, transactions.length),
    shardStates: new CopyBuffer()
      .row(4)
      .int4(mcSeqno)
      .int4Array([-1])
      .int8Array([0])
      .int4Array([mcSeqno])
      .rows(),
    transactions: rows.rows(),
    messages: { bytes: Buffer.alloc(0), count: 0 },
    contents: [],
    codes: [],
    traces: factsOf(transactions, traceIdAt),
    accounts: [],
    events: [],
    ...more,
  };
}

/** The time of a transaction. */
export const utimeOf = (mcSeqno: number): number => 1_700_000_000 + mcSeqno;

function factsOf(transactions: readonly ToyTransaction[], traceIdAt: readonly number[]): TraceFacts {
  let sum = 0;
  const outFrom = [0, ...transactions.map(({ outs }) => (sum += outs.length))];
  const all = (read: (transaction: ToyTransaction) => Buffer) => Buffer.concat(transactions.map(read));
  return {
    count: transactions.length,
    hashes: all(({ hash }) => bytes(hash)),
    accounts: all(({ account }) => bytes(account)),
    lts: BigUint64Array.from(transactions, ({ lt }) => BigInt(lt)),
    nows: Float64Array.from(transactions, ({ mcSeqno }) => utimeOf(mcSeqno)),
    inKinds: Uint8Array.from(transactions, ({ inKind }) => inKind),
    inHashes: all(({ inHash }) => (inHash === undefined ? ZEROS : bytes(inHash))),
    normHashes: all(({ normHash }) => (normHash === undefined ? ZEROS : bytes(normHash))),
    outFrom: Uint32Array.from(outFrom),
    outHashes: all(({ outs }) => Buffer.concat(outs.map(bytes))),
    logs: Uint16Array.from(transactions, ({ logs }) => logs),
    traceIdAt: Uint32Array.from(traceIdAt),
  };
}

function writeTransaction(rows: CopyBuffer, { mcSeqno, account, lt, hash }: ToyTransaction): number {
  rows.row(TRANSACTION_COLUMNS.length);
  const traceIdAt = rows.reserve(32);
  rows.bytes(bytes(account)).int8(lt).bytes(bytes(hash)).int4(mcSeqno).int8(0).int4(mcSeqno);
  rows
    .bytes(ZEROS)
    .int8(0)
    .int8(utimeOf(mcSeqno))
    .text('ord')
    .text('active')
    .text('active')
    .numeric(0n)
    .null();
  rows.bytes(ZEROS).bytes(ZEROS);
  for (let at = 17; at < TRANSACTION_COLUMNS.length; at++) rows.null();
  return traceIdAt;
}

function blockRow(mcSeqno: number, txCount: number): CopyRows {
  const row = new CopyBuffer().row(30).int4(mcSeqno).int4(-1).int8(0).int4(mcSeqno);
  row.bytes(bytes(toyHash(`root ${mcSeqno}`))).bytes(bytes(toyHash(`file ${mcSeqno}`)));
  row.int8(utimeOf(mcSeqno)).int8(mcSeqno).int8(mcSeqno).int4(-239).int8(0).int2(0);
  for (let flag = 0; flag < 7; flag++) row.bool(false);
  row.int4(0);
  for (let number = 0; number < 5; number++) row.int8(0);
  row.bytes(ZEROS).bytes(ZEROS).int4(txCount);
  return row
    .int8Array([0])
    .int4Array([mcSeqno - 1])
    .rows();
}
