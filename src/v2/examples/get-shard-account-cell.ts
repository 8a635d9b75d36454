/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getShardAccountCellExamples = [
  {
    title: 'an account without a contract',
    params: {
      address: 'EQDpix9r1hjTY_aZqG1maKppAwqgAj7LJUKJ3N-2lN7a4Mx6',
    },
    varies: true,
    result: {
      '@type': 'tvm.cell',
      bytes:
        'te6cckEBAgEAZAABUD76w+Rj6xsNnLzAINJT/OIAwaH4YU3RkgUkHDdrdG24AAAAAAB6Eg4BAG3ADpix9r1hjTY/aZqG1maKppAwqgAj7LJUKJ3N+2lN7a4CAlvDV8u2cAAAAAAB6Eg9ejUpRAAEd2n44w==',
    },
  },
] as const;
