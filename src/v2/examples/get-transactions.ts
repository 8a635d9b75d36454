/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getTransactionsExamples = [
  {
    title: 'the last one of an account',
    params: {
      address: 'EQDpix9r1hjTY_aZqG1maKppAwqgAj7LJUKJ3N-2lN7a4Mx6',
      limit: 1,
    },
    varies: true,
    result: [
      {
        '@type': 'ext.transaction',
        account: '0:E98B1F6BD618D363F699A86D6668AA69030AA0023ECB254289DCDFB694DEDAE0',
        address: {
          '@type': 'accountAddress',
          account_address: 'EQDpix9r1hjTY_aZqG1maKppAwqgAj7LJUKJ3N-2lN7a4Mx6',
        },
        utime: 1794733774,
        data: 'te6cckECBQEAAQsAA69+mLH2vWGNNj9pmobWZoqmkDCqACPsslQonc37aU3trgAAAAAAB6Eg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAavl2zgABgIAQIDAQGgBACCcpCuyJZa+rsW68PLm0COuucbYY14eIvIDQmENZPKyY2ke9TKUM10Dl4DZ8SLHVZGMYOztzL0Lc0XJ/YZ+PTrAdQAEQwJejUpRAABIACzSAHddz70e3yPkJX/CdjBAW7KBOgVLuifhv4JMwO0WIllNQA6Ysfa9YY02P2mahtZmiqaQMKoAI+yyVCidzftpTe2uBejUpRAAAYII1oAAAAAAPQkGtXy7ZxAD8E5ng==',
        transaction_id: {
          '@type': 'internal.transactionId',
          lt: '8000014',
          hash: 'PvrD5GPrGw2cvMAg0lP84gDBofhhTdGSBSQcN2t0bbg=',
        },
        fee: '0',
        storage_fee: '0',
        other_fee: '0',
        out_msgs: [],
        in_msg: {
          '@type': 'ext.message',
          source: 'EQDuu596Pb5HyEr_hOxggLdlAnQKl3RPw38EmYHaLESympeg',
          destination: 'EQDpix9r1hjTY_aZqG1maKppAwqgAj7LJUKJ3N-2lN7a4Mx6',
          hash: 'dvSBGyYDuIBvS3P6/nrf5Dqs3q6XcuPm28biRV3hlfY=',
          value: '1000000000000',
          extra_currencies: [],
          fwd_fee: '266669',
          ihr_fee: '0',
          created_lt: '8000013',
          body_hash: 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
          msg_data: {
            '@type': 'msg.dataRaw',
            body: 'te6cckEBAQEAAgAAAEysuc0=',
            init_state: '',
          },
          message: '',
        },
      },
    ],
  },
] as const;
