import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import { CopyBuffer } from '../../db/copy.ts';
import { partitionStart } from '../../db/partitions.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { ContractCode, DecodedSeqno } from '../decode/decoded-seqno.ts';
import { copyIn, type WriteStatsRecorder } from './copy-in.ts';

const MAX_KNOWN = 100_000;

/** Contents and codes that are certainly in the database and need not be sent again. */
export interface KnownContents {
  readonly partitionSeqnos: number;
  /** Writes unknown contents and codes; the returned function must be called after the commit. */
  write(client: ClientBase, seqnos: readonly DecodedSeqno[], stats: WriteStatsRecorder): Promise<() => void>;
}

/** Creates an empty cache. Popular bodies, above all the empty one, come with nearly every block. */
export function createKnownContents(partitionSeqnos: number): KnownContents {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });

  return {
    partitionSeqnos,
    async write(client, seqnos, stats) {
      const keys = new Set<string>();
      const contents = new CopyBuffer();
      const codes = new CopyBuffer();
      const isNew = (key: string) => {
        if (known.get(key) === true || keys.has(key)) return false;
        keys.add(key);
        return true;
      };
      for (const { mcSeqno, contents: found, codes: foundCodes } of seqnos) {
        const part = partitionStart(mcSeqno, partitionSeqnos);
        for (const { hash, boc } of found)
          if (isNew(`${part}:${bytesKey(hash)}`)) contents.row(3).bytes(hash).int4(part).bytes(boc);
        for (const code of foundCodes) if (isNew(`code:${bytesKey(code.hash)}`)) writeCode(codes, code);
      }
      stats.add(await copyIn(client, 'new_contents', ['hash', 'part', 'boc'], [contents.rows()]));
      stats.add(await copyIn(client, 'new_codes', ['hash', 'boc', 'methods'], [codes.rows()]));
      // In key order, so that concurrent writers cannot deadlock.
      if (contents.rows().count > 0)
        await client.query(
          `insert into message_contents (hash, part, boc)
           select hash, part, boc from new_contents order by hash, part on conflict do nothing`,
        );
      if (codes.rows().count > 0)
        await client.query(
          `insert into contract_codes (hash, boc, methods)
           select hash, boc, methods from new_codes order by hash on conflict do nothing`,
        );
      return () => {
        for (const key of keys) known.set(key, true);
      };
    },
  };
}

function writeCode(rows: CopyBuffer, { hash, boc, methods }: ContractCode): void {
  rows.row(3).bytes(hash).bytes(boc).int8Array(methods);
}
