import { signal } from '@preact/signals';
import type { components } from './v3.d.ts';

type BookRow = components['schemas']['AddressBookRow'];
type TokenInfo = components['schemas']['TokenInfo'];

/** Names of accounts by raw address, and what is known about their tokens. */
interface KnownNames {
  readonly book: ReadonlyMap<string, BookRow>;
  readonly tokens: ReadonlyMap<string, readonly TokenInfo[]>;
}

const MAX_KNOWN = 5000;

/** Filled from the `address_book` and the `metadata` of every answer. */
export const knownNames = signal<KnownNames>({ book: new Map(), tokens: new Map() });

/** What the contract of an account is known to be. */
export function interfacesOf(address: string): readonly string[] {
  return knownNames.value.book.get(address)?.interfaces ?? [];
}

/** Takes the names from an answer. */
export function learnNames(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  const { address_book: book, metadata } = answer as {
    readonly address_book?: Readonly<Record<string, BookRow>>;
    readonly metadata?: Readonly<Record<string, { readonly token_info?: readonly TokenInfo[] }>>;
  };
  const rows = Object.entries(book ?? {});
  const tokens = Object.entries(metadata ?? {}).map(
    ([address, one]) => [address, one.token_info ?? []] as const,
  );
  if (rows.length === 0 && tokens.length === 0) return;
  const known = knownNames.peek();
  knownNames.value = { book: merged(known.book, rows), tokens: merged(known.tokens, tokens) };
}

function merged<T>(
  known: ReadonlyMap<string, T>,
  entries: readonly (readonly [string, T])[],
): ReadonlyMap<string, T> {
  return new Map(known.size > MAX_KNOWN ? entries : [...known, ...entries]);
}
