import { parseAddress, toAccountBytes } from '../chain/address.ts';
import type { Database } from '../db/connection.ts';
import { requestReindex } from '../index/write/reindex.ts';
import { UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { readArguments } from './arguments.ts';

interface ReindexPorts {
  readonly args: readonly string[];
  readonly database: () => Promise<Pick<Database, 'write'>>;
  readonly out: TextOutput;
}

const USAGE = 'usage: reindex ADDRESS...';

/** Queues accounts to be indexed again by the running indexers; returns 1 if one of them is not in the index. */
export async function reindexCommand({ args, database, out }: ReindexPorts): Promise<number> {
  const { positionals } = readArguments(
    { args: [...args], options: {}, allowPositionals: true },
    (text) => `${text}; ${USAGE}`,
  );
  if (positionals.length === 0) throw new UsageError(USAGE);
  const texts = new Map(positionals.map((text) => [readAccount(text), text]));
  const missing = await (await database()).write((db) => requestReindex(db, [...texts.keys()]));
  for (const account of missing) out.write(`${texts.get(account)} is not in the index\n`);
  if (missing.length > 0) return 1;
  out.write(`Accounts queued: ${texts.size}; running indexers read them again\n`);
  return 0;
}

function readAccount(text: string): Buffer {
  const address = parseAddress(text);
  if (address === undefined) throw new UsageError(`"${text}" is no account address; ${USAGE}`);
  return toAccountBytes(address);
}
