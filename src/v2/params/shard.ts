import Type from 'typebox';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { missingRefusal, parseRefusal } from './refusal.ts';

const DECIMAL = /^[+-]?[0-9]{1,20}$/;
const HEX = /^(?:0[xX][0-9a-fA-F]{1,16}|(?=.*[a-fA-F])[0-9a-fA-F]{16})$/;

/**
 * A required shard id. Clients send a signed decimal; an unsigned one and hex with a prefix (or 16 digits of which one
 * is a letter) are taken as well.
 */
export function shard({ missing }: { missing?: string } = {}): Parameter<bigint> {
  return {
    schema: Type.String({ pattern: '^([+-]?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}|[0-9a-fA-F]{16})$' }),
    description: 'Shard id as a signed decimal, or in hex.',
    required: true,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null || given === '') {
        if (input.origin === 'body') throw missingRefusal(input);
        throw parseRefusal(input, missing ?? `failed to parse ${input.name}`);
      }
      return parseShard(given) ?? refuse(input);
    },
  };
}

function refuse(input: ParameterInput): never {
  throw parseRefusal(input, `failed to parse ${input.name}`);
}

function parseShard(given: unknown): bigint | undefined {
  if (typeof given === 'number' ? !Number.isSafeInteger(given) : typeof given === 'object') return undefined;
  const text = String(given);
  if (!DECIMAL.test(text) && !HEX.test(text)) return undefined;
  const value = DECIMAL.test(text) ? BigInt(text.replace('+', '')) : BigInt(`0x${text.replace(/^0x/i, '')}`);
  return value < -(2n ** 63n) || value >= 2n ** 64n ? undefined : BigInt.asIntN(64, value);
}
