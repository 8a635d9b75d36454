import { formatRaw } from '../../chain/address/format-address.ts';
import { defineOperation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import type { V2Call } from '../call.ts';
import { address } from '../params/address.ts';

/** Turns an address into its raw form. */
export const unpackAddress = defineOperation({
  name: 'unpackAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Raw form of an address',
  description: 'Workchain and upper-case hex.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^-?[0-9]+:[0-9A-F]{64}$' }),
  cache: 'none',
  examples: [
    {
      title: 'a friendly address',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N' },
      result: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
    },
    {
      title: 'the elector',
      params: { address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF' },
      result: '-1:3333333333333333333333333333333333333333333333333333333333333333',
    },
  ],
  handler: ({ address }, _call: V2Call) => formatRaw(address, 'upper'),
});
