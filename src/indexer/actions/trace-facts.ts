import type { Interfaces } from './interfaces.ts';

/** The states of an account as transactions name them. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

/** A message of a trace. Addresses are raw with upper-case digits, hashes base64. */
export interface MessageFacts {
  readonly hash: string;
  /** Null for one from outside the chain. */
  readonly source: string | null;
  /** Null for one that leaves the chain. */
  readonly destination: string | null;
  readonly value: bigint | null;
  /** Amounts by the decimal number of the currency. */
  readonly extraCurrencies: Readonly<Record<string, string>>;
  readonly createdLt: bigint | null;
  readonly createdAt: number | null;
  /** The first 32 bits of the body, unsigned; null when it has fewer. */
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  /** A bag of cells; undefined when the index does not have it. */
  readonly body: Buffer | undefined;
  /** The state init as a bag of cells. */
  readonly init: Buffer | undefined;
}

/** A transaction of a trace. */
export interface TransactionFacts {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  readonly tickTock: boolean;
  readonly aborted: boolean;
  /** Why the contract did not run: `no_state`, `bad_state`, `no_gas` or `suspended`. */
  readonly skippedReason: string | null;
  readonly exitCode: number | null;
  readonly inMessage: MessageFacts | undefined;
  /** In the order in which they were sent. */
  readonly outMessages: readonly MessageFacts[];
}

/** A complete trace: all that a classification reads of the chain itself. */
export interface TraceFacts {
  readonly traceId: string;
  readonly externalHash: string | null;
  readonly externalHashNorm: string | null;
  readonly mcSeqnoEnd: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly startUtime: number;
  readonly endUtime: number;
  readonly transactions: readonly TransactionFacts[];
}

/** What a classification is made of. */
export interface ClassifierInput {
  readonly trace: TraceFacts;
  readonly interfaces: Interfaces;
}
