/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const runGetMethodExamples = [
  {
    title: 'the number of a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      method: 'seqno',
      stack: [],
    },
    varies: true,
    result: {
      '@type': 'smc.runResult',
      gas_used: 549,
      stack: [['num', '0x3']],
      exit_code: 0,
      block_id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 10,
        root_hash: 'wxyxIxmZpzrnWcCW/JIA2PwZWz8CO5liU4htpPXvtoo=',
        file_hash: 'XV3YtQ5im6+HoLqBnRJuoBweWjJ+i0hb4fYATOx8/3A=',
      },
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000009',
        hash: 'nvHY7WPZUuRpICtO5mdwXYRnCG5F9PIktM3DWfGr9P4=',
      },
    },
  },
] as const;
