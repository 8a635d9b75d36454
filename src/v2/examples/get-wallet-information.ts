/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getWalletInformationExamples = [
  {
    title: 'a wallet',
    params: {
      address: 'EQCzPL_KaXdazMRZ-Wwj4AVb3zt9-ZQ2CgkBhFG9FiUlw_Xu',
    },
    varies: true,
    result: {
      '@type': 'ext.accounts.walletInformation',
      wallet: true,
      balance: '1005527570397',
      account_state: 'active',
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000001',
        hash: '2PQq3W13l13+MrBqA4b+OIQ0PJ3oVAeDNc56+169gK0=',
      },
      wallet_type: 'wallet v5 r1',
      seqno: 3,
      wallet_id: 2147483409,
      is_signature_allowed: true,
    },
  },
  {
    title: 'not a wallet',
    params: {
      address: 'EQAU5lWOgJl0SFUL25qo0cnShTG15m7WINrBiGvl34dkhATw',
    },
    varies: true,
    result: {
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: '1283795998',
      account_state: 'active',
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000005',
        hash: '0gXI/+TUP+zhB/n9u747ccPlM7MjammY/u/rdzeTVsU=',
      },
    },
  },
] as const;
