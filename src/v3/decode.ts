import Type from 'typebox';
import { defineOperation, type Operation, type Parameter, type ParameterOrigin } from '../http/operation.ts';
import { PlainText, RawJson } from '../http/serializer.ts';
import type { V3Call } from './call.ts';
import { decodedObjectSchema } from './decoded-bodies.ts';
import {
  MAX_LIST_VALUES,
  MAX_UINT32,
  MIN_INT32,
  parseDecimal,
  parseHexDigits,
  restorePlus,
} from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';

const UNKNOWN = 'unknown';

const bodySchema = Type.Unsafe<unknown>(RawJson(decodedObjectSchema));

/** Decodes opcodes and message bodies, without chain or index. */
export function createDecode(): Operation<V3Call> {
  return defineOperation({
    name: 'decode',
    methods: ['GET', 'POST'],
    tag: 'utils',
    summary: 'Decode opcodes and message bodies',
    description:
      'Returns one name per opcode and one decoded body per body, in the order given. Repeat the parameter for lists; use POST for long ones.',
    parameters: {
      opcodes: opcodesParam(),
      bodies: textListParam({
        description: 'Message bodies as bags of cells in base64 or hex.',
        read: (text, _index, origin) => (origin === 'query' ? restorePlus(text, text.length) : text),
      }),
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
    examples: [
      {
        title: 'Two opcodes',
        params: { opcodes: ['0xf8a7ea5', '0x12345678'] },
        result: { opcodes: ['jetton_transfer', UNKNOWN], bodies: [] },
      },
      {
        title: 'A jetton transfer with a comment, and a malformed body',
        params: { bodies: [BODY_EXAMPLE, 'te6'] },
        result: {
          opcodes: [],
          bodies: [DECODED_EXAMPLE, { error: 'unknown: failed to decode base64: Wrong padding length' }],
        },
      },
      {
        title: 'A malformed opcode',
        params: { opcodes: ['0x0', '0xyz'] },
        failure: { code: 422, text: 'invalid opcode format at index 1: yz' },
      },
    ],
    handler: ({ opcodes, bodies }, call: V3Call) => ({
      opcodes: opcodes.map((opcode) => call.bodies.opcodeName(opcode) ?? UNKNOWN),
      bodies: bodies.map(call.bodies.decodedJsonOfText),
    }),
  });
}

const PREFIX = '0x';
/** Of a text that is no opcode. */
const MAX_ECHO_CHARS = 256;

/** Opcodes as unsigned numbers. Hex is tried first, so `123` is 0x123; decimal remains for what overflows as hex. */
function opcodesParam() {
  return textListParam({
    description: 'Opcodes: hex with or without 0x, or decimal if the text is not 32-bit hex.',
    read: (text, index) => {
      const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
      const opcode = parseHexDigits(digits, 32) ?? parseDecimal(digits, MIN_INT32, MAX_UINT32);
      if (opcode === undefined)
        throw invalidParameter(
          'opcodes',
          `invalid opcode format at index ${index}: ${digits.slice(0, MAX_ECHO_CHARS)}`,
        );
      return Number(BigInt.asUintN(32, opcode));
    },
  });
}

interface TextListOptions<T> {
  readonly description: string;
  /** Parses a text, or throws the error that refuses it. */
  readonly read: (text: string, index: number, origin: ParameterOrigin) => T;
}

/** A list of texts with one result each; unlike in `listParam`, empty texts count. */
function textListParam<T>({ description, read }: TextListOptions<T>): Parameter<readonly T[]> {
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

/** A jetton transfer with a comment. */
const BODY_EXAMPLE =
  'te6cckEBAgEAQQABZQ+KfqUAAAAAAAAABTA9CQgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AEBwEAEgAAAABoZWxsb5W5R1I=';

const DECODED_EXAMPLE = {
  '@type': 'jetton_transfer',
  query_id: '5',
  amount: { '@type': 'var_uint', len: '3', value: '250000' },
  destination: {
    '@type': 'addr_std',
    anycast: { '@type': 'nothing_from_maybe' },
    workchain_id: '0',
    address: '83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  },
  response_destination: { '@type': 'addr_none' },
  custom_payload: { '@type': 'nothing_from_maybe' },
  forward_ton_amount: { '@type': 'var_uint', len: '1', value: '1' },
  forward_payload: { '@type': 'second_from_either', value: { '@type': 'text_comment', text: 'hello' } },
};
