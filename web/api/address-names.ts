import { signal } from '@preact/signals';
import type { AddressBookRow, TokenInfo } from './v3.d.ts';

/** Names of accounts by raw address, and the metadata of their tokens. */
interface AddressNames {
  readonly book: ReadonlyMap<string, AddressBookRow>;
  readonly tokens: ReadonlyMap<string, readonly TokenInfo[]>;
}

const MAX_NAMES = 5000;

/** Filled from the `address_book` and the `metadata` of every answer. */
export const addressNames = signal<AddressNames>({ book: new Map(), tokens: new Map() });

/** The interfaces of a contract, as far as answers told them. */
export function interfacesOf(address: string): readonly string[] {
  return addressNames.value.book.get(address)?.interfaces ?? [];
}

export function learnNames(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  const { address_book: book, metadata } = answer as {
    readonly address_book?: Readonly<Record<string, AddressBookRow>>;
    readonly metadata?: Readonly<Record<string, { readonly token_info?: readonly TokenInfo[] }>>;
  };
  const rows = Object.entries(book ?? {});
  const tokens = Object.entries(metadata ?? {}).map(
    ([address, one]) => [address, one.token_info ?? []] as const,
  );
  if (rows.length === 0 && tokens.length === 0) return;
  const before = addressNames.peek();
  addressNames.value = { book: merged(before.book, rows), tokens: merged(before.tokens, tokens) };
}

function merged<T>(before: ReadonlyMap<string, T>, entries: readonly (readonly [string, T])[]) {
  return new Map(before.size > MAX_NAMES ? entries : [...before, ...entries]);
}
