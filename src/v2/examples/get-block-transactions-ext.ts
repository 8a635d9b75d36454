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
        root_hash: 'LWfk9r7TJiQk5nnfETKqwx7Q4DSZwuT9P9dxx1ZS8ko=',
        file_hash: 'sTlFSrzTMaZVdjOBbEAQO0nfe5BSbExUkcZUMoa3Lc4=',
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
          utime: 1794732602,
          data: 'te6cckECBgEAASwAA69zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzAAAAAAAtxsHzRtSv62zT9RXqco99cbfwCRGH3dTocqQWlMc3dfiTDwAAAAAAD0JCavlyOgABQIAQIDAAEgAIJyA8AX00e/GIsYr50UbqwplrURdAxpNAQDd5YYMerpYMcEYWcXPRPqne5Pmm8q1yGFyZdPlOJPRD0tZRWLZp4I8gIFIDAkBAUAoEAmsBCwdgAAAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFvAAAAAAAAAAAAAAAABLUUtpEnlC4z33SeGHxRhIq/htUa7i3D8ghbwxhQTn44EQUVL7w==',
          transaction_id: {
            '@type': 'internal.transactionId',
            lt: '3000001',
            hash: 'W7i8bi9nHSF205jYbuHYc6BxuNf7uPe/3Sy+j7TZhwA=',
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
