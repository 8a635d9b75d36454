import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { PlainText, Written } from '../../http/serializer.ts';
import type { V3Call } from '../call.ts';
import { restorePlus } from '../params/restore-plus.ts';
import { EXAMPLE_BODY, EXAMPLE_MEANING } from './example-body.ts';
import { opcodesParam } from './opcodes-param.ts';
import { textListParam } from './text-list-param.ts';

const UNKNOWN = 'unknown';

const bodySchema = Type.Unsafe<unknown>(
  Written(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Fields in the order of the body, `@type` telling what it is; `{"error"}` where that is not known.',
      },
    ),
  ),
);

/** Tells what opcodes and bodies of messages mean. Neither chain nor index is asked. */
export function createDecode(): Operation<V3Call> {
  return defineOperation({
    name: 'decode',
    methods: ['GET', 'POST'],
    tag: 'utils',
    summary: 'Decode opcodes and bodies',
    description:
      'Answers with as many names and bodies as were given, in their order. Lists are made by repeating the name. Long ones go by POST.',
    parameters: {
      opcodes: opcodesParam(),
      bodies: textListParam({
        description: 'Bodies of messages as bags of cells, in base64 or hex.',
        read: (text, _index, origin) => (origin === 'query' ? restorePlus(text, text.length) : text),
      }),
    },
    result: Type.Object({
      opcodes: Type.Array(PlainText({ description: 'Names; `unknown` where there is none.' })),
      bodies: Type.Array(bodySchema),
    }),
    cache: 'none',
    examples: [
      {
        title: 'Two opcodes',
        params: { opcodes: ['0xf8a7ea5', '0x12345678'] },
        result: { opcodes: ['jetton_transfer', UNKNOWN], bodies: [] },
      },
      {
        title: 'A transfer of jettons with a comment, and a body that is none',
        params: { bodies: [EXAMPLE_BODY, 'te6'] },
        result: {
          opcodes: [],
          bodies: [EXAMPLE_MEANING, { error: 'unknown: failed to decode base64: Wrong padding length' }],
        },
      },
      {
        title: 'No opcode',
        params: { opcodes: ['0x0', '0xyz'] },
        failure: { code: 422, text: 'invalid opcode format at index 1: yz' },
      },
    ],
    handler: ({ opcodes, bodies }, call: V3Call) => ({
      opcodes: opcodes.map((opcode) => call.bodies.opcodeName(opcode) ?? UNKNOWN),
      bodies: bodies.map(call.bodies.meaningOfText),
    }),
  });
}
