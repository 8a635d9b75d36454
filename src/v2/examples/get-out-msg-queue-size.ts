/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getOutMsgQueueSizeExamples = [
  {
    title: 'of all shards',
    params: {},
    varies: true,
    result: {
      '@type': 'blocks.outMsgQueueSizes',
      shards: [
        {
          '@type': 'blocks.outMsgQueueSize',
          id: {
            '@type': 'ton.blockIdExt',
            workchain: -1,
            shard: '-9223372036854775808',
            seqno: 10,
            root_hash: 'wxyxIxmZpzrnWcCW/JIA2PwZWz8CO5liU4htpPXvtoo=',
            file_hash: 'XV3YtQ5im6+HoLqBnRJuoBweWjJ+i0hb4fYATOx8/3A=',
          },
          size: 0,
        },
        {
          '@type': 'blocks.outMsgQueueSize',
          id: {
            '@type': 'ton.blockIdExt',
            workchain: 0,
            shard: '-9223372036854775808',
            seqno: 9,
            root_hash: 'Ry/dzFLAHp4vljtxEzfsjVwj1o+xPNHQUqi/YwhGzos=',
            file_hash: 'ljS3OTwnYICtItMlAqeK+NqPg9rWSDjUwTq8+O1dfoI=',
          },
          size: 0,
        },
      ],
      ext_msg_queue_size_limit: 8000,
    },
  },
] as const;
