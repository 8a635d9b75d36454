/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendQueryExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      body: 'te6cckEBAgEAjwABmgOXcUO3eG5GEs60YQE15huWsHP1+yQfazEwNGvtDp8uW05c99J00M6MPnkRs5lgz5/MNZQqfK35Ic1DxIo76gMpqaMX////3AAAAAMDAQB6QgBL1rlE+MJ+Yp/oKW7MuRkKPuPomxZv8D1W4rLmPE+rVaAvrwgAAAAAAAAAAAAAAAAAAAAAAABIZWxsb3KorhE=',
    },
    varies: true,
    result: {
      '@type': 'ok',
    },
  },
] as const;
