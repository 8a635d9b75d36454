/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getConsensusBlockExamples = [
  {
    title: 'the newest block',
    params: {},
    varies: true,
    result: {
      '@type': 'ext.blocks.consensusBlock',
      consensus_block: 10,
      timestamp: 1794733783,
    },
  },
] as const;
