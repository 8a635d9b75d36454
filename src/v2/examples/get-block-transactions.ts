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
        root_hash: 'gi+EUaH1hpEciX5v4xYzykr0Q1hi9lLaeUHoRWVaCm8=',
        file_hash: '+G0n6Yr/Um0d8jGrxf/AJZUMVZIBKUSr2Qruv9lkQtM=',
      },
      req_count: 2,
      incomplete: false,
      transactions: [
        {
          '@type': 'blocks.shortTxId',
          mode: 135,
          account: '0:b33cbfca69775accc459f96c23e0055bdf3b7df994360a09018451bd162525c3',
          lt: '6000001',
          hash: 'GvcxlxzMehNCgfqTyPa4Cs8P8qWb/hZmPAsLaFHcQa4=',
        },
      ],
    },
  },
] as const;
