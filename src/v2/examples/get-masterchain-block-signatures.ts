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
        root_hash: 'LWfk9r7TJiQk5nnfETKqwx7Q4DSZwuT9P9dxx1ZS8ko=',
        file_hash: 'sTlFSrzTMaZVdjOBbEAQO0nfe5BSbExUkcZUMoa3Lc4=',
      },
      signatures: [
        {
          '@type': 'blocks.signature',
          node_id_short: 'y93uUdC0UVs/pCgYX/BzoKajXYzRyJaM51A6NAvaxBo=',
          signature:
            'ANQWaVZdX64ynC1A+jnZlSk3BGWvyLAwxaEOYpqwXjyx9BiBj0eC8CW2IpUGC90mbCEqODMXQpla0ysHEE4WCw==',
        },
      ],
      session_id: 'Aj1nGRRhqJIhARCVSmPVH3J8RSSZS8SXiHt5+y9Ovmc=',
      slot: 1,
      candidate:
        '3Lz56P////8AAAAAAAAAgAIAAAAtZ+T2vtMmJCTmed8RMqrDHtDgNJnC5P0/13HHVlLySrE5RUq80zGmVXYzgWxAEDtJ33uQUmxMVJHGVDKGty3O47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFXxmksaP82RtgAAAADBSVvaXr3YaYpcNcVRnnaSPDK+N8QT3lySKPdqUyC6Ng==',
    },
  },
] as const;
