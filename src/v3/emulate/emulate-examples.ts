import { pendingTransaction } from '../pending/pending-examples.ts';

/** An emulation as examples show it. */
export const EMULATION_EXAMPLE = {
  mc_block_seqno: 41000000,
  trace: { tx_hash: pendingTransaction.hash, in_msg_hash: pendingTransaction.in_msg.hash, children: [] },
  transactions: { [`${pendingTransaction.hash}`]: pendingTransaction },
  rand_seed: 'dgTu3VcLHIC70qMzT4CXbIHWbTSvZKOVYWiPBsPfJ1k=',
  is_incomplete: false,
};
