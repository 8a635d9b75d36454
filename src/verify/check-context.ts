import type { Db } from '../db/tables/tables.ts';
import type { ShardAccount } from './chain-block.ts';
import { type ChainReader, type ChainSeqno, isMissing } from './chain-reader.ts';
import type { BlockId } from './core-readers.ts';
import type { Findings } from './differences.ts';
import type { KnownPlace, PlacedTransaction } from './expected-rows.ts';

/** Bands that are counted, however long the range is. */
const MAX_BANDS = 50_000;

/**
 * Counts the rows that were compared, in bands of seqnos. The tables have no index by seqno, so rows with wrong keys are
 * never met; one scan at the end tells where there are more rows than were met.
 */
export class SeenRows {
  readonly from: number;
  readonly to: number;
  /** Seqnos per band. */
  readonly width: number;
  readonly #counts = new Map<string, Map<number, number>>();

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
    this.width = Math.ceil((to - from + 1) / MAX_BANDS);
  }

  add(table: string, mcSeqno: number, rows: number): void {
    const bands = this.#counts.get(table) ?? new Map<number, number>();
    this.#counts.set(table, bands);
    const band = Math.floor((mcSeqno - this.from) / this.width);
    bands.set(band, (bands.get(band) ?? 0) + rows);
  }

  count(table: string, band: number): number {
    return this.#counts.get(table)?.get(band) ?? 0;
  }
}

/** What all checks of a range share. */
export interface CheckContext {
  readonly db: Db;
  readonly findings: Findings;
  readonly seen: SeenRows;
  readonly chain: ChainReader;
  /** The last indexed masterchain block. */
  readonly last: BlockId;
  /** Seqnos per partition of the index. */
  readonly width: number;
}

/** The same with one seqno as the chain has it. */
export interface SeqnoContext extends CheckContext, ChainSeqno {
  readonly placed: readonly (PlacedTransaction & KnownPlace)[];
}

/** Reads an account. Where lite servers no longer have the state of the block, it counts as skipped for a reason. */
export async function accountAt(
  { chain, findings }: Pick<CheckContext, 'chain' | 'findings'>,
  block: BlockId,
  account: Buffer,
  reason: string,
): Promise<ShardAccount | undefined | 'missing'> {
  try {
    return await chain.account(block, account);
  } catch (error) {
    if (!isMissing(error)) throw error;
    findings.skip(reason);
    return 'missing';
  }
}
