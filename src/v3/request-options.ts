import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../lib/failure.ts';
import { parseDecimal } from './params/integer.ts';
import { refuse } from './params/kind.ts';
import type { RequestValues } from './query.ts';

/** What a caller may ask of any operation, by header or by the header's twin in the query. */
export interface V3RequestOptions {
  /** Longest time a database statement of this request may take. */
  readonly timeoutMs: number;
  /** Every `address_book` of the answer stays empty. */
  readonly noAddressBook: boolean;
  /** Every `metadata` of the answer stays empty. */
  readonly noMetadata: boolean;
  /** The log shows this request's database statements. */
  readonly debug: boolean;
  /** Vocabulary of actions; replaces the parameter `supported_action_types`. */
  readonly actionsVersion: string | undefined;
}

const MAX_TIMEOUT_MS = 3000;
const MIN_INT32 = -(2n ** 31n);
const MAX_INT32 = 2n ** 31n - 1n;
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads the request options; the header wins over its twin, an empty value counts as absent. */
export function readRequestOptions(headers: IncomingHttpHeaders, query: RequestValues): V3RequestOptions {
  const pick = (header: string, twin: string): Given | undefined =>
    given(header, headers[header.toLowerCase()]) ?? given(twin, query.values.get(twin)?.at(-1));
  return {
    timeoutMs: readTimeout(pick('X-Timeout', 'x_timeout')?.text),
    noAddressBook: readSwitch(pick('X-No-Address-Book', 'x_no_address_book')),
    noMetadata: readSwitch(pick('X-No-Metadata', 'x_no_metadata')),
    debug: readSwitch(pick('X-Debug-Request', 'x_debug_request')),
    actionsVersion: given('X-Actions-Version', headers['x-actions-version'])?.text,
  };
}

interface Given {
  readonly name: string;
  readonly text: string;
}

function given(name: string, value: unknown): Given | undefined {
  return typeof value === 'string' && value !== '' ? { name, text: value } : undefined;
}

/** An unreadable timeout is ignored as the contract says; one that is over already fails the request at once. */
function readTimeout(text: string | undefined): number {
  const asked = text === undefined ? undefined : parseDecimal(text, MIN_INT32, MAX_INT32);
  if (asked === undefined) return MAX_TIMEOUT_MS;
  if (asked <= 0n) throw new Failure('timeout', 'timeout: context deadline exceeded');
  return Math.min(Number(asked), MAX_TIMEOUT_MS);
}

/** Unlike parameters, switches do not know the word `on`. Another word is refused: a known name is never ignored. */
function readSwitch(asked: Given | undefined): boolean {
  if (asked === undefined || FALSE_WORDS.has(asked.text)) return false;
  if (TRUE_WORDS.has(asked.text)) return true;
  throw refuse(asked.name, `failed to decode: schema: error converting value for "${asked.name}"`);
}
