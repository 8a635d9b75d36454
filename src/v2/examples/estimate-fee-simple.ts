/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const estimateFeeSimpleExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      body: {
        data: {
          b64: 'dJlbkpyRuGJb1k36y4EzAMCj/LYhlWKRj9itNU4bWc2J2JnzPLLiZJnL/zw+s9FFnw3pjOeXQz/pdJca5NliCimpoxf/////AAAAAwM=',
          len: 616,
        },
        refs: [
          {
            data: {
              b64: 'QgBL1rlE+MJ+Yp/oKW7MuRkKPuPomxZv8D1W4rLmPE+rVaAvrwgAAAAAAAAAAAAAAAAAAAAAAABIZWxsbw==',
              len: 488,
            },
            refs: [],
            special: false,
          },
        ],
        special: false,
      },
    },
    varies: true,
    result: {
      '@type': 'query.fees',
      source_fees: {
        '@type': 'fees',
        in_fwd_fee: 635200,
        storage_fee: 0,
        gas_fee: 1197600,
        fwd_fee: 400000,
      },
      destination_fees: [],
    },
  },
] as const;
