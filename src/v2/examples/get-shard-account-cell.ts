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
        'te6cckEBAgEAZAABUILQ8mYFDTWGS0C93QPSQzJwXEw1Igahl9EIGO951s5QAAAAAAB6Eg4BAG3ADpix9r1hjTY/aZqG1maKppAwqgAj7LJUKJ3N+2lN7a4CAlvDV8uR4AAAAAAB6Eg9ejUpRAAE/l05DQ==',
    },
  },
] as const;
