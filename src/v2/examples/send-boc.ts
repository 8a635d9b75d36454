/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendBocExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      boc: 'te6cckEBAgEAsgAB34gBu+uLD6QZj2ACBzBWQXKToBZBqtZHYe4dffym/NUwXdYHjmQLHjasmT5tyvqbKVtFa8bg8eyzcT7Z6NsmQ2IJervM6uBi2EBvXwvFKKnpy0ZJGdcoXoym+llSU8uX4bSQEU1NGL////8AAAAAGBwBAHpCAEvWuUT4wn5in+gpbsy5GQo+4+ibFm/wPVbisuY8T6tVoC+vCAAAAAAAAAAAAAAAAAAAAAAAAEhlbGxv0s5htA==',
    },
    varies: true,
    result: {
      '@type': 'ok',
    },
  },
] as const;
