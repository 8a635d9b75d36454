import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { CopyBuffer } from '../../db/copy.ts';
import { databaseOf } from '../../db/driver.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { copyIn, type WriteStatsRecorder } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

const MAX_KNOWN = 100_000;

export async function insertCode(client: ClientBase, { hash, boc, methods }: ContractCode): Promise<void> {
  await databaseOf(client)
    .insertInto('contract_codes')
    .values({ hash, boc, methods: methods ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Creates a cache of the codes that need not be sent again: popular ones come with nearly every block. */
export function createKnownCodes() {
  const known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  return {
    /** Writes unknown codes; the returned function must be called after the commit. */
    async write(
      client: ClientBase,
      seqnos: readonly Pick<DecodedSeqno, 'codes'>[],
      stats: WriteStatsRecorder,
    ) {
      const keys = new Set<string>();
      const rows = new CopyBuffer();
      for (const { hash, boc, methods } of seqnos.flatMap(({ codes }) => codes)) {
        const key = bytesKey(hash);
        if (known.get(key) === true || keys.has(key)) continue;
        keys.add(key);
        rows.row(3).bytes(hash).bytes(boc).int8Array(methods);
      }
      stats.add(await copyIn(client, 'new_codes', ['hash', 'boc', 'methods'], [rows.rows()]));
      // In key order, so that concurrent writers cannot deadlock.
      if (keys.size > 0)
        await client.query(
          `insert into contract_codes (hash, boc, methods)
           select hash, boc, methods from new_codes order by hash on conflict do nothing`,
        );
      return () => {
        for (const key of keys) known.set(key, true);
      };
    },
    clear: () => known.clear(),
  };
}
