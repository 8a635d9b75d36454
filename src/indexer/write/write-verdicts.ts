import type { ClientBase } from 'pg';
import type { Verdicts } from '../detect/verdicts.ts';
import { type ChainMetadataSettings, dropMetadata, writeMetadata } from '../metadata/write-metadata.ts';
import { writeContracts } from './write-contracts.ts';
import type { FigureBook } from './write-figures.ts';

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
}
