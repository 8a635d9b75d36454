import type { Insertable } from 'kysely';
import type { ContractTable, ContractTables } from '../../db/tables/contract-tables.ts';

/** A detected interface of a contract in its newest state. */
export interface FoundContract {
  readonly table: ContractTable;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  readonly codeHash: Buffer;
  readonly dataHash: Buffer;
  readonly columns: ContractColumns;
}

/** The result for the accounts of a batch. An account is either in `undetected`, or all detectors have run on it. */
export interface DetectionResult {
  readonly found: readonly FoundContract[];
  /** Accounts that do not have an interface which they may have had before, by table. */
  readonly withdrawn: ReadonlyMap<ContractTable, readonly Buffer[]>;
  /** Accounts that could not be detected now, by `keyOf`. */
  readonly undetected: ReadonlySet<string>;
  /** Newly found DNS zone collections: their items that were detected before may be domains. */
  readonly freshZones?: readonly Buffer[];
}

/** The columns of a contract table apart from the account state. */
export type ContractColumns<Table extends ContractTable = ContractTable> = {
  [Name in Table]: Omit<
    Insertable<ContractTables[Name]>,
    'account' | 'id' | 'last_transaction_lt' | 'code_hash' | 'data_hash'
  >;
}[Table];
