import Type from 'typebox';
import { formatFriendly, formatFriendlyForms, formatRaw } from '../chain/address.ts';
import { formatHashBase64, formatHashBase64Url, formatHashHex } from '../chain/hash.ts';
import { PlainText } from '../http/serializer.ts';
import { defineV2Operation } from './operation.ts';
import { address, hash, requireFriendlyForm } from './parameters.ts';
import { TonlibObject } from './shapes.ts';

const VARIANT = 'ext.utils.detectedAddressVariant' as const;
const Variant = TonlibObject(VARIANT, 'DetectAddressBase64Variant', {
  b64: PlainText(),
  b64url: PlainText(),
});

export const detectAddress = defineV2Operation({
  name: 'detectAddress',
  tag: 'utils',
  summary: 'Convert an address to all forms',
  description:
    'The raw form and four friendly forms. The friendly forms keep the test-only flag of the given address.',
  parameters: { address: address() },
  result: TonlibObject('ext.utils.detectedAddress', 'DetectAddress', {
    raw_form: PlainText({ pattern: '^-?[0-9]+:[0-9a-f]{64}$' }),
    bounceable: Variant,
    non_bounceable: Variant,
    given_type: Type.Enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
    test_only: Type.Boolean(),
  }),
  cache: 'none',
  handler: ({ address }) => {
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

export const detectHash = defineV2Operation({
  name: 'detectHash',
  tag: 'utils',
  summary: 'Convert a hash to all forms',
  description: 'Base64, base64url and hex.',
  parameters: { hash: hash() },
  result: TonlibObject('ext.utils.detectedHash', 'DetectHash', {
    b64: PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    b64url: PlainText({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    hex: PlainText({ pattern: '^[0-9a-f]{64}$' }),
  }),
  cache: 'none',
  handler: ({ hash }) => ({
    '@type': 'ext.utils.detectedHash' as const,
    b64: formatHashBase64(hash),
    b64url: formatHashBase64Url(hash),
    hex: formatHashHex(hash),
  }),
});

export const packAddress = defineV2Operation({
  name: 'packAddress',
  tag: 'utils',
  summary: 'Convert an address to the friendly form',
  description:
    'In base64url. A raw address becomes bounceable and not test-only; a friendly one keeps its flags.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^[A-Za-z0-9_-]{48}$' }),
  cache: 'none',
  handler: ({ address }) => {
    requireFriendlyForm(address);
    return formatFriendly(address, address);
  },
});

export const unpackAddress = defineV2Operation({
  name: 'unpackAddress',
  tag: 'utils',
  summary: 'Convert an address to the raw form',
  description: 'Workchain and hash in upper-case hex.',
  parameters: { address: address() },
  result: PlainText({ pattern: '^-?[0-9]+:[0-9A-F]{64}$' }),
  cache: 'none',
  handler: ({ address }) => formatRaw(address, 'upper'),
});
