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
        root_hash: '0AaY5Irq9b+XZ6Cjxw3gBXORcfkvEY8DP3Gd8L0aMQc=',
        file_hash: 'mLjRdb0KUgzJkcpx1zrhSQ4k4vfu1v5dragYoTER8Fg=',
      },
      mc_id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: '0AaY5Irq9b+XZ6Cjxw3gBXORcfkvEY8DP3Gd8L0aMQc=',
        file_hash: 'mLjRdb0KUgzJkcpx1zrhSQ4k4vfu1v5dragYoTER8Fg=',
      },
      links: [],
      mc_proof: [],
    },
  },
] as const;
