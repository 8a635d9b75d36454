/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const tryLocateTxExamples = [
  {
    title: 'the message of a wallet',
    params: {
      source: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
      destination: 'EQDaJHyKvTwupP5ELpN-O8iGvgq55Uh2i4UEs_V6QSNi2FSm',
      created_lt: '14000002',
    },
    varies: true,
    result: {
      '@type': 'ext.transaction',
      account: '0:DA247C8ABD3C2EA4FE442E937E3BC886BE0AB9E548768B8504B3F57A412362D8',
      address: {
        '@type': 'accountAddress',
        account_address: 'EQDaJHyKvTwupP5ELpN-O8iGvgq55Uh2i4UEs_V6QSNi2FSm',
      },
      utime: 1794733778,
      data: 'te6cckECBwEAAZ8AA7V9okfIq9PC6k/kQuk347yIa+CrnlSHaLhQSz9XpBI2LYAAAAAADVn4O5VDdb5t0grYnt7ls7AO2v81MKrZCT3DoLgeg5a5ME+QAAAAAAehIVavl20gABRiXXgoAQIDAQGgBACCcknwjmmOXp9rWdhuC2JiLOImJ1giZhs4HMwLKbdOMeC77id62MDeGSQDhIWNEMstvGDwHRoZoFQIuBlAU7N19xUCFwRASQdzWUAYYl14GQUGAMloAefLkhNB0r6xTAVenfbFtsO4+YgJqL9367cOG09aR49/ADaJHyKvTwupP5ELpN+O8iGvgq55Uh2i4UEs/V6QSNi2EHc1lAAGCCNaAAAAAAGrPwTV8u2kODkAAYAAAAAAAAAAQACeQYOMPQkAAAAAAAAAAAA0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABbYAAAAJQAAgAAAAAAACkbLK58dKoiK9mWBhZ9lK3BmK9QefA5hv4eKHQo7zRyBJxXm6g=',
      transaction_id: {
        '@type': 'internal.transactionId',
        lt: '14000003',
        hash: 'ewh5O7yVHbCpvzsogTx32Yfr5p1ES96zAe8ft+4sqLg=',
      },
      fee: '1240001',
      storage_fee: '1',
      other_fee: '1240000',
      out_msgs: [],
      in_msg: {
        '@type': 'ext.message',
        source: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
        destination: 'EQDaJHyKvTwupP5ELpN-O8iGvgq55Uh2i4UEs_V6QSNi2FSm',
        hash: 'RbmcfWgp/wTcBnM479aac/rDf3YeuJm2bWeo0fn3arg=',
        value: '500000000',
        extra_currencies: [],
        fwd_fee: '266669',
        ihr_fee: '0',
        created_lt: '14000002',
        body_hash: '/F1a815t/Cs6/mherGemN0G1Xduqv5XKt7K1KMDd6dk=',
        msg_data: {
          '@type': 'msg.dataRaw',
          body: 'te6cckEBAQEADgAAGHByAAMAAAAAAAAAALmmXwQ=',
          init_state: '',
        },
        message: 'cHIAAwAAAAAAAAAA\n',
      },
    },
  },
] as const;
