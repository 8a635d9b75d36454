/** A range of masterchain seqnos that one process works on, in order. */
export interface Claim {
  readonly firstSeqno: number;
  /** Undefined for the range that grows with the chain. */
  readonly lastSeqno: number | undefined;
  /** The last seqno that is written; one less than the first at the beginning. Kept up by whoever writes. */
  doneSeqno: number;
  readonly owner: string;
}
