import type { OperationExample } from '../../http/operation.ts';
import { unreadable } from './unreadable.ts';

const BLOCK = { workchain: -1, shard: '-9223372036854775808', seqno: 45157808 };

/** Examples of what the operations on a block's transactions refuse. */
export const blockTransactionsRefusals: readonly OperationExample<never>[] = [
  {
    title: 'the block before the first one',
    params: { ...BLOCK, seqno: 0 },
    failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
  },
  {
    title: 'no transactions at all',
    params: { ...BLOCK, count: 0 },
    failure: { code: 422, text: 'failed to validate request: count should be positive' },
  },
  {
    title: 'too many transactions',
    params: { ...BLOCK, count: 10001 },
    failure: { code: 422, text: 'failed to validate request: count should be less or equal 10000' },
  },
  {
    title: 'a time without an account to go on from',
    params: { ...BLOCK, after_lt: '47842330000003' },
    failure: {
      code: 422,
      text: 'failed to validate request: after_lt and after_hash should be used together',
    },
  },
  {
    title: 'an account to go on from that is none',
    params: { ...BLOCK, after_lt: '47842330000003', after_hash: 'zz' },
    failure: { code: 422, text: unreadable('after_hash') },
  },
  {
    title: 'a number that is none',
    params: { ...BLOCK, seqno: 'newest' },
    failure: { code: 422, text: unreadable('seqno') },
  },
];
