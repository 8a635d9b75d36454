import { LRUCache } from 'lru-cache';
import type { AccountCells, ContractCode } from '../../chain/contracts/account-cells.ts';
import type { Db } from '../../db/tables/tables.ts';
import {
  readAccountData,
  readCodes,
  readKnownCodes,
  readLatestExtras,
  readLatestLts,
} from '../../index/read/accounts.ts';
import type { AccountChange, DecodedSeqno } from '../../index/write/decoded-seqno.ts';
import type { AccountUpdate } from '../../index/write/write-accounts.ts';
import { bytesKey, ownBytes } from '../../lib/bytes-key.ts';
import { DataAssembler } from './data-assembler.ts';

/** Fetches code and data of accounts right after changes; returns the available ones by account. */
type FetchStates = (changes: readonly AccountChange[]) => Promise<ReadonlyMap<string, AccountCells>>;

interface BatchStates {
  readonly seqnos: readonly DecodedSeqno[];
  /** Whether no other part of the index can have newer account states. */
  readonly isNewest: boolean;
  /** Left out where missing cells can be fetched later. */
  readonly fetch?: FetchStates | undefined;
}

/** The newest state of an account in a batch. */
export interface PreparedUpdate extends AccountUpdate {
  /** Whether the account may have had another code before the batch. */
  readonly mayHaveChangedCode: boolean;
}

/** The newest account states of a batch. */
interface PreparedStates {
  readonly latest: readonly PreparedUpdate[];
  readonly codes: readonly ContractCode[];
  readonly requested: number;
  readonly missing: number;
}

/**
 * Tracks the newest account data while one range of seqnos is indexed in order. It assumes that everything it returned was
 * written, so a failed write or another range needs a new tracker.
 */
interface StateTracker {
  prepare(batch: BatchStates): Promise<PreparedStates>;
}

interface StateTrackerOptions {
  readonly db: Db;
  /** Maximum bytes of cached data. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_CODES = 50_000;

export function createStateTracker({ db, maxBytes = MAX_BYTES }: StateTrackerOptions): StateTracker {
  const known: KnownData = new LRUCache({ maxSize: Math.max(1, maxBytes) });
  /** Codes that are stored, or will be when the returned batches are written. */
  // Not by `max`, for which lru-cache would allocate memory at once: there is one tracker for each range.
  const codes = new LRUCache<string, true>({ maxSize: MAX_CODES, sizeCalculation: () => 1 });

  return {
    async prepare({ seqnos, isNewest, fetch }) {
      for (const seqno of seqnos) for (const { hash } of seqno.codes) codes.set(bytesKey(hash), true);
      const all = accountHistories(seqnos);
      const histories = isNewest ? all : await dropOlder(db, all);
      const data = await fillData(db, histories, seqnos, known);
      const extras = await fillExtras(db, histories);
      await noteCodes(histories);
      const gaps: { readonly history: AccountHistory; readonly needsData: boolean }[] = [];
      for (const history of histories) {
        const needsData = data.get(history.key)?.isMissing ?? false;
        const needsExtra = history.newest.extraIsHidden && !extras.has(history.key);
        if (needsData || needsExtra || !hasCode(history)) gaps.push({ history, needsData });
      }
      const responses =
        gaps.length > 0 && fetch ? await fetch(gaps.map(({ history }) => history.newest)) : NO_RESPONSES;
      const stillOpen = new Set<string>();
      const newCodes = new Map<string, ContractCode>();
      for (const { history, needsData } of gaps) {
        const { key, newest } = history;
        const response = responses.get(key);
        if (response === undefined) stillOpen.add(key);
        else applyResponse(key, newest, response, needsData);
      }
      return {
        latest: histories.map((history) => {
          const { key, newest } = history;
          return {
            change: newest.extraIsHidden ? { ...newest, balanceExtra: extras.get(key) } : newest,
            data: data.get(key)?.boc,
            isMissing: stillOpen.has(key),
            mayHaveChangedCode: mayHaveChangedCode(history),
          };
        }),
        codes: [...newCodes.values()],
        requested: responses.size,
        missing: stillOpen.size,
      };

      function applyResponse(
        key: string,
        { dataHash }: AccountChange,
        { code, data: boc, balanceExtra }: AccountCells,
        needsData: boolean,
      ): void {
        if (balanceExtra !== undefined) extras.set(key, balanceExtra);
        if (code !== undefined && !codes.has(bytesKey(code.hash))) {
          codes.set(bytesKey(code.hash), true);
          newCodes.set(bytesKey(code.hash), code);
        }
        if (!needsData || boc === undefined || dataHash === undefined) return;
        data.set(key, { boc, isMissing: false });
        keepData(known, key, { hash: dataHash, boc });
      }
    },
  };

