/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendBocReturnHashNoErrorExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      boc: 'te6cckEBAgEAsgAB34gBu+uLD6QZj2ACBzBWQXKToBZBqtZHYe4dffym/NUwXdYAUHNABFwlcTkc+8UN/1jfvGWAp+YAkipN972RkwSQvYNjqhxym+5tAmbPaOJXy4QIMyEkNkqesDW8oOIThD6AUU1NGL////7wAAAAGBwBAHpCAEvWuUT4wn5in+gpbsy5GQo+4+ibFm/wPVbisuY8T6tVoC+vCAAAAAAAAAAAAAAAAAAAAAAAAEhlbGxvoRzoaw==',
    },
    varies: true,
    result: {
      '@type': 'raw.extMessageInfo',
      hash: 'kamEsC+C+LrGqqT4Ag98USlgtMYTeEl0Cm9dKH3jvYA=',
      hash_norm: 'uS7YhSUdVuHp/bwcRWKvLDp9YeRuSx4sYLD4jWvGcMw=',
    },
  },
] as const;
