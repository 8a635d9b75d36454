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
        hash: 'NwB4fAczaJSy1DyA1jPAhiAW6ORQ4FoKLjJ6jLU+Vws=',
      },
      block_id: {
        '@type': 'ton.blockIdExt',
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 10,
        root_hash: 'CPnvIKzKtYAYst5s2TdVt67kqOvtyGUQeECPwIJIcSY=',
        file_hash: 'bNwTaCiCpHnQ7dykGD+z/WUAUc3EdtHt4HOPzcV3dFs=',
      },
      sync_utime: 1794732611,
      account_state: {
        '@type': 'wallet.v3.accountState',
        wallet_id: 698983191,
        seqno: 3,
      },
      revision: 2,
    },
  },
] as const;
