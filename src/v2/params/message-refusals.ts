import type { OperationExample } from '../../http/operation.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** Examples of what the operations refuse that find a transaction by a message. */
export const messageRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { source: 'x', destination: ADDRESS, created_lt: 1 },
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: 'x'",
        body: "failed to parse post request: Error at path 'source': Failed to parse ton_addr: 'x'",
      },
    },
  },
  {
    title: 'an empty address',
    params: { source: ADDRESS, destination: '', created_lt: 1 },
    failure: { code: 422, text: 'failed to validate request: empty destination address' },
  },
  {
    title: 'no time',
    params: { source: ADDRESS, destination: ADDRESS },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse created_lt',
        body: "failed to parse post request: Field 'created_lt' is missing",
      },
    },
  },
  {
    title: 'a negative time',
    params: { source: ADDRESS, destination: ADDRESS, created_lt: -1 },
    failure: { code: 422, text: 'failed to validate request: created_lt should be non-negative' },
  },
];
