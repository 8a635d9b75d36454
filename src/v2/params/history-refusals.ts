import type { OperationExample } from '../../http/operation.ts';
import { unreadable } from './unreadable.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const HASH = 'Viu1vQubq7+RGYT1qFjfMpnEnM3n3oAfnRMWHMMisUw=';

/** Examples of what the operations on an account's history refuse. */
export const historyRefusals: readonly OperationExample<never>[] = [
  {
    title: 'not an address',
    params: { address: 'abcde' },
    failure: {
      code: 422,
      text: {
        query: 'failed to parse get request: failed to parse address',
        body: "failed to parse post request: Error at path 'address': Failed to parse ton_addr: 'abcde'",
      },
    },
  },
  {
    title: 'no transactions at all',
    params: { address: ADDRESS, limit: 0 },
    failure: { code: 422, text: 'failed to validate request: limit should be positive' },
  },
  {
    title: 'too many transactions',
    params: { address: ADDRESS, limit: 1001 },
    failure: { code: 422, text: 'failed to validate request: limit should be less or equal 1000' },
  },
  {
    title: 'a limit that is none',
    params: { address: ADDRESS, limit: 'all' },
    failure: { code: 422, text: unreadable('limit') },
  },
  {
    title: 'a negative time',
    params: { address: ADDRESS, lt: -1, hash: HASH },
    failure: { code: 422, text: 'failed to validate request: lt should be non-negative' },
  },
  {
    title: 'a time without a hash',
    params: { address: ADDRESS, lt: '47842330000003' },
    failure: { code: 422, text: 'failed to validate request: lt and hash should be used together' },
  },
  {
    title: 'a hash that is none',
    params: { address: ADDRESS, lt: '47842330000003', hash: 'zzz' },
    failure: { code: 422, text: unreadable('hash') },
  },
];
