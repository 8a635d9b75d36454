/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getShardBlockProofExamples = [
  {
    title: 'a masterchain block from itself',
    params: {
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 2,
      from_seqno: 2,
    },
    varies: true,
    result: {
      '@type': 'blocks.shardBlockProof',
      from: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: 'LWfk9r7TJiQk5nnfETKqwx7Q4DSZwuT9P9dxx1ZS8ko=',
        file_hash: 'sTlFSrzTMaZVdjOBbEAQO0nfe5BSbExUkcZUMoa3Lc4=',
      },
      mc_id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: 'LWfk9r7TJiQk5nnfETKqwx7Q4DSZwuT9P9dxx1ZS8ko=',
        file_hash: 'sTlFSrzTMaZVdjOBbEAQO0nfe5BSbExUkcZUMoa3Lc4=',
      },
      links: [],
      mc_proof: [],
    },
  },
] as const;
