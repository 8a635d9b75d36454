/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getAddressBalanceExamples = [
  {
    title: 'a wallet',
    params: {
      address: 'EQCzPL_KaXdazMRZ-Wwj4AVb3zt9-ZQ2CgkBhFG9FiUlw_Xu',
    },
    varies: true,
    result: '1005527570397',
  },
] as const;
