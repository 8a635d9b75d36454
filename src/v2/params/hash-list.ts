import Type from 'typebox';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { hash } from './hash.ts';
import { parseRefusal } from './refusal.ts';
import { restorePlus } from './text.ts';

/** A list of 256-bit hashes: a repeated parameter in a query string, an array in a body. Left out, it is empty. */
export function hashList(description: string, maxItems: number): Parameter<readonly Buffer[]> {
  return {
    schema: Type.Array(hash().schema, { maxItems }),
    description,
    required: false,
    read: (input) =>
      given(input).map((text) => {
        const parsed = typeof text === 'string' ? parseHash(restorePlus(text)) : undefined;
        if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
        return parsed;
      }),
  };
}

function given(input: ParameterInput): readonly unknown[] {
  if (input.origin === 'query') return input.values.filter((value) => value !== '');
  const list = input.values[0] ?? [];
  if (!Array.isArray(list)) throw parseRefusal(input, `failed to parse ${input.name}`);
  return list;
}
