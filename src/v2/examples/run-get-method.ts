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
        root_hash: 'CPnvIKzKtYAYst5s2TdVt67kqOvtyGUQeECPwIJIcSY=',
        file_hash: 'bNwTaCiCpHnQ7dykGD+z/WUAUc3EdtHt4HOPzcV3dFs=',
      },
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000009',
        hash: 'NwB4fAczaJSy1DyA1jPAhiAW6ORQ4FoKLjJ6jLU+Vws=',
      },
    },
  },
] as const;
