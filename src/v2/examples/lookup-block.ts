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
      root_hash: 'kSLxQMpBilyH/D90YYLHegwflW5ZIx1nx5vsndAJSn4=',
      file_hash: '3NBCPmDx9KftrFMqdfk4tIUy+FgD0yXn7j75q+r/suY=',
    },
  },
] as const;
