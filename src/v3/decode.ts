import Type from 'typebox';
import { formatRaw } from '../chain/address.ts';
import { formatHashBase64 } from '../chain/hash.ts';
import { formatShardId } from '../chain/shards.ts';
import type { Parameter, ParameterOrigin } from '../http/operation.ts';
import { PlainText, RawJson } from '../http/serializer.ts';
import { decodedObjectSchema } from './decoded-bodies.ts';
import { defineV3Operation } from './operation.ts';
import {
  addressKind,
  hashesParam,
  MAX_LIST_VALUES,
  parseHexDigits,
  restorePlus,
  shardKind,
} from './parameter-kinds.ts';
import { invalidParameter, listParam, MAX_UINT32, MIN_INT32, parseDecimal } from './parameters.ts';

const UNKNOWN = 'unknown';

const bodySchema = Type.Unsafe<unknown>(RawJson(decodedObjectSchema));

export const createDecode = () =>
  defineV3Operation({
    name: 'decode',
    methods: ['GET', 'POST'],
    tag: 'utils',
    summary: 'Decode opcodes and message bodies',
    description:
      'Returns one name per opcode and one decoded body per body, in the order given. Repeat the parameter for lists; use POST for long ones.',
    parameters: {
      opcodes: opcodesParam(),
      bodies: textListParam('Message bodies as bags of cells in base64 or hex.', (text, _index, origin) =>
        origin === 'query' ? restorePlus(text, text.length) : text,
      ),
    },
    maxBodyBytes: 1024 * 1024,
    result: Type.Object(
      {
        opcodes: Type.Array(PlainText({ description: 'Name of the opcode, or `unknown`.' })),
        bodies: Type.Array(bodySchema),
      },
      { title: 'DecodeResponse' },
    ),
    cache: 'none',
    handler: ({ opcodes, bodies }, call) => ({
      opcodes: opcodes.map((opcode) => call.bodies.opcodeName(opcode) ?? UNKNOWN),
      bodies: bodies.map(call.bodies.decodedJsonOfText),
    }),
  });

const PREFIX = '0x';
/** Of a text that is no opcode. */
const MAX_ECHO_CHARS = 256;

/** Opcodes as unsigned numbers. Hex is tried first, so `123` is 0x123; decimal remains for what overflows as hex. */
function opcodesParam() {
  return textListParam(
    'Opcodes: hex with or without 0x, or decimal if the text is not 32-bit hex.',
    (text, index) => {
      const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
      const opcode = parseHexDigits(digits, 32) ?? parseDecimal(digits, MIN_INT32, MAX_UINT32);
      if (opcode === undefined)
        throw invalidParameter(
          'opcodes',
          `invalid opcode format at index ${index}: ${digits.slice(0, MAX_ECHO_CHARS)}`,
        );
      return Number(BigInt.asUintN(32, opcode));
    },
  );
}

/** A list of texts with one result each, or the error that refuses a text; unlike in `listParam`, empty texts count. */
function textListParam<T>(
  description: string,
  read: (text: string, index: number, origin: ParameterOrigin) => T,
): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.String(), { maxItems: MAX_LIST_VALUES }),
    description,
    required: false,
    read: ({ name, values, origin }) => {
      const given = origin === 'body' ? values.flat() : values;
      if (given.length > MAX_LIST_VALUES)
        throw invalidParameter(name, `${name} list exceeds maximum length of ${MAX_LIST_VALUES}`);
      return given.map((text, index) => {
        if (typeof text !== 'string')
          throw invalidParameter(
            name,
            `failed to decode: schema: error converting value for index ${index} of "${name}"`,
          );
        return read(text, index, origin);
      });
    },
  };
}

export const createTestMethod = () =>
  defineV3Operation({
    name: '__testMethod',
    tag: 'service',
    summary: 'Echo parsed values',
    description: 'Returns the normal forms of the values given, so that a client can check its encoding.',
    parameters: {
      my_hash: hashesParam('Hashes: hex, 0x hex, base64 or base64url.'),
      my_addr: listParam(addressKind, 'Addresses: raw or friendly.', { max: MAX_LIST_VALUES }),
      my_shard: listParam(shardKind, 'Shards: hex or signed decimal.', { max: MAX_LIST_VALUES }),
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
    handler: ({ my_hash, my_addr, my_shard }) => ({
      Hash: my_hash.map(formatHashBase64),
      Addr: my_addr.map((address) => formatRaw(address, 'upper')),
      Shard: my_shard.map(formatShardId),
    }),
  });
