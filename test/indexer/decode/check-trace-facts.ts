import { expect } from 'vitest';
import {
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
} from '../../../src/indexer/decode/decoded-seqno.ts';
import type { Row } from './core-rows.ts';

const SYSTEM = `ff${'00'.repeat(32)}`;
const ZEROS = '00'.repeat(32);

/** Compares what traces are made of with the rows of transactions and messages. */
export function expectTraceFacts(
  { traces, transactions }: DecodedSeqno,
  rows: readonly Row[],
  messages: readonly Row[],
): void {
  expect(traces.count).toBe(rows.length);
  const sorted = [...rows].sort(byTime);
  for (const [i, row] of sorted.entries()) {
    const own = messages.filter(({ account, tx_lt }) => account === row.account && tx_lt === row.lt);
    const inbound = own.find(({ ordinal }) => ordinal === 0);
    const outbound = own
      .filter(({ ordinal }) => ordinal !== 0)
      .sort((a, b) => Number(a.ordinal) - Number(b.ordinal));
    const at = traces.traceIdAt[i]!;
    expect({
      hash: hex(traces.hashes, i, 32),
      account: hex(traces.accounts, i, 33),
      lt: `${traces.lts[i]}`,
      now: `${traces.nows[i]}`,
      kind: traces.inKinds[i],
      inHash: hex(traces.inHashes, i, 32),
      normHash: hex(traces.normHashes, i, 32),
      sent: Array.from({ length: traces.outFrom[i + 1]! - traces.outFrom[i]! }, (_, j) =>
        hex(traces.outHashes, traces.outFrom[i]! + j, 32),
      ),
      logs: traces.logs[i],
      traceId: transactions.bytes.toString('hex', at, at + 32),
    }).toEqual({
      hash: row.hash,
      account: row.account,
      lt: row.lt,
      now: row.now,
      kind: kindOf(inbound, traces.inKinds[i]),
      inHash: inbound?.hash ?? ZEROS,
      normHash: inbound?.hash_norm ?? ZEROS,
      sent: outbound.filter(({ value }) => value !== null).map(({ hash }) => hash),
      logs: outbound.filter(({ value }) => value === null).length,
      traceId: row.hash,
    });
  }
}

/** By lt, workchain and address. */
function byTime(a: Row, b: Row): number {
  const lts = Number(BigInt(`${a.lt}`) - BigInt(`${b.lt}`));
  if (lts !== 0) return lts;
  const [left, right] = [Buffer.from(`${a.account}`, 'hex'), Buffer.from(`${b.account}`, 'hex')];
  return left.readInt8(0) - right.readInt8(0) || left.compare(right);
}

/** Which messages of the address of the system nobody sent, the rows of one seqno cannot tell. */
function kindOf(inbound: Row | undefined, found: number | undefined): number {
  if (inbound === undefined) return IN_NONE;
  if (inbound.value === null) return IN_EXTERNAL;
  return found === IN_SYSTEM && inbound.peer === SYSTEM ? IN_SYSTEM : IN_INTERNAL;
}

function hex(bytes: Buffer, index: number, size: number): string {
  return bytes.toString('hex', index * size, (index + 1) * size);
}
