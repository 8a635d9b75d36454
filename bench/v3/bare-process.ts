/**
 * The floor: sends the statements that requests need, and nothing else, with the driver alone, in a process of its own.
 * Arguments: the URL of the database, connections to it.
 */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import pg from 'pg';
import { type Load, loadWith, type Pressure } from '../v2/load.ts';
import type { Statement } from './record.ts';

/** What it is asked to do. */
export interface BareOrder {
  /** Has the statements of each round. */
  readonly file: string;
  readonly pressure: Pressure;
}

/** What it answers. */
export type BareAnswer = { readonly load: Load } | { readonly failed: string };

const [url = '', poolSize = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });

process.on('message', (order: BareOrder | 'usage') => {
  if (order === 'usage') return;
  run(order).then(
    (load) => process.send?.({ load } satisfies BareAnswer),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies BareAnswer),
  );
});
process.on('disconnect', () => process.exit(0));

async function run({ file, pressure }: BareOrder): Promise<Load> {
  const rounds = deserialize(readFileSync(file)) as readonly (readonly Statement[])[];
  let next = 0;
  return loadWith(async () => {
    const statements = rounds[next++ % rounds.length]!;
    const client = await pool.connect();
    try {
      for (const { sql, parameters } of statements) await client.query(sql, [...parameters]);
    } finally {
      client.release();
    }
  }, pressure);
}
