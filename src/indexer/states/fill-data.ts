import type { Kysely } from 'kysely';
import type { LRUCache } from 'lru-cache';
import type { Tables } from '../../db/tables.ts';
import type { DecodedSeqno } from '../decode/decoded-seqno.ts';
import { keyOf } from '../hash-key.ts';
import { type AccountHistory, changesWithData } from './account-histories.ts';
import { readAccountData, readCodes, readLatestLts } from './state-rows.ts';
import { WholeData } from './whole-data.ts';

/** The data of an account: what the index has, or will have when all that was given out is written. */
interface Data {
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** Data by account. */
export type KnownData = LRUCache<string, Data>;

/** What became of the data of an account. */
export interface FilledData {
  /** To be kept; undefined when it is kept already or parts are missing. */
  readonly boc: Buffer | undefined;
  readonly isMissing: boolean;
}

/** About what is around the data in memory. */
export const ENTRY_BYTES = 400;
/** So many gaps of a batch are looked for among the codes. */
const MOST_GAPS = 2000;
const KEPT: FilledData = Object.freeze({ boc: undefined, isMissing: false });
const MISSING: FilledData = Object.freeze({ boc: undefined, isMissing: true });

/** Leaves out accounts of which the index has a newer state. */
export async function dropOlder(
  db: Kysely<Tables>,
  histories: readonly AccountHistory[],
): Promise<readonly AccountHistory[]> {
  const rows = await readLatestLts(
    db,
    histories.map(({ newest }) => newest.account),
  );
  const lts = new Map(rows.map(({ account, lt }) => [keyOf(account), lt]));
  return histories.filter(({ key, newest }) => newest.lastTransLt > (lts.get(key) ?? -1n));
}

/**
 * Completes the data of accounts after the last of their changes, where there is data. What the blocks left out comes
 * from earlier data of the account, or is the code of a contract: tokens keep the code of their wallets as data.
 */
export async function fillData(
  db: Kysely<Tables>,
  histories: readonly AccountHistory[],
  seqnos: readonly DecodedSeqno[],
  known: KnownData,
): Promise<Map<string, FilledData>> {
  const before = await readBefore(db, histories, known);
  const filled = new Map<string, FilledData>();
  const open: { readonly history: AccountHistory; readonly whole: WholeData }[] = [];
  for (const history of histories) {
    const { key, newest } = history;
    if (newest.dataHash === undefined) {
      known.delete(key);
      continue;
    }
    const earlier = before.get(key);
    if (earlier?.hash.equals(newest.dataHash)) filled.set(key, KEPT);
    else if (newest.dataIsWhole) take(history, newest.data!);
    else {
      const whole = assemble(history, earlier);
      const boc = whole.toBoc();
      if (boc === undefined) open.push({ history, whole });
      else take(history, boc);
    }
  }
  const codes = await findCodes(
    db,
    seqnos,
    open.flatMap(({ whole }) => whole.gaps()),
  );
  for (const { history, whole } of open) {
    for (const hash of whole.gaps()) {
      const code = codes.get(keyOf(hash));
      if (code !== undefined) whole.addSource(code);
    }
    const boc = whole.toBoc();
    if (boc !== undefined) take(history, boc);
    else {
      filled.set(history.key, MISSING);
      known.delete(history.key);
    }
  }
  return filled;

  function take({ key, newest }: AccountHistory, boc: Buffer): void {
    filled.set(key, { boc, isMissing: false });
    known.set(key, { hash: newest.dataHash!, boc }, { size: boc.length + ENTRY_BYTES });
  }
}

/** The data that accounts had before the batch, as far as it is known or needed. */
async function readBefore(
  db: Kysely<Tables>,
  histories: readonly AccountHistory[],
  known: KnownData,
): Promise<Map<string, Data>> {
  const found = new Map<string, Data>();
  const wanted: Buffer[] = [];
  for (const { key, newest } of histories) {
    const data = known.get(key);
    if (data !== undefined) found.set(key, data);
    else if (!newest.dataIsWhole) wanted.push(newest.account);
  }
  for (const { account, hash, boc } of await readAccountData(db, wanted)) {
    found.set(keyOf(account), { hash, boc });
    known.set(keyOf(account), { hash, boc }, { size: boc.length + ENTRY_BYTES });
  }
  return found;
}

function assemble(history: AccountHistory, earlier: Data | undefined): WholeData {
  const parts = changesWithData(history);
  const bytes = parts.reduce((sum, { data }) => sum + (data?.length ?? 0), earlier?.boc.length ?? 0);
  const whole = new WholeData(bytes);
  if (earlier !== undefined) whole.addSource(earlier.boc);
  for (const { data } of parts) if (data !== undefined) whole.add(data);
  return whole;
}

/** Codes by hash, of the batch itself and those that are kept. */
async function findCodes(
  db: Kysely<Tables>,
  seqnos: readonly DecodedSeqno[],
  hashes: readonly Buffer[],
): Promise<Map<string, Buffer>> {
  const codes = new Map<string, Buffer>();
  if (hashes.length === 0) return codes;
  for (const { hash, boc } of await readCodes(db, hashes.slice(0, MOST_GAPS))) codes.set(keyOf(hash), boc);
  for (const seqno of seqnos) for (const { hash, boc } of seqno.codes) codes.set(keyOf(hash), boc);
  return codes;
}
