import { formatFriendly } from '../../chain/address/format-address.ts';
import { defineOperation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import type { V2Call } from '../call.ts';
import { address } from '../params/address.ts';
import { requireFriendlyForm, WORKCHAIN_OUT_OF_RANGE } from '../params/friendly-workchain.ts';

/** Turns an address into its friendly form. */
export const packAddress = defineOperation({
  name: 'packAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Friendly form of an address',
  description:
    'In base64url. A raw address becomes bounceable and not test-only; a friendly one keeps its flags.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^[A-Za-z0-9_-]{48}$' }),
  cache: 'none',
  examples: [
    {
      title: 'a raw address',
      params: { address: '0:5f696ae8fe14acd382246b299a469c12f755b3d16d3b8aa0975ba230bcc90944' },
      result: 'EQBfaWro_hSs04IkaymaRpwS91Wz0W07iqCXW6IwvMkJRCzC',
    },
    {
      title: 'a workchain that has no friendly form',
      params: { address: '-129:5f696ae8fe14acd382246b299a469c12f755b3d16d3b8aa0975ba230bcc90944' },
      failure: { code: 422, text: WORKCHAIN_OUT_OF_RANGE },
    },
  ],
  handler: ({ address }, _call: V2Call) => {
    requireFriendlyForm(address);
    return formatFriendly(address, address);
  },
});
