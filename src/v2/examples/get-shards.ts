/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getShardsExamples = [
  {
    title: 'of a masterchain block',
    params: {
      seqno: 2,
    },
    varies: true,
    result: {
      '@type': 'blocks.shards',
      shards: [
        {
          '@type': 'ton.blockIdExt',
          workchain: 0,
          shard: '-9223372036854775808',
          seqno: 1,
          root_hash: 'UcY3INCZ4H97Hd2l4Ag0HLlceYSZl6mvxOzLCPyj85U=',
          file_hash: 'icPW+XjzEogReplsVd6pBf8XAOknUioy2y75qYiQ9m4=',
        },
      ],
    },
  },
] as const;
