import { Cell } from '@ton/core';
import { expect } from 'vitest';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import type { DecodedSeqno } from '../../../src/indexer/decode/decoded-seqno.ts';
import type { FetchedSeqno } from '../../../src/indexer/fetch/fetched-seqno.ts';
import { expectTraceFacts } from './check-trace-facts.ts';
import { coreRows, type Row } from './core-rows.ts';
import type { DecodedTables } from './decoded-tables.ts';

const STATE_COLUMNS = ['balance', 'balance_extra', 'code_hash', 'data_hash', 'frozen_hash'];

/** Loads decoded seqnos into tables and compares every row with what @ton/core reads from the same blocks. */
export async function expectSeqnosAsCore(
  tables: DecodedTables,
  seqnos: readonly (readonly [FetchedSeqno, DecodedSeqno])[],
): Promise<void> {
  const transactions: Row[] = [];
  const messages: Row[] = [];
  for (const [fetched, decoded] of seqnos) {
    const { mcSeqno, masterchain, shardBlocks, globalVersion } = fetched;
    const blocks = [masterchain, ...shardBlocks].map((block) => coreRows(mcSeqno, globalVersion, block));
    const rows = blocks.flatMap((block) => block.transactions);
    const sent = blocks.flatMap((block) => block.messages);
    expect(decoded).toMatchObject({ mcSeqno, blockCount: blocks.length });
    expectContents(decoded, new Map(blocks.flatMap(({ contents }) => [...contents])));
    expectTraceFacts(decoded, rows, sent);
    transactions.push(...rows);
    messages.push(...sent);
    await tables.load(decoded);
  }
  expect(inOrder(withoutStates(await tables.rows('transactions')))).toEqual(inOrder(transactions));
  expect(inOrder(await tables.rows('messages'))).toEqual(inOrder(messages));
}

/** Bodies and initial states: each once, with a checksum, and the bytes of tonlib's order. */
function expectContents({ contents }: DecodedSeqno, expected: ReadonlyMap<string, Cell>): void {
  expect(contents.map(({ hash }) => hash.toString('hex')).sort()).toEqual([...expected.keys()].sort());
  for (const { hash, boc } of contents) {
    // @ton/core checks the checksum.
    expect(Cell.fromBoc(boc)[0]!.hash()).toEqual(hash);
    expect(boc[4]! & 0x40).toBe(0x40);
    const bag = readBoc(expected.get(hash.toString('hex'))!.toBoc());
    expect(boc.equals(writeBoc({ cells: bag, roots: [bag.root] }, { order: 'tonlib' }))).toBe(true);
  }
}

function withoutStates(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !STATE_COLUMNS.includes(name))),
  );
}

function inOrder(rows: readonly Row[]): Row[] {
  const key = ({ account, lt, tx_lt, ordinal }: Row): string => `${account} ${tx_lt ?? lt} ${ordinal ?? ''}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
