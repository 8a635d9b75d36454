import Type from 'typebox';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { Parameter } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { echo, parseRefusal } from './refusal.ts';
import { requiredText, restorePlus } from './text.ts';

/** A required 256-bit hash in any form. */
export function hash(description = '256-bit hash: hex, base64, or base64url.'): Parameter<Buffer> {
  return {
    schema: Type.String({ pattern: '^([A-Za-z0-9+/_-]{43}=|[A-Za-z0-9_-]{43}|[0-9a-fA-F]{64})$' }),
    description,
    required: true,
    read: (input) => {
      const text = input.values[0] === undefined || input.values[0] === null ? '' : requiredText(input);
      if (text === '') throw new Failure('invalid', 'empty hash', { details: { parameter: input.name } });
      const parsed = parseHash(restorePlus(text));
      if (parsed === undefined) throw parseRefusal(input, `invalid hash: '${echo(text)}'`);
      return parsed;
    },
  };
}

/** An optional 256-bit hash in any form; an empty one counts as absent. */
export function optionalHash(description: string): Parameter<Buffer | undefined> {
  return {
    ...hash(description),
    required: false,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null || given === '') return undefined;
      const parsed = typeof given === 'string' ? parseHash(restorePlus(given)) : undefined;
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}
