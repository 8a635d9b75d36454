/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendQuerySimpleExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      body: {
        data: {
          b64: 'CzNeipNoWGmSKf55Q6/llGbeviaMWKRmXfkfv/7jCQ2bsoanS9EnZsc8EqNqBsK8lFxP9Dm5TLYkZ38BpdMJCSmpoxf////bAAAAAwM=',
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
      '@type': 'ok',
    },
  },
] as const;
