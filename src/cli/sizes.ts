import { readClusterNodes } from '../db/check-database.ts';
import type { Database } from '../db/connection.ts';
import { isCluster } from '../db/driver.ts';
import { readIndexSizes, readPartitionSizes } from '../index/sizes.ts';
import type { TextOutput } from '../lib/log.ts';
import { formatBytes, formatNodes, formatTable } from './format.ts';

/** Prints the disk usage of the index by table, by partition and per million transactions. */
export async function sizesCommand(database: Database, out: TextOutput): Promise<number> {
  const tables = await database.read(readIndexSizes);
  const partitions = await database.read(readPartitionSizes);
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const transactions = tables.find(({ table }) => table === 'transactions')?.rows ?? 0;
  out.write(
    `${formatTable(
      tables.map(({ table, rows, heapBytes, indexBytes, bytes, bytesPerMillionTransactions: each }) => ({
        TABLE: table,
        ROWS: `${rows}`,
        DATA: formatBytes(heapBytes),
        INDEXES: formatBytes(indexBytes),
        TOTAL: formatBytes(bytes),
        'PER MILLION TRANSACTIONS': each === undefined ? '' : formatBytes(each),
      })),
    )}\n`,
  );
  if (partitions.length > 0)
    out.write(
      `${formatTable(partitions.map(({ start, bytes }) => ({ 'FROM SEQNO': `${start}`, TOTAL: formatBytes(bytes) })))}\n`,
    );
  const nodes = await database.read(async (db) => (isCluster(db) ? readClusterNodes(db) : []));
  if (nodes.length > 0) out.write(`${formatNodes(nodes)}\n`);
  out.write(`The index takes ${formatBytes(all)} for ${transactions} transactions`);
  out.write(transactions === 0 ? '.\n' : `: ${Math.round(all / transactions)} bytes each.\n`);
  return 0;
}
