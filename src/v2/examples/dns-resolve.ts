/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const dnsResolveExamples = [
  {
    title: 'a name',
    params: {
      address: 'Ef8MB0WofiCgQJHb80a27AQQAjD2FAkg_8Rt0sG7jaAA75N5',
      name: 'alice.ton',
      ttl: 4,
    },
    varies: true,
    result: {
      '@type': 'dns.resolved',
      entries: [
        {
          '@type': 'dns.entry',
          name: '',
          category: 'SaJfn+76/+ytD80wxQ3JMxz/i1Xs5T3vYoXAnhfm9dc=',
          entry: {
            '@type': 'dns.entryDataStorageAddress',
            bag_id: 'bfbd18a24fc5fa1096033d9ee1cb789d12b4c088ce00985727cd903e61cabbcd',
          },
        },
        {
          '@type': 'dns.entry',
          name: '',
          category: '6NRAUIc9uoZap8Fwq0zOZNkIOaNNz9bPcdFOAgVEOxs=',
          entry: {
            '@type': 'dns.entryDataSmcAddress',
            smc_address: {
              '@type': 'accountAddress',
              account_address: 'EQCzPL_KaXdazMRZ-Wwj4AVb3zt9-ZQ2CgkBhFG9FiUlw_Xu',
            },
          },
        },
        {
          '@type': 'dns.entry',
          name: '',
          category: '+64EGwLEHtD9ik77A5vHgN1q9KHwxCD0JWGucF3aQ/4=',
          entry: {
            '@type': 'dns.entryDataAdnlAddress',
            adnl_address: {
              '@type': 'adnlAddress',
              adnl_address: 'xftj4yyxonrjfdvbfvz5qdcqzp2u6irpyvuiqtgug7j6mnwsmdvvu5v',
            },
          },
        },
      ],
    },
  },
] as const;
