import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../client.ts';
import type { Tables } from '../tables.ts';

/** What the address book needs to know about an account. */
export interface AddressBookRow {
  readonly account: Buffer;
  /** Whether the index has a state of the account. */
  readonly known: boolean;
  readonly code_hash: Buffer | null;
  /** Get-method ids; null if unknown. */
  readonly methods: readonly number[] | null;
  /** The shortest domain that the account owns and that resolves to it. */
  readonly domain: string | null;
}

/** Reads one row per distinct account. */
export async function readAddressBook(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<AddressBookRow[]> {
  const { rows } = await sql<
    Omit<AddressBookRow, 'methods'> & { readonly methods: string | null }
  >`${KEPT_PLAN}
    select asked.account, state.account is not null as known, state.code_hash,
           array_to_string(code.methods, ',') as methods, name.domain
    from (select distinct account from unnest(${accounts}::bytea[]) as each (account)) asked
    left join latest_account_states state on state.account = asked.account
    left join contract_codes code on code.hash = state.code_hash
    left join lateral (
      select domain from dns_entries where wallet = asked.account and owner = asked.account
      order by length(domain), domain limit 1) name on true`.execute(db);
  const parse = createListParser();
  return rows.map((row) => ({ ...row, methods: row.methods === null ? null : parse(row.methods) }));
}

/** Parses equal lists once. Most accounts share a few codes: as arrays, a thousand rows took 20 ms longer. */
function createListParser(): (text: string) => readonly number[] {
  const parsed = new Map<string, readonly number[]>();
  return (text) => {
    const list = parsed.get(text) ?? (text === '' ? [] : text.split(',').map(Number));
    parsed.set(text, list);
    return list;
  };
}
