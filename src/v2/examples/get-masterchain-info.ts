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
        root_hash: 'CPnvIKzKtYAYst5s2TdVt67kqOvtyGUQeECPwIJIcSY=',
        file_hash: 'bNwTaCiCpHnQ7dykGD+z/WUAUc3EdtHt4HOPzcV3dFs=',
      },
      state_root_hash: 'xSVFVbas/0RNqFUe/vx21ggOMZ1NYhcc9e5K/Awzc8Q=',
      init: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '0',
        seqno: 0,
        root_hash: 'jCSg+gSS25z0LftNyao4ZyG7plisjTOaKN6VD29ockk=',
        file_hash: 'gpyrDeYpXZvC39BX2e9pjQLRtodNR7p9Dj7R56f4MvQ=',
      },
    },
  },
] as const;
