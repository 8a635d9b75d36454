import Type from 'typebox';
import { formatRaw } from '../chain/address.ts';
import { formatHashBase64 } from '../chain/hash.ts';
import { formatShardId } from '../chain/shards.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import type { V3Call } from './call.ts';
import { addressKind, hashesParam, MAX_LIST_VALUES, shardKind } from './parameter-kinds.ts';
import { listParam } from './parameters.ts';

const ZERO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';

/** Shows how hashes, addresses and shards of a request were parsed; needs neither chain nor index. */
export function createTestMethod(): Operation<V3Call> {
  return defineOperation({
    name: '__testMethod',
    methods: ['GET'],
    tag: 'service',
    summary: 'Echo parsed values',
    description: 'Returns the normal forms of the values given, so that a client can check its encoding.',
    parameters: {
      my_hash: hashesParam({ description: 'Hashes: hex, 0x hex, base64 or base64url.' }),
      my_addr: listParam(addressKind, { max: MAX_LIST_VALUES, description: 'Addresses: raw or friendly.' }),
      my_shard: listParam(shardKind, { max: MAX_LIST_VALUES, description: 'Shards: hex or signed decimal.' }),
    },
    result: Type.Object(
      {
        Hash: Type.Array(Type.String({ description: 'Base64, 44 characters.' })),
        Addr: Type.Array(Type.String({ description: 'Raw form, upper-case hex.' })),
        Shard: Type.Array(Type.String({ description: 'Upper-case hex.' })),
      },
      { title: 'TestRequestEcho' },
    ),
    cache: 'none',
    examples: [
      {
        title: 'One value of each kind',
        params: {
          my_hash: ['0x0000000000000000000000000000000000000000000000000000000000000000'],
          my_addr: ['Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'],
          my_shard: ['-9223372036854775808'],
        },
        result: { Hash: [ZERO_HASH], Addr: [ELECTOR], Shard: ['8000000000000000'] },
      },
      { title: 'Nothing given', params: {}, result: { Hash: [], Addr: [], Shard: [] } },
      {
        title: 'A malformed hash',
        params: { my_hash: [ZERO_HASH, 'zz'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 1 of "my_hash"',
        },
      },
      {
        title: 'Two malformed parameters',
        params: { my_addr: ['EQ'], my_shard: ['0xg'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 0 of "my_addr" (and 1 other error)',
        },
      },
    ],
    handler: ({ my_hash, my_addr, my_shard }) => ({
      Hash: my_hash.map(formatHashBase64),
      Addr: my_addr.map((address) => formatRaw(address, 'upper')),
      Shard: my_shard.map(formatShardId),
    }),
  });
}
