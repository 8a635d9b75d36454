/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const sendBocUnsafeExamples = [
  {
    title: 'a transfer of a wallet',
    params: {
      boc: 'te6cckEBAgEAsgAB34gBu+uLD6QZj2ACBzBWQXKToBZBqtZHYe4dffym/NUwXdYEo3m9OVqKwIBq+C/agojtlGBeGU+FqhzX7yWCXgDDfNuzJuF0LsC4lmn+1JZMogtvrNRzOcXsa0EzQdOlFM1AKU1NGL////7oAAAAGBwBAHpCAEvWuUT4wn5in+gpbsy5GQo+4+ibFm/wPVbisuY8T6tVoC+vCAAAAAAAAAAAAAAAAAAAAAAAAEhlbGxvrOBKaQ==',
    },
    varies: true,
    result: {
      '@type': 'ok',
    },
  },
] as const;
