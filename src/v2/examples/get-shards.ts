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
          root_hash: '1ZtCY2Tli3LWBmK2Q946hYirXdrI4Ep1iUrvMc0lfw0=',
          file_hash: 'dL42LoX0ORsMn0pICkpJc52SQZ3mld9MkTBb+ikjZMw=',
        },
      ],
    },
  },
] as const;
