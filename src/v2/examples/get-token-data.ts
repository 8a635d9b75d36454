/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getTokenDataExamples = [
  {
    title: 'an item of a collection',
    params: {
      address: 'EQAYQHEsb5ygT1w7-RuR1XORWQ4TLEKCNPIs-sspNznIoFxa',
    },
    varies: true,
    result: {
      '@type': 'ext.tokens.nftItemData',
      address: 'EQAYQHEsb5ygT1w7-RuR1XORWQ4TLEKCNPIs-sspNznIoFxa',
      contract_type: 'nft_item',
      init: true,
      index: '0',
      content: {
        type: 'onchain',
        data: {
          name: 'Sunrise',
          description: 'Item 0 of the demo collection',
        },
      },
      collection_address: 'EQCc8t9wE6bB3b_9j-elr9Gl2zggQ0fOtrgZoNbjfdOrbvuL',
      owner_address: 'EQDd9cWH0gzHsAEDmCsguUnQCyDVayOw9w6-_lN-apgu6-U9',
    },
  },
  {
    title: 'a domain',
    params: {
      address: 'EQDTkEUA88gx74Ims769S7z3JzfrBEiej76udqiGtnw46rFw',
    },
    varies: true,
    result: {
      '@type': 'ext.tokens.nftItemData',
      address: 'EQDTkEUA88gx74Ims769S7z3JzfrBEiej76udqiGtnw46rFw',
      contract_type: 'nft_item',
      init: true,
      index: '38930916800118655128984401856443062677799436388671332167772672007419684920584',
      content: {
        domain: 'alice.ton',
        data: {
          storage: {
            '@type': 'dns_storage_address',
            bag_id: 'bfbd18a24fc5fa1096033d9ee1cb789d12b4c088ce00985727cd903e61cabbcd',
          },
          wallet: {
            '@type': 'dns_smc_address',
            smc_addr: {
              '@type': 'addr_std',
              workchain_id: 0,
              address: 'b33cbfca69775accc459f96c23e0055bdf3b7df994360a09018451bd162525c3',
            },
          },
          site: {
            '@type': 'dns_adnl_address',
            adnl_addr: 'cb34f318bb9b149475096b9ec062865faa79117e2b444266a1be9f31b693075a',
          },
        },
      },
      collection_address: 'EQDsQ3hHKU_sLJI5zg1MDeKt3ZPJK_cswU2-hbw5LjcDeCUQ',
      owner_address: 'EQCzPL_KaXdazMRZ-Wwj4AVb3zt9-ZQ2CgkBhFG9FiUlw_Xu',
    },
  },
] as const;
