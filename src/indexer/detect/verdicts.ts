import type { ContractTable } from '../../db/contract-tables.ts';
import type { ContractColumns } from './detector.ts';

/** A contract that was recognised, in its newest state. */
export interface FoundContract {
  readonly table: ContractTable;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  readonly codeHash: Buffer;
  readonly dataHash: Buffer;
  readonly columns: ContractColumns;
}

/** What came out about the accounts of a batch. An account is in `undetected` or it was judged as a whole. */
export interface Verdicts {
  readonly found: readonly FoundContract[];
  /** Accounts that are none of a kind, where they may have been one before. */
  readonly withdrawn: ReadonlyMap<ContractTable, readonly Buffer[]>;
  /** Accounts that could not be judged now, by `keyOf`. */
  readonly undetected: ReadonlySet<string>;
  /** Collections that turned out to be zones of domains: items that were judged before may be domains. */
  readonly freshZones?: readonly Buffer[];
}
