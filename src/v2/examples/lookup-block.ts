/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const lookupBlockExamples = [
  {
    title: 'by its number',
    params: {
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 1,
    },
    varies: true,
    result: {
      '@type': 'ton.blockIdExt',
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 1,
      root_hash: 'rYdVyfvuXjsSSfgv00VISBj5GZvfZJrzBMfoi3MFEck=',
      file_hash: 'O7E5T2An6EAa7NFjnbjJhvdGRIKGOfnbUyMi+siHcKQ=',
    },
  },
] as const;
