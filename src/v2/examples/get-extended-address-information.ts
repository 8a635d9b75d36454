/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getExtendedAddressInformationExamples = [
  {
    title: 'a wallet',
    params: {
      address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
    },
    varies: true,
    result: {
      '@type': 'fullAccountState',
      address: {
        '@type': 'accountAddress',
        account_address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
      },
      balance: '999412079597',
      extra_currencies: [],
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000009',
        hash: 'nvHY7WPZUuRpICtO5mdwXYRnCG5F9PIktM3DWfGr9P4=',
      },
      block_id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 10,
        root_hash: 'wxyxIxmZpzrnWcCW/JIA2PwZWz8CO5liU4htpPXvtoo=',
        file_hash: 'XV3YtQ5im6+HoLqBnRJuoBweWjJ+i0hb4fYATOx8/3A=',
      },
      sync_utime: 1794733780,
      account_state: {
        '@type': 'wallet.v3.accountState',
        wallet_id: 698983191,
        seqno: 3,
      },
      revision: 2,
    },
  },
] as const;
