import type { BlockJson } from './block.ts';

const ID = { workchain: -1, shard: '8000000000000000' };

/** A block as examples show it. */
export const EXAMPLE_BLOCK: BlockJson = {
  ...ID,
  seqno: 2,
  root_hash: 'FmSJVsSp0kYZ0cVK0p7cX1HR8WuGlLRlXpLQ2yIvUsk=',
  file_hash: 'wOSYw4d4bO2gZ0mGnuyvVqGCd3rNhnrzXGTNWCp5QJ4=',
  global_id: -217,
  version: 0,
  after_merge: false,
  before_split: false,
  after_split: false,
  want_merge: false,
  want_split: false,
  key_block: false,
  vert_seqno_incr: false,
  flags: 1,
  gen_utime: '1730000000',
  start_lt: '4000000',
  end_lt: '4000004',
  validator_list_hash_short: -1480281405,
  gen_catchain_seqno: 0,
  min_ref_mc_seqno: 1,
  prev_key_block_seqno: 0,
  vert_seqno: 0,
  master_ref_seqno: 0,
  rand_seed: 'vvOyXkWhMRXAU7ljCkGFGVyQhNmpQGhWvCcSpIe1jpk=',
  created_by: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  tx_count: 3,
  masterchain_block_ref: { ...ID, seqno: 2 },
  prev_blocks: [{ ...ID, seqno: 1 }],
};
