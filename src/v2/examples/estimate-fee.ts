/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const estimateFeeExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      body: 'te6cckEBAgEAjwABmnSZW5KckbhiW9ZN+suBMwDAo/y2IZVikY/YrTVOG1nNidiZ8zyy4mSZy/88PrPRRZ8N6Yznl0M/6XSXGuTZYgopqaMX/////wAAAAMDAQB6QgBL1rlE+MJ+Yp/oKW7MuRkKPuPomxZv8D1W4rLmPE+rVaAvrwgAAAAAAAAAAAAAAAAAAAAAAABIZWxsb8spNGA=',
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