  function hasCode({ newest: { codeHash } }: AccountHistory): boolean {
    return codeHash === undefined || codes.has(bytesKey(codeHash));
  }

  /** Looks up which of the unknown codes are stored. */
  async function noteCodes(histories: readonly AccountHistory[]): Promise<void> {
    const wanted = new Map<string, Buffer>();
    for (const history of histories) {
      const { codeHash } = history.newest;
      if (codeHash !== undefined && !hasCode(history)) wanted.set(bytesKey(codeHash), codeHash);
    }
    for (const hash of await readKnownCodes(db, [...wanted.values()])) codes.set(bytesKey(hash), true);
  }
}

const NO_RESPONSES: ReadonlyMap<string, AccountCells> = new Map();

/** All changes of one account in a batch, oldest first. */
interface AccountHistory {
  /** The account as a map key. */
  readonly key: string;
  readonly changes: readonly AccountChange[];
  readonly newest: AccountChange;
}

function accountHistories(seqnos: readonly DecodedSeqno[]): AccountHistory[] {
  const found = new Map<string, AccountChange[]>();
  for (const { accounts } of seqnos)
    for (const change of accounts) {
      const key = bytesKey(change.account);
      const changes = found.get(key);
      if (changes === undefined) found.set(key, [change]);
      else changes.push(change);
    }
  return [...found].map(([key, changes]) => {
    // Blocks come after their predecessors, but the blocks of a seqno have no other order.
    if (changes.length > 1) changes.sort((a, b) => (a.lastTransLt < b.lastTransLt ? -1 : 1));
    return { key, changes, newest: changes.at(-1)! };
  });
}

/** The changes that determine the final data: from the last one that contains all of it. */
function changesWithData({ changes }: AccountHistory): readonly AccountChange[] {
  const from = changes.findLastIndex(({ dataIsWhole }) => dataIsWhole);
  return from < 0 ? changes : changes.slice(from);
}

/** Whether the code was added, removed or changed in a batch; also true where a block does not show the state before. */
function mayHaveChangedCode({ changes }: AccountHistory): boolean {
  return changes.some(({ before, codeHash }) => {
    if (before === undefined) return true;
    if (before.codeHash === undefined || codeHash === undefined) return before.codeHash !== codeHash;
    return !before.codeHash.equals(codeHash);
  });
}

/** The data of an account as the index has it, or will have when the returned batches are written. */
interface Data {
  readonly hash: Buffer;
  readonly boc: Buffer;
}

type KnownData = LRUCache<string, Data>;

function keepData(known: KnownData, key: string, { hash, boc }: Data): void {
  known.set(key, { hash: ownBytes(hash), boc: ownBytes(boc) }, { size: boc.length + ENTRY_BYTES });
}

interface FilledData {
  /** To be stored; undefined when it is stored already or parts are missing. */
  readonly boc: Buffer | undefined;
  readonly isMissing: boolean;
}

/** Approximate memory overhead of an entry. */
const ENTRY_BYTES = 400;
/** Number of gaps of a batch that are looked up among the codes. */
const MAX_GAPS_PER_BATCH = 2000;
const STORED: FilledData = Object.freeze({ boc: undefined, isMissing: false });
const MISSING: FilledData = Object.freeze({ boc: undefined, isMissing: true });

