/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getConfigParamExamples = [
  {
    title: 'prices of storage',
    params: {
      param: 18,
    },
    varies: true,
    result: {
      '@type': 'configInfo',
      config: {
        '@type': 'tvm.cell',
        bytes: 'te6cckEBAQEAKQAATdBmAAAAAAAAAAAAAAAAgAAAAAAAAPoAAAAAAAAB9AAAAAAAA9CQQJVLVZs=',
      },
    },
  },
  {
    title: 'by the old name',
    params: {
      config_id: 15,
    },
    varies: true,
    result: {
      '@type': 'configInfo',
      config: {
        '@type': 'tvm.cell',
        bytes: 'te6cckEBAQEAEgAAIAABAAAAAIAAAAAgAAAAgAAP3PIs',
      },
    },
  },
] as const;
