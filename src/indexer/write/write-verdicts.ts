import type { ClientBase } from 'pg';
import { CONTRACT_TABLES, type ContractTable } from '../../db/contract-tables.ts';
import type { Verdicts } from '../detect/verdicts.ts';
import { keyOf } from '../hash-key.ts';
import { type ChainMetadataSettings, dropMetadata, writeMetadata } from '../metadata/write-metadata.ts';
import { writeContracts } from './write-contracts.ts';
import type { FigureBook } from './write-figures.ts';

/** On a network that makes its domains known after it has some. */
const JUDGE_ITEMS_AGAIN = `
insert into missing_cells (account, last_trans_lt, undetected)
select item.account, item.last_transaction_lt, true from nft_items item
where item.collection = any($1::bytea[])
  and not exists (select from dns_entries entry where entry.account = item.account)
order by item.account
on conflict (account) do update set undetected = true`;

/** Writes what contracts are and what is shown of them. The newest states must be written before. */
export async function writeVerdicts(
  client: ClientBase,
  verdicts: Verdicts,
  settings: ChainMetadataSettings,
  book: FigureBook,
): Promise<void> {
  const { found, removed } = await writeContracts(client, verdicts, book);
  for (const [table, accounts] of removed) await dropMetadata(client, table, accounts);
  await writeMetadata(client, found, settings);
  const { freshZones = [] } = verdicts;
  if (freshZones.length > 0) await client.query(JUDGE_ITEMS_AGAIN, [freshZones]);
}

/** Verdicts by which judged accounts go from all tables where they were not found: the judge did not know what they were. */
export function withdrawnElsewhere(verdicts: Verdicts, accounts: readonly Buffer[]): Verdicts {
  const { undetected } = verdicts;
  const judged = accounts.filter((account) => !undetected.has(keyOf(account)));
  if (judged.length === 0) return verdicts;
  const gone = (table: ContractTable) => [...(verdicts.withdrawn.get(table) ?? []), ...judged];
  return { ...verdicts, withdrawn: new Map(CONTRACT_TABLES.map((table) => [table, gone(table)])) };
}
