import type { ParameterOrigin } from '../../http/operation.ts';
import { PARSE_PREFIX } from './refusal.ts';

/** What is said of a parameter that cannot be parsed, for examples. */
export function unreadable(name: string): Record<ParameterOrigin, string> {
  const detail = `failed to parse ${name}`;
  return {
    query: PARSE_PREFIX.query + detail,
    body: `${PARSE_PREFIX.body}Error at path '${name}': ${detail}`,
  };
}
