import Type from 'typebox';
import { formatFriendly, formatFriendlyForms, formatRaw } from '../chain/address.ts';
import { formatHashBase64, formatHashBase64Url, formatHashHex } from '../chain/hash.ts';
import { defineOperation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { LiveCall } from '../live/session.ts';
import { address, requireFriendlyForm } from './chain-parameters.ts';
import { examplesOf } from './examples.ts';
import { hash } from './parameters.ts';

const VARIANT = 'ext.utils.detectedAddressVariant' as const;
const Variant = Type.Object(
  {
    '@type': Type.Literal(VARIANT),
    b64: PlainText(),
    b64url: PlainText(),
  },
  { title: 'DetectAddressBase64Variant' },
);

export const detectAddress = defineOperation({
  name: 'detectAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Convert an address to all forms',
  description:
    'The raw form and four friendly forms. The friendly forms keep the test-only flag of the given address.',
  parameters: { address: address() },
  result: Type.Object(
    {
      '@type': Type.Literal('ext.utils.detectedAddress'),
      raw_form: PlainText({ pattern: '^-?[0-9]+:[0-9a-f]{64}$' }),
      bounceable: Variant,
      non_bounceable: Variant,
      given_type: Type.Enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
      test_only: Type.Boolean(),
    },
    { title: 'DetectAddress' },
  ),
  cache: 'none',
  examples: examplesOf('detectAddress'),
  handler: ({ address }, _call: LiveCall) => {
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

export const detectHash = defineOperation({
  name: 'detectHash',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Convert a hash to all forms',
  description: 'Base64, base64url and hex.',
  parameters: { hash: hash() },
  result: Type.Object(
    {
      '@type': Type.Literal('ext.utils.detectedHash'),
      b64: PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
      b64url: PlainText({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      hex: PlainText({ pattern: '^[0-9a-f]{64}$' }),
    },
    { title: 'DetectHash' },
  ),
  cache: 'none',
  examples: examplesOf('detectHash'),
  handler: ({ hash }, _call: LiveCall) => ({
    '@type': 'ext.utils.detectedHash' as const,
    b64: formatHashBase64(hash),
    b64url: formatHashBase64Url(hash),
    hex: formatHashHex(hash),
  }),
});

export const packAddress = defineOperation({
  name: 'packAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Convert an address to the friendly form',
  description:
    'In base64url. A raw address becomes bounceable and not test-only; a friendly one keeps its flags.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^[A-Za-z0-9_-]{48}$' }),
  cache: 'none',
  examples: examplesOf('packAddress'),
  handler: ({ address }, _call: LiveCall) => {
    requireFriendlyForm(address);
    return formatFriendly(address, address);
  },
});

export const unpackAddress = defineOperation({
  name: 'unpackAddress',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'Convert an address to the raw form',
  description: 'Workchain and hash in upper-case hex.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^-?[0-9]+:[0-9A-F]{64}$' }),
  cache: 'none',
  examples: examplesOf('unpackAddress'),
  handler: ({ address }, _call: LiveCall) => formatRaw(address, 'upper'),
});
