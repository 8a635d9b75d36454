import Type from 'typebox';
import { formatHashBase64, formatHashBase64Url, formatHashHex } from '../../chain/hash/format-hash.ts';
import { defineOperation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import type { V2Call } from '../call.ts';
import { hash } from '../params/hash.ts';

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
  handler: ({ hash }, _call: V2Call) => ({
    '@type': 'ext.utils.detectedHash' as const,
    b64: formatHashBase64(hash),
    b64url: formatHashBase64Url(hash),
    hex: formatHashHex(hash),
  }),
});
