import Type from 'typebox';
import { dnsCategory } from '../../chain/contracts/dns-records.ts';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { parseRefusal } from './refusal.ts';
import { restorePlus } from './text.ts';

/** An optional domain name; the resolver itself when left out. */
export function domainName(): Parameter<string> {
  return {
    schema: Type.String({ default: '' }),
    description: 'Domain name to resolve; without it, the records of the contract itself.',
    required: false,
    read: (input) => readText(input) ?? '',
  };
}

/** An optional category of records: its name, or the hash of it. */
export function recordCategory(): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description:
      'Category of records, by its name (`wallet`, `site`, `storage`, `dns_next_resolver` or another one) or by its hash in hex or base64; all records when left out.',
    required: false,
    read: (input) => {
      const text = readText(input);
      return text === undefined ? undefined : (parseHash(restorePlus(text)) ?? dnsCategory(text));
    },
  };
}

function readText(input: ParameterInput): string | undefined {
  const given = input.values[0];
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string') throw parseRefusal(input, 'must be a string');
  return given;
}
