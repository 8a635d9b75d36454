/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendBocReturnHashExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      boc: 'te6cckEBAgEAsgAB34gBu+uLD6QZj2ACBzBWQXKToBZBqtZHYe4dffym/NUwXdYGPy/i60b4WFEHybpVBWOxuUN24ibZvVQUBuem6F66KVKEHeCnHIVmAhRCJ3cxGAXIV8Nf/AMTy1/dBn3QONqgQU1NGL////74AAAAGBwBAHpCAEvWuUT4wn5in+gpbsy5GQo+4+ibFm/wPVbisuY8T6tVoC+vCAAAAAAAAAAAAAAAAAAAAAAAAEhlbGxvQwovIw==',
    },
    varies: true,
    result: {
      '@type': 'raw.extMessageInfo',
      hash: '/TUAUaqzaS0Ih/lEFc+1AtY2NvtCTCLcDhFn1oDJ5TY=',
      hash_norm: 'rLGH0j5Vp7TbxoCQnh8/arqzUCQuvr8mQP+2aa6NelQ=',
    },
  },
] as const;
