import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { isCluster } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';

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
  if (isCluster(db)) return readFromWorkers(db, distinctBytes(accounts));
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

/** Reads states, codes and domains one after the other: they are on different workers. */
async function readFromWorkers(db: Kysely<Tables>, accounts: readonly Buffer[]): Promise<AddressBookRow[]> {
  const [{ rows: states }, { rows: names }] = await Promise.all([
    sql<{ readonly account: Buffer; readonly code_hash: Buffer | null }>`${KEPT_PLAN}
      select account, code_hash from latest_account_states where account = any(${accounts}::bytea[])`.execute(
      db,
    ),
    sql<{ readonly wallet: Buffer; readonly domain: string }>`${KEPT_PLAN}
      select distinct on (wallet) wallet, domain from dns_entries
      where wallet = any(${accounts}::bytea[]) and owner = wallet order by wallet, length(domain), domain`.execute(
      db,
    ),
  ]);
  const hashes = distinctBytes(states.flatMap(({ code_hash }) => code_hash ?? []));
  const methodsOf = new Map(
    (await readCodeMethods(db, hashes)).map(({ hash, methods }) => [bytesKey(hash), methods]),
  );
  const stateOf = new Map(states.map((state) => [bytesKey(state.account), state]));
  const domainOf = new Map(names.map(({ wallet, domain }) => [bytesKey(wallet), domain]));
  return accounts.map((account) => {
    const state = stateOf.get(bytesKey(account));
    const code_hash = state?.code_hash ?? null;
    return {
      account,
      known: state !== undefined,
      code_hash,
      methods: (code_hash && methodsOf.get(bytesKey(code_hash))) ?? null,
      domain: domainOf.get(bytesKey(account)) ?? null,
    };
  });
}

async function readCodeMethods(
  db: Kysely<Tables>,
  hashes: readonly Buffer[],
): Promise<{ readonly hash: Buffer; readonly methods: readonly number[] | null }[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ readonly hash: Buffer; readonly methods: readonly string[] | null }>`
    select hash, methods from contract_codes where hash = any(${hashes}::bytea[])`.execute(db);
  return rows.map(({ hash, methods }) => ({ hash, methods: methods?.map(Number) ?? null }));
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
