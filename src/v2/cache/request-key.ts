import { hash } from 'node:crypto';
import type { Operation, ParameterOrigin } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';

/** A longer key is kept as its digest: stacks of get-methods can be as long as a body may be. */
const MAX_KEY_CHARS = 1024;

/**
 * Makes the keys of an operation's requests: equal keys are equal questions. They are made from what was sent, so that
 * a known answer needs no parsing. A number and its digits are one value; names that the operation does not know have
 * no part in it.
 */
export function createRequestKey({
  name,
  parameters,
}: Pick<Operation<V2Call>, 'name' | 'parameters'>): (
  values: Readonly<Record<string, unknown>>,
  origin: ParameterOrigin,
) => string {
  const names = Object.keys(parameters);
  return (values, origin) => {
    let key = name;
    for (let i = 0; i < names.length; i++) {
      const given = Object.hasOwn(values, names[i]!) ? values[names[i]!] : undefined;
      if (given === undefined || given === null) continue;
      // The length says where a value ends, whatever characters it has.
      const text = typeof given === 'object' ? textOf(given, origin) : String(given);
      key += `\n${i}${typeof given === 'object' ? ';' : ':'}${text.length}:${text}`;
    }
    return key.length > MAX_KEY_CHARS ? `${name}#${hash('sha256', key, 'base64')}` : key;
  };
}

/** Of a list in a query string only the first value may count, so the same list in a body is another question. */
function textOf(given: object, origin: ParameterOrigin): string {
  return (
    origin + JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? rawJson(value) : value))
  );
}

/** A bigint as the number that was sent; the types do not know `JSON.rawJSON` (ES2026) yet. */
function rawJson(value: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
}
