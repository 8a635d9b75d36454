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
            root_hash: 'CPnvIKzKtYAYst5s2TdVt67kqOvtyGUQeECPwIJIcSY=',
            file_hash: 'bNwTaCiCpHnQ7dykGD+z/WUAUc3EdtHt4HOPzcV3dFs=',
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
            root_hash: 'QVnSbQmit9ayHTj7iT2oZwJpZXkquMeKGdnNAIgAkWU=',
            file_hash: 'ItggKLo1a7DvB0AXm9Zlti53xMqAJ79aJjWU+yltB9g=',
          },
          size: 0,
        },
      ],
      ext_msg_queue_size_limit: 8000,
    },
  },
] as const;
