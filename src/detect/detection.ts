import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import type { ContractCode } from '../chain/contracts/account-cells.ts';
import type { ContractReader } from '../chain/contracts/probe.ts';
import type { ContractTable } from '../db/tables/contract-tables.ts';
import type { ContractColumns, DetectionResult } from '../index/write/write-contracts.ts';

/** The newest state of an account, as input of detection. */
export interface DetectionState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly balance: bigint;
  /** Undefined where the account has none. */
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  /** The data; undefined when `account_data` has it already, or there is none. */
  readonly data: Buffer | undefined;
  /** Whether code or data are unknown, so that detection must wait. */
  readonly isMissing: boolean;
  /** Whether the account may have had another code or status at its last detection. */
  readonly mayHaveChangedCode: boolean;
}

export interface DetectionBatch {
  readonly states: readonly DetectionState[];
  /** Codes that may not be in the database yet. */
  readonly codes: readonly ContractCode[];
  /** The masterchain block at which other contracts and the configuration are read; the head if left out. */
  readonly block?: BlockId | undefined;
  /** Whether the batch has a key block, which may change the configuration. */
  readonly hasKeyBlock: boolean;
  /** Time limit for the batch: accounts that are not reached by then are undetected. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs detection on the batches of one range of seqnos; assumes that every result was written. */
export interface DetectionSession {
  detect(batch: DetectionBatch): Promise<DetectionResult>;
}

/** Detects the interfaces of contracts. */
export interface Detection {
  /**
   * Opens a session. `follows`: batches are consecutive and no other part of the index has newer states, so other
   * contracts can be cached until they appear in a batch. `inBulk`: only that all accounts are detected soon counts, not when
   * each of them is.
   */
  open(options: { readonly follows: boolean; readonly inBulk?: boolean }): DetectionSession;
  /** Whether a contract with a code may have an interface; without one there is nothing to detect. */
  mayFind(code: ContractCode): boolean;
}

/** A DNS zone: the collection whose items are its domains. */
export interface DnsZone {
  readonly zone: 'ton' | 't.me';
  readonly collection: AccountId;
}

/** Well-known contracts of the network that detectors rely on. */
export interface KnownContracts {
  readonly zones: readonly DnsZone[];
  /** The DeDust factory; undefined where there is none. */
  readonly poolFactory: AccountId | undefined;
}

export interface Detector<Table extends ContractTable = ContractTable> {
  readonly table: Table;
  /** Lists of required get-methods; one complete list is enough. */
  readonly methods: readonly (readonly string[])[];
  /** Hex code hashes, for interfaces with a fixed set of codes. */
  readonly codes?: ReadonlySet<string>;
  /** Reads the contract; throws InterfaceMismatch when it does not have the interface. */
  detect(probe: ContractReader, known: KnownContracts): Promise<ContractColumns<Table>>;
}

export interface DetectionStats {
  readonly runs: number;
  /** Get-method results served from the cache. */
  readonly hits: number;
  /** Accounts on which detection was completed. */
  readonly accounts: number;
  /** Queries to lite servers. */
  readonly queries: number;
  /** Time spent on batches; concurrent ranges each count. */
  readonly busyMs: number;
}

/** Mutable form of DetectionStats. */
export type MutableDetectionStats = { -readonly [Name in keyof DetectionStats]: number };
