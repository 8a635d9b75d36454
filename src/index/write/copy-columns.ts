/** Columns of `blocks` in the order of its COPY rows. */
export const BLOCK_COLUMNS = [
  'mc_seqno',
  'workchain',
  'shard',
  'seqno',
  'root_hash',
  'file_hash',
  'gen_utime',
  'start_lt',
  'end_lt',
  'global_id',
  'version',
  'flags',
  'after_merge',
  'before_split',
  'after_split',
  'want_merge',
  'want_split',
  'key_block',
  'vert_seqno_incr',
  'validator_list_hash_short',
  'gen_catchain_seqno',
  'min_ref_mc_seqno',
  'prev_key_block_seqno',
  'vert_seqno',
  'master_ref_seqno',
  'rand_seed',
  'created_by',
  'tx_count',
  'prev_shards',
  'prev_seqnos',
] as const;

/** Columns of `shard_states` in the order of its COPY rows. */
export const SHARD_STATE_COLUMNS = ['mc_seqno', 'workchains', 'shards', 'seqnos'] as const;

/** Columns of `transactions` in the order of its COPY rows. */
export const TRANSACTION_COLUMNS = ['acc8', 'lt', 'hash8', 'in8', 'at', 'now', 'mc_seqno'] as const;

/** Columns of `tx_pages` in the order of its COPY rows. */
export const TX_PAGE_COLUMNS = ['page', 'last_seqno', 'count', 'traces', 'body'] as const;

/** Columns of `hash_places` in the order of its COPY rows. */
export const HASH_PLACE_COLUMNS = ['hash8', 'at', 'mc_seqno', 'kind'] as const;

/** Columns of `messages` in the order of its COPY rows. */
export const MESSAGE_COLUMNS = [
  'hash8',
  'src8',
  'dst8',
  'body8',
  'lt',
  'at',
  'created_at',
  'opcode',
  'mc_seqno',
  'ordinal',
] as const;
