import Type from 'typebox';
import { parseAddress } from '../../chain/address/parse-address.ts';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { Parameter } from '../../http/operation.ts';
import { parseRefusal } from './refusal.ts';
import { restorePlus } from './text.ts';

/** The 32 bytes of an optional account address: in any form of an address, or of a hash. */
export function accountHash(description: string): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description,
    required: false,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null || given === '') return undefined;
      const text = typeof given === 'string' ? restorePlus(given) : '';
      const parsed = parseAddress(text)?.hash ?? parseHash(text);
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}
