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
      utime: 1794732609,
      data: 'te6cckECBwEAAZ4AA7V9okfIq9PC6k/kQuk347yIa+CrnlSHaLhQSz9XpBI2LYAAAAAADVn4brrxR9wMYZXd7A5tvMqAoRj0+lneHYF4Mc+rKI5ALd+gAAAAAA1Z+FavlyQQABRiXXgIAQIDAQGgBACCcmp0udohVSR5YkqjWcXmojMHQkzKgo9Rt18VaMvlniiOFA0AboS5rlon++Gjf7TkCKR5ETySwYsHfpE/seLesqACFQQJB3NZQBhiXXgZBQYAyWgB58uSE0HSvrFMBV6d9sW2w7j5iAmov3frtw4bT1pHj38ANokfIq9PC6k/kQuk347yIa+CrnlSHaLhQSz9XpBI2LYQdzWUAAYII1oAAAAAAas/BNXy5II4OQABgAAAAAAAAABAAJ5Bg4w9CQAAAAAAAAAAADQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFtgAAAAlAACAAAAAAAAKRssrnx0qiIr2ZYGFn2UrcGYr1B58DmG/h4odCjvNHIEJgRNqg==',
      transaction_id: {
        '@type': 'internal.transactionId',
        lt: '14000006',
        hash: '8Zer5HI2WFRJJ7+SBKYaUL40R+grwwra34JuE5it5Nw=',
      },
      fee: '1240000',
      storage_fee: '0',
      other_fee: '1240000',
      out_msgs: [],
      in_msg: {
        '@type': 'ext.message',
        source: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
        destination: 'EQDaJHyKvTwupP5ELpN-O8iGvgq55Uh2i4UEs_V6QSNi2FSm',
        hash: '6v3R9S9eJ8BD7nRqUSqWfJLZqPtwnsVfftpMLMXjTtE=',
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
