/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendCellSimpleExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      cell: {
        data: {
          b64: 'iAG764sPpBmPYAIHMFZBcpOgFkGq1kdh7h19/Kb81TBd1gFUW/qLNh/9JB0Q2EEsAz1VG6MJLSJ4Z7DcJENzwUjNVClRMV3NtbMB3O2+1ZFM7M7TPTADhVVQhwgpq8/anjhxTU0Yv////tAAAAAYGA==',
          len: 893,
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
