import type { AccountChange, DecodedSeqno, StateSummary } from '../decode/decoded-seqno.ts';
import type { Verdicts } from '../detect/verdicts.ts';

/** The newest state of an account that a batch brings. */
export interface AccountUpdate {
  readonly change: AccountChange;
  /** All of its data, to be kept; undefined when there is none, it is kept already, or parts are not known. */
  readonly data: Buffer | undefined;
  /** Whether code or data must still be asked for. */
  readonly isMissing: boolean;
}

/** A state that no transaction of the index made. */
export interface EarlierState extends StateSummary {
  readonly account: Buffer;
}

/** Masterchain seqnos that follow each other and are written together. */
export interface WriteBatch {
  readonly seqnos: readonly DecodedSeqno[];
  /** One an account. */
  readonly latest: readonly AccountUpdate[];
  readonly earlier: readonly EarlierState[];
  /** What the accounts are in their newest states; left out where nobody wants to know. */
  readonly verdicts?: Verdicts | undefined;
}
