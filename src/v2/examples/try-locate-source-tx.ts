/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const tryLocateSourceTxExamples = [
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
      account: '0:F3E5C909A0E95F58A602AF4EFB62DB61DC7CC404D45FBBF5DB870DA7AD23C7BF',
      address: {
        '@type': 'accountAddress',
        account_address: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
      },
      utime: 1794733778,
      data: 'te6cckECCgEAAlcAA7V/PlyQmg6V9YpgKvTvti22HcfMQE1F+79duHDaetI8e/AAAAAADVn4H33cNFoPKbHoDayh8CV8DyuL7Nyv3Y8AKEvE4QJSMNigAAAAAAtxsDavl20gADRjbZqIAQIDAgHgBAUAgnLTaeQML4ID/OBTY2NexaCDT5iLIq92z1y72JRobmEqRRSPddTMKf6YB9giiQ/i+OuMHjAjTBezlKR3lK3mJAXdAg8MQEYYfGoEQAgJAc+IAefLkhNB0r6xTAVenfbFtsO4+YgJqL9367cOG09aR49+Bqm6/YAH++pjjDDYViyaozMM/QV/9j+sMaWUPDMy8fSn/zoMjGUk+9YSAbN89ywUmDxvNFSjYuSDGkTsqZB/cCgAAAAIHAYBAd8HAIBiAG0SPkVenhdSfyIXSb8d5ENfBVzypDtFwoJZ+r0gkbFsIO5rKAAAAAAAAAAAAAAAAAAAcHIAAwAAAAAAAAAAAMloAefLkhNB0r6xTAVenfbFtsO4+YgJqL9367cOG09aR49/ADaJHyKvTwupP5ELpN+O8iGvgq55Uh2i4UEs/V6QSNi2EHc1lAAGCCNaAAAAAAGrPwTV8u2kODkAAYAAAAAAAAAAQACdQT6DE4gAAAAAAAAAAArAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABvyYMNQEwII0wAAAAAAAIAAAAAAALtQypuFX32mvg8hqlMv8wDCP8IWNqQPbkVa2voUh3lskBQGQzFXvyL',
      transaction_id: {
        '@type': 'internal.transactionId',
        lt: '14000001',
        hash: 'jjPgF82gleJVTJLno1tWmGpY9VBxChE0sIN0KyeeNiM=',
      },
      fee: '2064001',
      storage_fee: '1',
      other_fee: '2064000',
      out_msgs: [
        {
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
      ],
      in_msg: {
        '@type': 'ext.message',
        source: '',
        destination: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
        hash: 'B1y1mFvY8Tdx2YkQ8u+oK4siceckZYIfZb1kcAhB/4E=',
        value: '0',
        extra_currencies: [],
        fwd_fee: '0',
        ihr_fee: '0',
        created_lt: '0',
        body_hash: '7fRQMH4uRKh5nLSCC7zm2qvF6sS9wtHcZnI4TIHhrXY=',
        msg_data: {
          '@type': 'msg.dataRaw',
          body: 'te6cckEBAgEAigABitU3X7AA/31McYYbCsWTVGZhn6Cv/sf1hjSyh4ZmXj6U/+dBkYykn3rCQDZvnuWCkweN5oqUbFyQY0idlTIP7gUAAAABAwEAgGIAbRI+RV6eF1J/IhdJvx3kQ18FXPKkO0XCgln6vSCRsWwg7msoAAAAAAAAAAAAAAAAAABwcgADAAAAAAAAAADiMJte',
          init_state: '',
        },
        message:
          '1TdfsAD/fUxxhhsKxZNUZmGfoK/+x/WGNLKHhmZePpT/50GRjKSfesJANm+e5YKTB43mipRsXJBjSJ2VMg/uBQAAAAED\n',
      },
    },
  },
] as const;
