import type { OperationExample } from '../../http/operation.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** Examples of what all operations on an account refuse. */
export const accountRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { address: 'abcde' },
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: 'abcde'",
        body: "failed to parse post request: Error at path 'address': Failed to parse ton_addr: 'abcde'",
      },
    },
  },
  {
    title: 'no address',
    params: {},
    failure: {
      code: 422,
      text: {
        query: "failed to parse get request: Failed to parse ton_addr: ''",
        body: "failed to parse post request: Field 'address' is missing",
      },
    },
  },
  {
    title: 'the block before the first one',
    params: { address: ADDRESS, seqno: 0 },
    failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
  },
  {
    title: 'a block number that is none',
    params: { address: ADDRESS, seqno: 'newest' },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse seqno',
        body: "failed to parse post request: Error at path 'seqno': failed to parse seqno",
      },
    },
  },
];
