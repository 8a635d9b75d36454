/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getMasterchainBlockSignaturesExamples = [
  {
    title: 'a block',
    params: {
      seqno: 2,
    },
    varies: true,
    result: {
      '@type': 'blocks.blockSignatures.simplex',
      id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 2,
        root_hash: '0AaY5Irq9b+XZ6Cjxw3gBXORcfkvEY8DP3Gd8L0aMQc=',
        file_hash: 'mLjRdb0KUgzJkcpx1zrhSQ4k4vfu1v5dragYoTER8Fg=',
      },
      signatures: [
        {
          '@type': 'blocks.signature',
          node_id_short: 'y93uUdC0UVs/pCgYX/BzoKajXYzRyJaM51A6NAvaxBo=',
          signature:
            '6pE3DlAL4vjVRTmjBq8sMaQjHl94zCtaDN+BzZL4n2pvFi0FUMKVgs8d/bm3IFZftS60xKbrrNbvYpGVzn2UCQ==',
        },
      ],
      session_id: 'Aj1nGRRhqJIhARCVSmPVH3J8RSSZS8SXiHt5+y9Ovmc=',
      slot: 1,
      candidate:
        '3Lz56P////8AAAAAAAAAgAIAAADQBpjkiur1v5dnoKPHDeAFc5Fx+S8RjwM/cZ3wvRoxB5i40XW9ClIMyZHKcdc64UkOJOL37tb+Xa2oGKExEfBY47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFXxmksaP82RtgAAAADJs5UUC7jMLvnYRZ/X+ygxgwwFP31UBpHL5Hx6OtU2Ag==',
    },
  },
] as const;
