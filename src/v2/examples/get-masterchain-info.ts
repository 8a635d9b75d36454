/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getMasterchainInfoExamples = [
  {
    title: 'the newest block',
    params: {},
    varies: true,
    result: {
      '@type': 'blocks.masterchainInfo',
      last: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 10,
        root_hash: 'wxyxIxmZpzrnWcCW/JIA2PwZWz8CO5liU4htpPXvtoo=',
        file_hash: 'XV3YtQ5im6+HoLqBnRJuoBweWjJ+i0hb4fYATOx8/3A=',
      },
      state_root_hash: 'XgKgDruhlzkl8hTVffWfCgOUft042zxGNBQ03k13X3k=',
      init: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '0',
        seqno: 0,
        root_hash: 'fCxGSCBUit0rdXswapi4mHiqpNiglFNGVSw1pe07PAo=',
        file_hash: 'KJKOGHYzyVJjVCE4lR+uBuDQgRBZfJlK2tZCHdNlhgM=',
      },
    },
  },
] as const;
