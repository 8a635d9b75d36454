import type { AccountStatus } from '../chain/tlb/transaction-status.ts';
import type { BigInteger, BigIntegers, Decimal, ExtraCurrencies } from './column-types.ts';

/** A state that no indexed transaction made. */
export interface AccountStatesTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly balance: Decimal;
  readonly balance_extra: ExtraCurrencies | null;
  readonly status: AccountStatus;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
}

/** The newest known state of an account. */
export interface LatestAccountStatesTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly status: AccountStatus;
  readonly balance: Decimal;
  readonly balance_extra: ExtraCurrencies | null;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly last_trans_lt: BigInteger;
  readonly last_trans_hash: Buffer;
  readonly timestamp: BigInteger;
  readonly mc_seqno: number;
}

/** A code and the ids of its get-methods; null when it has no dictionary of methods. */
export interface ContractCodesTable {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly methods: BigIntegers | null;
}

/** The data of the newest known state of an account. */
export interface AccountDataTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly boc: Buffer;
}
