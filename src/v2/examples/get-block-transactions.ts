/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getBlockTransactionsExamples = [
  {
    title: 'two of a block',
    params: {
      workchain: 0,
      shard: '-9223372036854775808',
      seqno: 3,
      count: 2,
    },
    varies: true,
    result: {
      '@type': 'blocks.transactions',
      id: {
        '@type': 'ton.blockIdExt',
        workchain: 0,
        shard: '-9223372036854775808',
        seqno: 3,
        root_hash: '8XG12bruYX4qmG2cAYfoKcQDP0vVNVMRaDQBn8MvLBU=',
        file_hash: 'T6jy8pFsfyRyRuh0JG95s7VM2A+yuPycGltHJH1kO0Y=',
      },
      req_count: 2,
      incomplete: false,
      transactions: [
        {
          '@type': 'blocks.shortTxId',
          mode: 135,
          account: '0:b33cbfca69775accc459f96c23e0055bdf3b7df994360a09018451bd162525c3',
          lt: '6000001',
          hash: 'Iy0tPuloSHTNQnwu7kFoJWXIZhinb3tNiZQa26TjtTE=',
        },
      ],
    },
  },
] as const;
