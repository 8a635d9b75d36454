/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const runGetMethodStdExamples = [
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
      stack: [
        {
          '@type': 'tvm.stackEntryNumber',
          number: {
            '@type': 'tvm.numberDecimal',
            number: '3',
          },
        },
      ],
      exit_code: 0,
    },
  },
] as const;
