import type { Db } from '../../db/tables/tables.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import type { Position } from '../format/position.ts';
import { readTracesEndedIn, type StoredTrace } from './stored-traces.ts';
import { readTraceTransactions } from './traces.ts';
import { readPagesOfSeqnos } from './transaction-pages.ts';
import { type IndexedTransaction, type ListedTransaction, TransactionReader } from './transaction-reader.ts';

/** A transaction of a seqno, without what its cells tell. */
export interface SeqnoTransaction extends ListedTransaction {
  /** Its place among those of its seqno. */
  readonly rank: number;
}

/** Whose transactions are wanted. */
export interface WantedAccounts {
  readonly wantsAccount: (key: HashKey) => boolean;
  /** Finds out which of some accounts are wanted, before `wantsAccount` is asked. */
  readonly lookUp?: ((accounts: readonly Buffer[]) => Promise<void>) | undefined;
}

export interface EndedTrace extends StoredTrace {
  /** The place of its last transaction among those of its seqno. */
  readonly rank: number;
}

/** Reads the transactions and traces of some masterchain seqnos; each page is read once. */
export class SeqnoReader {
  readonly #reader: TransactionReader;
  readonly #seqnos: readonly number[];
  #listed: Promise<ReadonlyMap<Position, SeqnoTransaction>> | undefined;

  constructor(db: Db, seqnos: readonly number[]) {
    this.#reader = new TransactionReader(db);
    this.#seqnos = seqnos;
  }

  async transactions(): Promise<readonly SeqnoTransaction[]> {
    return [...(await this.#list()).values()];
  }

  #list(): Promise<ReadonlyMap<Position, SeqnoTransaction>> {
    this.#listed ??= this.#readList();
    return this.#listed;
  }

  async #readList(): Promise<ReadonlyMap<Position, SeqnoTransaction>> {
    const wanted = new Set(this.#seqnos);
    const pages = await readPagesOfSeqnos(this.#reader.db, this.#seqnos);
    const counts = new Map<number, number>();
    const listed = new Map<Position, SeqnoTransaction>();
    for (const one of this.#reader.listPages(pages)) {
      if (!wanted.has(one.mcSeqno)) continue;
      const rank = counts.get(one.mcSeqno) ?? 0;
      counts.set(one.mcSeqno, rank + 1);
      listed.set(one.at, { ...one, rank });
    }
    return listed;
  }

  async endedTraces(): Promise<readonly EndedTrace[]> {
    const traces = await readTracesEndedIn(this.#reader.db, this.#seqnos);
    const listed = await this.#list();
    return traces.map((trace) => ({ ...trace, rank: listed.get(trace.positions.at(-1)!)?.rank ?? 0 }));
  }

  /** Decodes transactions of the seqnos, with the states around them; those that were dropped are left out. */
  async decode(listed: readonly SeqnoTransaction[]) {
    const decoded = await this.#decodeAt(listed.map(({ at }) => at));
    return new Map(
      listed.flatMap((one) => {
        const transaction = decoded.get(one.at);
        return transaction === undefined ? [] : [[one, transaction] as const];
      }),
    );
  }

  async #decodeAt(positions: readonly Position[]): Promise<ReadonlyMap<Position, IndexedTransaction>> {
    const read = await this.#reader.read(positions);
    const complete = await this.#reader.complete([...read.values()]);
    return new Map(complete.map((one) => [one.at, one]));
  }

  /** Decodes those transactions of traces whose accounts are wanted; traces without any are left out. */
  async decodeOfAccounts<T extends StoredTrace>(
    traces: readonly T[],
    { wantsAccount, lookUp }: WantedAccounts,
  ): Promise<ReadonlyMap<T, readonly IndexedTransaction[]>> {
    const listed = await this.#list();
    // Transactions of earlier seqnos are on other pages.
    const missing = traces.flatMap(({ positions }) => positions).filter((at) => !listed.has(at));
    const others = await this.#reader.readAccounts(missing);
    const accountAt = (at: Position) => listed.get(at)?.account ?? others.get(at);
    await lookUp?.(traces.flatMap(({ positions }) => positions.flatMap((at) => accountAt(at) ?? [])));
    const isWanted = (at: Position) => {
      const account = accountAt(at);
      return account !== undefined && wantsAccount(bytesKey(account));
    };
    const wanted = traces
      .map((trace) => ({ trace, own: trace.positions.filter(isWanted) }))
      .filter(({ own }) => own.length > 0);
    const decoded = await this.#decodeAt(wanted.flatMap(({ own }) => own));
    return new Map(wanted.map(({ trace, own }) => [trace, own.flatMap((at) => decoded.get(at) ?? [])]));
  }

  /** Decodes the first transactions of traces; those that were dropped are left out. */
  async decodeFirst<T extends StoredTrace>(traces: readonly T[]) {
    const roots = await this.#reader.read(traces.map(({ positions }) => positions[0]!));
    return new Map(
      traces.flatMap((trace) => {
        const root = roots.get(trace.positions[0]!);
        return root === undefined ? [] : [[trace, root] as const];
      }),
    );
  }

  /** Decodes all transactions of a trace in the order of lt and account. */
  decodeTrace(trace: StoredTrace): Promise<readonly IndexedTransaction[]> {
    return readTraceTransactions(this.#reader, trace);
  }
}
