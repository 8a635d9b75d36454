import { sql } from 'kysely';
import type { Database } from '../../../src/db/connection.ts';
import { hashOf } from './filled-index.ts';

const ROWS = 20_000;

/** The accounts of the filled tables, by what they are. */
export const contractOf = (letter: 'a' | 'm' | 'w' | 'c' | 'n', number: number): Buffer =>
  Buffer.concat([Buffer.of(0), hashOf(`${letter}${number}`)]);

/**
 * 20 000 rows per table: accounts `a` with domains, jettons `m` with ten wallets `w` each, collections `c` and NFT items
 * `n`, half of them with metadata.
 */
export async function fillContracts(database: Database): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(database.primary);
  await sql`analyze`.execute(database.primary);
}

const account = (letter: string, i = 'i') => `'\\x00'::bytea || sha256(('${letter}' || ${i})::bytea)`;
const rows = `from generate_series(1, ${ROWS}) i`;
const state = `1, '', ''`;
const stateColumns = 'last_transaction_lt, code_hash, data_hash';

const STATEMENTS = [
  `insert into latest_account_states
   select ${account('a')}, ''::bytea, 'active', 0, null, sha256(('code' || i % 200)::bytea), null, null, 1, '', 1, 1 ${rows}`,
  `insert into contract_codes select sha256(('code' || i)::bytea), '', array(select generate_series(65536, 65556))
   from generate_series(0, 199) i`,
  `insert into dns_entries (account, ${stateColumns}, owner, domain, wallet)
   select ${account('d')}, ${state}, ${account('a')}, 'name' || i || '.ton', ${account('a')} ${rows}`,
  `insert into jetton_masters (account, ${stateColumns}, total_supply, mintable, content, wallet_code_hash)
   select ${account('m')}, ${state}, 0, true, '{}', '' ${rows}`,
  `insert into jetton_wallets (account, ${stateColumns}, balance, owner, jetton)
   select ${account('w')}, ${state}, i, ${account('a')}, ${account('m', '(i - 1) / 10 + 1')} ${rows}`,
  `insert into nft_collections (account, ${stateColumns}, next_item_index, content)
   select ${account('c')}, ${state}, 0, '{}' ${rows}`,
  `insert into nft_items (account, ${stateColumns}, init, index, content)
   select ${account('n')}, ${state}, true, i, '{}' ${rows}`,
  `insert into token_metadata (account, kind, source_hash, valid, name)
   select ${account('m')}, 'jetton_masters', '', true, 'name' ${rows}`,
  `insert into token_metadata (account, kind, source_hash, valid, name)
   select ${account('n')}, 'nft_items', '', true, 'name' ${rows}`,
];
