import type { Insertable } from 'kysely';
import type { AccountId } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import type { ContractReader } from '../../chain/contracts/probe.ts';
import type { ContractTable, ContractTables } from '../../db/tables.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';

/** The newest state of an account, to be judged. */
export interface JudgedState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly balance: bigint;
  /** Undefined where the account has none. */
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  /** The data; undefined when it is the one that `account_data` has, or there is none. */
  readonly data: Buffer | undefined;
  /** Whether code or data are not known: it cannot be judged now. */
  readonly isMissing: boolean;
  /** Whether the account may have had another code, or another status, when it was last judged. */
  readonly isOther: boolean;
}

export interface JudgedBatch {
  /** One an account. */
  readonly states: readonly JudgedState[];
  /** Codes that the database may not have yet. */
  readonly codes: readonly ContractCode[];
  /** The masterchain block as of which other contracts and the configuration are read; the head if left out. */
  readonly block?: BlockId | undefined;
  /** Whether the batch has a block that may bring a new configuration. */
  readonly hasKeyBlock: boolean;
  /** Time for all of it: what is not judged by then is undetected. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Judges batch after batch of one range of seqnos; believes that all that it judged was written. */
export interface Judge {
  judge(batch: JudgedBatch): Promise<Verdicts>;
}

/** Finds out what contracts are. */
export interface Detection {
  /**
   * Begins to judge. `follows`: batches follow each other, and no other part of the index has newer states, so that
   * what was read of other contracts is good until they are in a batch.
   */
  open(options: { readonly follows: boolean }): Judge;
}

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
  detect(probe: ContractReader, known: KnownContracts): Promise<ContractColumns<Table>>;
}

/** What detection has done so far. */
export interface DetectionStats {
  /** Get-methods that were run. */
  readonly runs: number;
  /** Get-methods whose result was known. */
  readonly hits: number;
  /** Accounts that were judged. */
  readonly judged: number;
  /** Questions to lite servers. */
  readonly asked: number;
  /** Time in which batches were judged; those of several ranges at once count each. */
  readonly busyMs: number;
}

/** The same while it is counted. */
export type MutableDetectionStats = { -readonly [Name in keyof DetectionStats]: number };
