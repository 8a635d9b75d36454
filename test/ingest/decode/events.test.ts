import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { readChainBlock } from '../../../src/verify/chain-block.ts';
import { expectedEvents } from '../../../src/verify/check-events.ts';
import { accountPrefix, rootOf } from '../../../src/verify/core-readers.ts';
import { placedTransactions } from '../../../src/verify/expected-rows.ts';
import { sharedRecording } from '../../localnet/support/recorded-network.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { chainSeqnos, openLocalSeqnos, seqnoOf } from './support/seqnos.ts';

const MAINNET = new URL('../../../../shared/data/mainnet/', import.meta.url);
const missingMainnet = existsSync(MAINNET)
  ? ''
  : ' (skipped: the mainnet blocks are not beside this checkout)';

/** Compares the events of seqnos with what @ton/core reads, and counts them by kind. */
function countEvents(seqnos: readonly FetchedSeqno[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fetched of seqnos) {
    const decoded = decodeSeqno(fetched);
    const blocks = [fetched.masterchain, ...fetched.shardBlocks].map(({ id, bytes }) =>
      readChainBlock(id, rootOf(bytes)),
    );
    const placed = placedTransactions({ ...fetched, masterchain: blocks[0]!, blocks });
    const expected = expectedEvents(fetched.mcSeqno, placed).map(
      ({ table, placed: { account }, columns, dst8 }) => ({
        table,
        account,
        ...columns,
        dst8,
      }),
    );
    expect(decoded.hasKeyBlock).toBe(blocks[0]!.isKey);
    expect(inOrder(rowsOf(decoded))).toEqual(inOrder(expected));
    for (const { kind } of decoded.events) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The facts of an event as verification reads them. */
function rowsOf({ mcSeqno, events, traces }: DecodedSeqno): Record<string, unknown>[] {
  return events.map(({ slot, kind, aborted, source, destination }) => ({
    table: `${kind}s`,
    account: traces.accounts.subarray(slot * 33, slot * 33 + 33),
    lt: traces.lts[slot],
    now: traces.nows[slot],
    mc_seqno: mcSeqno,
    aborted,
    src8: accountPrefix(source),
    dst8: destination === undefined ? null : accountPrefix(destination),
  }));
}

function inOrder(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const key = ({ account, lt }: Record<string, unknown>) => `${(account as Buffer).toString('hex')} ${lt}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

describe('token events equal those read with @ton/core', () => {
  it.runIf(isLongRun && missingMainnet === '')(
    `in blocks of mainnet${missingMainnet}`,
    () => {
      const bytes = (number: number) => readFileSync(new URL(`block-${number}/block.bin`, MAINNET));
      const fetched = seqnoOf(bytes(5), [1, 2, 3, 4].map(bytes), 3);
      expect(countEvents([fetched])).toEqual({ jetton_transfer: 3, nft_transfer: 1 });
    },
    300_000,
  );

  it.runIf(isLongRun && missingNetwork === '')(
    `in a recorded network${missingNetwork}`,
    () => {
      const counts = countEvents(chainSeqnos(sharedRecording(), 14));
      expect(counts).toEqual({ jetton_transfer: 5, jetton_burn: 1, nft_transfer: 2 });
    },
    300_000,
  );

  it('in a local chain with a demo', async () => {
    const chain = await openLocalSeqnos('demo');
    try {
      const counts = countEvents(chain.seqnos);
      expect(Object.keys(counts).sort()).toEqual(['jetton_burn', 'jetton_transfer', 'nft_transfer']);
    } finally {
      await chain.close();
    }
  });
});