/** Drops accounts for which the index has a newer state. */
async function dropOlder(db: Db, histories: readonly AccountHistory[]) {
  const rows = await readLatestLts(
    db,
    histories.map(({ newest }) => newest.account),
  );
  const lts = new Map(rows.map(({ account, lt }) => [bytesKey(account), lt]));
  return histories.filter(({ key, newest }) => newest.lastTransLt > (lts.get(key) ?? -1n));
}

/**
 * Completes the data of accounts after their last change. Cells that the blocks left out come from earlier data of the
 * account, or are contract codes: jetton masters store the code of their wallets in their data.
 */
async function fillData(
  db: Db,
  histories: readonly AccountHistory[],
  seqnos: readonly DecodedSeqno[],
  known: KnownData,
): Promise<Map<string, FilledData>> {
  const before = await readBefore(db, histories, known);
  const filled = new Map<string, FilledData>();
  const open: { readonly history: AccountHistory; readonly whole: DataAssembler }[] = [];
  for (const history of histories) {
    const { key, newest } = history;
    if (newest.dataHash === undefined) {
      known.delete(key);
      continue;
    }
    const earlier = before.get(key);
    if (earlier?.hash.equals(newest.dataHash)) filled.set(key, STORED);
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
      const code = codes.get(bytesKey(hash));
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
    keepData(known, key, { hash: newest.dataHash!, boc });
  }
}

/** The data of accounts before the batch, as far as known or needed. */
async function readBefore(db: Db, histories: readonly AccountHistory[], known: KnownData) {
  const found = new Map<string, Data>();
  const wanted: Buffer[] = [];
  for (const { key, newest } of histories) {
    const data = known.get(key);
    if (data !== undefined) found.set(key, data);
    else if (!newest.dataIsWhole) wanted.push(newest.account);
  }
  for (const { account, hash, boc } of await readAccountData(db, wanted)) {
    found.set(bytesKey(account), { hash, boc });
    keepData(known, bytesKey(account), { hash, boc });
  }
  return found;
}

function assemble(history: AccountHistory, earlier: Data | undefined): DataAssembler {
  const parts = changesWithData(history);
  const bytes = parts.reduce((sum, { data }) => sum + (data?.length ?? 0), earlier?.boc.length ?? 0);
  const whole = new DataAssembler(bytes);
  if (earlier !== undefined) whole.addSource(earlier.boc);
  for (const { data } of parts) if (data !== undefined) whole.add(data);
  return whole;
}

/** Codes by hash, from the batch and from the database. */
async function findCodes(db: Db, seqnos: readonly DecodedSeqno[], hashes: readonly Buffer[]) {
  const codes = new Map<string, Buffer>();
  if (hashes.length === 0) return codes;
  for (const { hash, boc } of await readCodes(db, hashes.slice(0, MAX_GAPS_PER_BATCH)))
    codes.set(bytesKey(hash), boc);
  for (const seqno of seqnos) for (const { hash, boc } of seqno.codes) codes.set(bytesKey(hash), boc);
  return codes;
}

/**
 * The extra currencies, as JSON, of accounts whose last change does not show them: they did not change, so they are those
 * of an earlier change or of the indexed state. Some may be unknown.
 */
async function fillExtras(db: Db, histories: readonly AccountHistory[]) {
  const found = new Map<string, string>();
  const wanted: Buffer[] = [];
  for (const { key, changes, newest } of histories) {
    if (!newest.extraIsHidden) continue;
    const shown = changes.findLast(({ extraIsHidden }) => !extraIsHidden);
    if (shown === undefined) wanted.push(newest.account);
    else if (shown.balanceExtra !== undefined) found.set(key, shown.balanceExtra);
  }
  for (const { account, extra } of await readLatestExtras(db, wanted))
    if (extra !== null) found.set(bytesKey(account), extra);
  return found;
}
