/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getBlockHeaderExamples = [
  {
    title: 'a masterchain block',
    params: {
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 2,
    },
    varies: true,
    result: {
      '@type': 'blocks.header',
      id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: '0AaY5Irq9b+XZ6Cjxw3gBXORcfkvEY8DP3Gd8L0aMQc=',
        file_hash: 'mLjRdb0KUgzJkcpx1zrhSQ4k4vfu1v5dragYoTER8Fg=',
      },
      global_id: -4242,
      version: 0,
      after_merge: false,
      after_split: false,
      before_split: false,
      want_merge: false,
      want_split: false,
      validator_list_hash_short: -1706933406,
      catchain_seqno: 0,
      min_ref_mc_seqno: 1,
      is_key_block: false,
      prev_key_block_seqno: 0,
      start_lt: '3000000',
      end_lt: '3000004',
      gen_utime: 1794733773,
      prev_blocks: [
        {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '-9223372036854775808',
          seqno: 1,
          root_hash: 'rYdVyfvuXjsSSfgv00VISBj5GZvfZJrzBMfoi3MFEck=',
          file_hash: 'O7E5T2An6EAa7NFjnbjJhvdGRIKGOfnbUyMi+siHcKQ=',
        },
      ],
    },
  },
] as const;
