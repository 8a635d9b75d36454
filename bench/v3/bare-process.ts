/**
 * The baseline: sends the SQL statements of requests with the driver alone.
 * Arguments: the URL of the database, the pool size.
 */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import pg from 'pg';
import { type Load, loadWith, type Pressure } from '../support/load.ts';
import type { Statement } from './bench-app.ts';

/** A message to this process: run the statements in a file. */
export interface BareOrder {
  /** The statements of each request. */
  readonly file: string;
  readonly pressure: Pressure;
}

/** The reply. */
export type BareReply = { readonly load: Load } | { readonly failed: string };

const [url = '', poolSize = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });

process.on('message', (order: BareOrder | 'usage') => {
  if (order === 'usage') return;
  run(order).then(
    (load) => process.send?.({ load } satisfies BareReply),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies BareReply),
  );
});
process.on('disconnect', () => process.exit(0));

async function run({ file, pressure }: BareOrder): Promise<Load> {
  const requests = deserialize(readFileSync(file)) as readonly (readonly Statement[])[];
  let next = 0;
  return loadWith(async () => {
    const statements = requests[next++ % requests.length]!;
    const client = await pool.connect();
    try {
      for (const { sql, parameters } of statements) await client.query(sql, [...parameters]);
    } finally {
      client.release();
    }
  }, pressure);
}
