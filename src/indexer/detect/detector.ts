import type { Insertable } from 'kysely';
import type { Probe } from '../../chain/contracts/probe.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ContractTable, ContractTables } from '../../db/contract-tables.ts';

/** What a table of contracts has of a contract beside its state. */
export type ContractColumns<Table extends ContractTable = ContractTable> = {
  [Name in Table]: Omit<
    Insertable<ContractTables[Name]>,
    'account' | 'id' | 'last_transaction_lt' | 'code_hash' | 'data_hash'
  >;
}[Table];

/** A zone of domains: the collection whose items are names in it. */
export interface DnsZone {
  readonly zone: 'ton' | 't.me';
  readonly collection: AccountId;
}

/** Contracts of the network that detectors go by. */
export interface KnownContracts {
  readonly zones: readonly DnsZone[];
  /** Of DeDust; undefined where there is none. */
  readonly poolFactory: AccountId | undefined;
}

/** Recognises one kind of contract. */
export interface Detector<Table extends ContractTable = ContractTable> {
  readonly table: Table;
  /** Get-methods that a code must have for it; each is enough where there are several lists. */
  readonly methods: readonly (readonly string[])[];
  /** Hashes of codes in hex, where only these are it. */
  readonly codes?: ReadonlySet<string>;
  /** Reads the contract as one of the kind; throws NotThat when it is none. */
  detect(probe: Probe, known: KnownContracts): Promise<ContractColumns<Table>>;
}
