import Type from 'typebox';
import { formatFriendlyForms, formatRaw } from '../../chain/address/format-address.ts';
import { defineOperation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import type { V2Call } from '../call.ts';
import { address } from '../params/address.ts';
import { requireFriendlyForm, WORKCHAIN_OUT_OF_RANGE } from '../params/friendly-workchain.ts';

const VARIANT = 'ext.utils.detectedAddressVariant' as const;
const Variant = Type.Object({
  '@type': Type.Literal(VARIANT),
  b64: PlainText(),
  b64url: PlainText(),
});

/** Shows an address in all its forms. */
export const detectAddress = defineOperation({
  name: 'detectAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'All forms of an address',
  description:
    'Raw form and the four friendly forms. When the given address carries the test flag, the friendly forms do too.',
  parameters: { address: address() },
  result: Type.Object({
    '@type': Type.Literal('ext.utils.detectedAddress'),
    raw_form: PlainText({ pattern: '^-?[0-9]+:[0-9a-f]{64}$' }),
    bounceable: Variant,
    non_bounceable: Variant,
    given_type: Type.Enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
    test_only: Type.Boolean(),
  }),
  cache: 'none',
  examples: [
    {
      title: 'a friendly address',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N' },
      result: {
        '@type': 'ext.utils.detectedAddress',
        raw_form: '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
        bounceable: {
          '@type': 'ext.utils.detectedAddressVariant',
          b64: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
          b64url: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
        },
        non_bounceable: {
          '@type': 'ext.utils.detectedAddressVariant',
          b64: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
          b64url: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
        },
        given_type: 'friendly_bounceable',
        test_only: false,
      },
    },
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
      title: 'a workchain that has no friendly form',
      params: { address: '128:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8' },
      failure: { code: 422, text: WORKCHAIN_OUT_OF_RANGE },
    },
  ],
  handler: ({ address }, _call: V2Call) => {
    requireFriendlyForm(address);
    const { bounceable, nonBounceable } = formatFriendlyForms(address, address.testOnly);
    return {
      '@type': 'ext.utils.detectedAddress' as const,
      raw_form: formatRaw(address, 'lower'),
      bounceable: { '@type': VARIANT, b64: bounceable.b64, b64url: bounceable.b64url },
      non_bounceable: { '@type': VARIANT, b64: nonBounceable.b64, b64url: nonBounceable.b64url },
      given_type:
        address.form !== 'friendly'
          ? ('raw_form' as const)
          : address.bounceable
            ? ('friendly_bounceable' as const)
            : ('friendly_non_bounceable' as const),
      test_only: address.testOnly,
    };
  },
});
