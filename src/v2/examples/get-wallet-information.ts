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
      balance: '1005527570396',
      account_state: 'active',
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000001',
        hash: 'J50W4E7MaULCbP+ZwxRQ6WVj6mLFol4wyb7vyYmGbTI=',
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
      balance: '1283795997',
      account_state: 'active',
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '16000005',
        hash: 'RsqfXfWxB4XmY4/kNt6yOBAF3msKQWRHod92BBV3gZc=',
      },
    },
  },
] as const;
