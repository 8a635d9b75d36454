import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../../db/tables.ts';
import type { AccountChange, ContractCode, DecodedSeqno } from '../decode/decoded-seqno.ts';
import { keyOf } from '../hash-key.ts';
import type { AccountUpdate } from '../write/write-batch.ts';
import type { AccountCells } from './account-cells.ts';
import { type AccountHistory, accountHistories, hasOtherCode } from './account-histories.ts';
import { dropOlder, ENTRY_BYTES, fillData, type KnownData } from './fill-data.ts';
import { fillExtras } from './fill-extras.ts';
import { readKnownCodes } from './state-rows.ts';

/** Asks for code and data of accounts right after some changes; by account, those that could be had. */
export type AskStates = (changes: readonly AccountChange[]) => Promise<ReadonlyMap<string, AccountCells>>;

export interface BatchStates {
  readonly seqnos: readonly DecodedSeqno[];
  /** Whether no other part of the index can have newer states of accounts. */
  readonly isNewest: boolean;
  /** Left out where what is missing can wait. */
  readonly ask?: AskStates | undefined;
}

/** The newest state of an account that a batch brings. */
export interface PreparedUpdate extends AccountUpdate {
  /** Whether the account may have had another code before the batch. */
  readonly isOther: boolean;
}

/** The newest states that a batch brings. */
export interface PreparedStates {
  readonly latest: readonly PreparedUpdate[];
  /** Codes that were asked for. */
  readonly codes: readonly ContractCode[];
  readonly asked: number;
  readonly missing: number;
}

/**
 * Knows the newest data of accounts while one range of seqnos is worked on from its beginning to its end. When a write
 * fails or another range begins, a new book is needed: this one believes that all that it gave out was written.
 */
export interface StateBook {
  prepare(batch: BatchStates): Promise<PreparedStates>;
}

export interface StateBookOptions {
  readonly db: Kysely<Tables>;
  /** Bytes of data that are remembered. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_CODES = 50_000;

/** An account whose cells are not all known. */
interface Gap {
  readonly history: AccountHistory;
  readonly needsData: boolean;
}

/** Begins a book. */
export function createStateBook({ db, maxBytes = MAX_BYTES }: StateBookOptions): StateBook {
  const known: KnownData = new LRUCache({ maxSize: Math.max(1, maxBytes) });
  /** Codes that are kept, or will be when what was given out is written. */
  const codes = new LRUCache<string, true>({ max: MAX_CODES });

  return {
    async prepare({ seqnos, isNewest, ask }) {
      for (const seqno of seqnos) for (const { hash } of seqno.codes) codes.set(keyOf(hash), true);
      const all = accountHistories(seqnos);
      const histories = isNewest ? all : await dropOlder(db, all);
      const data = await fillData(db, histories, seqnos, known);
      const extras = await fillExtras(db, histories);
      await noteCodes(histories);
      const gaps: Gap[] = [];
      for (const history of histories) {
        const needsData = data.get(history.key)?.isMissing ?? false;
        const needsExtra = history.newest.extraIsHidden && !extras.has(history.key);
        if (needsData || needsExtra || !hasCode(history)) gaps.push({ history, needsData });
      }
      const answers = gaps.length > 0 && ask ? await ask(gaps.map(({ history }) => history.newest)) : NOTHING;
      const stillOpen = new Set<string>();
      const newCodes = new Map<string, ContractCode>();
      for (const { history, needsData } of gaps) {
        const { key, newest } = history;
        const answer = answers.get(key);
        if (answer === undefined) stillOpen.add(key);
        else takeAnswer(key, newest, answer, needsData);
      }
      return {
        latest: histories.map((history) => {
          const { key, newest } = history;
          return {
            change: newest.extraIsHidden ? { ...newest, balanceExtra: extras.get(key) } : newest,
            data: data.get(key)?.boc,
            isMissing: stillOpen.has(key),
            isOther: hasOtherCode(history),
          };
        }),
        codes: [...newCodes.values()],
        asked: answers.size,
        missing: stillOpen.size,
      };

      function takeAnswer(
        key: string,
        { dataHash }: AccountChange,
        { code, data: boc, balanceExtra }: AccountCells,
        needsData: boolean,
      ): void {
        if (balanceExtra !== undefined) extras.set(key, balanceExtra);
        if (code !== undefined && !codes.has(keyOf(code.hash))) {
          codes.set(keyOf(code.hash), true);
          newCodes.set(keyOf(code.hash), code);
        }
        if (!needsData || boc === undefined || dataHash === undefined) return;
        data.set(key, { boc, isMissing: false });
        known.set(key, { hash: dataHash, boc }, { size: boc.length + ENTRY_BYTES });
      }
    },
  };

  function hasCode({ newest: { codeHash } }: AccountHistory): boolean {
    return codeHash === undefined || codes.has(keyOf(codeHash));
  }

  /** Looks up the codes that are not known to be kept. */
  async function noteCodes(histories: readonly AccountHistory[]): Promise<void> {
    const wanted = new Map<string, Buffer>();
    for (const history of histories) {
      const { codeHash } = history.newest;
      if (codeHash !== undefined && !hasCode(history)) wanted.set(keyOf(codeHash), codeHash);
    }
    for (const hash of await readKnownCodes(db, [...wanted.values()])) codes.set(keyOf(hash), true);
  }
}

const NOTHING: ReadonlyMap<string, AccountCells> = new Map();
