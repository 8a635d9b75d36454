/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getAddressInformationExamples = [
  {
    title: 'a wallet',
    params: {
      address: 'EQDz5ckJoOlfWKYCr077Ytth3HzEBNRfu_Xbhw2nrSPHv7DY',
    },
    varies: true,
    result: {
      '@type': 'raw.fullAccountState',
      balance: '1004495095998',
      extra_currencies: [],
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '14000006',
        hash: 'lQZo2wMip0Lwk2U2hwpJxIsZc8TvsbPCxeG6suAEjL8=',
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
      code: 'te6cckEBAQEARAAAhP8AIN2k8mCBAgDXGCDXCx/tRNDTH9P/0VESuvKhIvkBVBBE+RDyovgAAdMfMSDXSpbTB9QC+wDe0aTIyx/L/8ntVEH98Ik=',
      data: 'te6cckEBAQEAJgAASAAAAAJwZWqQnLwK7Z35W+pbLxd3kOtUNnBjrQ8NVPCm2OYt3vS4mtg=',
      frozen_hash: '',
      state: 'active',
      suspended: false,
    },
  },
  {
    title: 'an account that does not exist',
    params: {
      address: 'EQBIkWbxQWfp910sB_fDf5ozHF4OURfb2K_kscc1HZ9XWDvi',
    },
    varies: true,
    result: {
      '@type': 'raw.fullAccountState',
      balance: '0',
      extra_currencies: [],
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: '0',
        hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
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
      code: '',
      data: '',
      frozen_hash: '',
      state: 'uninitialized',
      suspended: false,
    },
  },
] as const;
