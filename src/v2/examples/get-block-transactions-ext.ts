/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getBlockTransactionsExtExamples = [
  {
    title: 'one of a block',
    params: {
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 2,
      count: 1,
    },
    varies: true,
    result: {
      '@type': 'blocks.transactionsExt',
      id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: '0AaY5Irq9b+XZ6Cjxw3gBXORcfkvEY8DP3Gd8L0aMQc=',
        file_hash: 'mLjRdb0KUgzJkcpx1zrhSQ4k4vfu1v5dragYoTER8Fg=',
      },
      req_count: 1,
      incomplete: true,
      transactions: [
        {
          '@type': 'raw.transactionExt',
          account: '-1:3333333333333333333333333333333333333333333333333333333333333333',
          address: {
            '@type': 'accountAddress',
            account_address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
          },
          utime: 1794733773,
          data: 'te6cckECBgEAASwAA69zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzAAAAAAAtxsETD7RiEvmT6Vwz+wqKS4h2fwiO8MYTkjqpH5pnXmgJEwAAAAAAD0JCavl2zQABQIAQIDAAEgAIJyA8AX00e/GIsYr50UbqwplrURdAxpNAQDd5YYMerpYMcEYWcXPRPqne5Pmm8q1yGFyZdPlOJPRD0tZRWLZp4I8gIFIDAkBAUAoEAmsBCwdgAAAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFvAAAAAAAAAAAAAAAABLUUtpEnlC4z33SeGHxRhIq/htUa7i3D8ghbwxhQTn44EglhHGA==',
          transaction_id: {
            '@type': 'internal.transactionId',
            lt: '3000001',
            hash: 'RChsbGoZqiakh2gJug3v1Ve055Y9ERV0HyGhGxlGfBg=',
          },
          fee: '0',
          storage_fee: '0',
          other_fee: '0',
          out_msgs: [],
        },
      ],
    },
  },
] as const;
