import Type from 'typebox';
import { formatFriendly, formatFriendlyForms, formatRaw } from '../chain/address.ts';
import { formatHashBase64, formatHashBase64Url, formatHashHex } from '../chain/hash.ts';
import { defineOperation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { LiveCall } from '../live/session.ts';
import { address, requireFriendlyForm, WORKCHAIN_OUT_OF_RANGE } from './chain-parameters.ts';
import { hash } from './parameters.ts';

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

/** Shows a hash in all its forms. */
export const detectHash = defineOperation({
  name: 'detectHash',
  methods: ['GET', 'POST'],
  tag: 'utils',
  summary: 'All forms of a hash',
  parameters: { hash: hash() },
  result: Type.Object({
    '@type': Type.Literal('ext.utils.detectedHash'),
    b64: PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    b64url: PlainText({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    hex: PlainText({ pattern: '^[0-9a-f]{64}$' }),
  }),
  cache: 'none',
  examples: [
    {
      title: 'a base64 hash',
      params: { hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=' },
      result: {
        '@type': 'ext.utils.detectedHash',
        b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
        b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
        hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
      },
    },
    { title: 'no hash', params: {}, failure: { code: 422, text: 'empty hash' } },
    {
      title: 'not a hash',
      params: { hash: 'not a hash' },
      failure: {
        code: 422,
        text: {
          query: "failed to parse get request: invalid hash: 'not a hash'",
          body: "failed to parse post request: Error at path 'hash': invalid hash: 'not a hash'",
        },
      },
    },
  ],
  handler: ({ hash }, _call: LiveCall) => ({
    '@type': 'ext.utils.detectedHash' as const,
    b64: formatHashBase64(hash),
    b64url: formatHashBase64Url(hash),
    hex: formatHashHex(hash),
  }),
});

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
  handler: ({ address }, _call: LiveCall) => {
    requireFriendlyForm(address);
    return formatFriendly(address, address);
  },
});

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
  handler: ({ address }, _call: LiveCall) => formatRaw(address, 'upper'),
});
