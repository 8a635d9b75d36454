import type { ClientBase } from 'pg';
import type { Verdicts } from '../detect/verdicts.ts';
import { settleWaiting } from '../events/settle-waiting.ts';
import type { ChainMetadataSettings } from '../metadata/write-metadata.ts';
import type { AccountCells } from '../states/account-cells.ts';
import type { MissingRow } from '../states/missing-rows.ts';
import { FigureBook } from './write-figures.ts';
import { writeVerdicts } from './write-verdicts.ts';

/**
 * Keeps the cells of an account, and what it is, if the state they are of is still its newest one. The account is done
 * then, unless it could not be judged.
 */
export async function keepAccount(
  client: ClientBase,
  { account, hash, dataHash }: MissingRow,
  { code, data, balanceExtra }: AccountCells,
  verdicts: Verdicts | undefined,
  settings: ChainMetadataSettings,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'update latest_account_states set balance_extra = $3 where account = $1 and hash = $2',
    [account, hash, balanceExtra ?? null],
  );
  if (rowCount === 0) return false;
  if (dataHash !== null && data !== undefined)
    await client.query(
      `insert into account_data (account, hash, boc) values ($1, $2, $3)
       on conflict (account) do update set hash = excluded.hash, boc = excluded.boc`,
      [account, dataHash, data],
    );
  if (code !== undefined)
    await client.query(
      'insert into contract_codes (hash, boc, methods) values ($1, $2, $3) on conflict do nothing',
      [code.hash, code.boc, code.methods ?? null],
    );
  if (verdicts !== undefined && verdicts.undetected.size > 0) return true;
  await client.query('delete from missing_cells where account = $1', [account]);
  if (verdicts !== undefined) await writeVerdicts(client, verdicts, settings, new FigureBook());
  await settleWaiting(client, [account]);
  return true;
}
