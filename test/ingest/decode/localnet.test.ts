import { isDeepStrictEqual } from 'node:util';
import { beginCell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import type { BlockInfo, StateUpdate } from '../../../src/chain/tlb/block.ts';
import { walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import type { DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import { openBlockStates } from '../../../src/ingest/decode/account-changes.ts';
import { BrokenBlock } from '../../../src/ingest/decode/broken-block.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import { decodeJob, toWire, unpackReply } from '../../../src/ingest/decode/worker-messages.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import type { FetchedBlock } from '../../../src/ingest/fetch/masterchain-blocks.ts';
import { repairBoc } from '../../support/fuzz/boc.ts';
import { fuzzDecoders } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';
import { type DecodedTables, expectSeqnosAsCore, openDecodedTables } from './support/check-seqnos.ts';
import { expectShownStates, expectStates, FollowedStates } from './support/check-states.ts';
import { type LocalSeqnos, openLocalSeqnos } from './support/seqnos.ts';

describe('decoding a local chain', () => {
  let demo: LocalSeqnos;
  let tables: DecodedTables;
  let decoded: DecodedSeqno[];

  beforeAll(async () => {
    [demo, tables] = await Promise.all([openLocalSeqnos('demo'), openDecodedTables()]);
    decoded = demo.seqnos.map(decodeSeqno);
  });
  afterAll(async () => {
    await tables?.close();
    await demo?.close();
  });

  it('gives the rows read with @ton/core', async () => {
    await expectSeqnosAsCore(
      tables,
      demo.seqnos.map((fetched, i) => [fetched, decoded[i]!]),
    );
    expect(await tables.rows('shard_states')).toHaveLength(demo.seqnos.length);
  });

  it('gives the state of every touched account after each block', () => {
    const states = new FollowedStates(demo.zeroStates);
    const counts = { changes: 0, hiddenBefore: 0, hiddenExtra: 0, wholeData: 0, partialData: 0, codes: 0 };
    for (const [i, fetched] of demo.seqnos.entries()) expectStates(states, fetched, decoded[i]!, counts);
    expectShownStates(decoded);
    for (const count of [counts.changes, counts.wholeData, counts.codes]) expect(count).toBeGreaterThan(10);
  });

  it('finds the accounts of both shards before a merge', () => {
    const { tops } = demo.seqnos.at(-1)!;
    const trees = tops.toSorted((a, b) =>
      BigInt.asUintN(64, a.shard) < BigInt.asUintN(64, b.shard) ? -1 : 1,
    );
    const states = trees.map((id) => {
      const state = demo.store.state(id);
      if (state === undefined || state === 'gone') throw new Error('no state');
      return state;
    });
    expect(states).toHaveLength(2);
    const [left, right] = states.map(({ cells, cell: root }) => toCoreCell(cells, root));
    const joined = beginCell().storeUint(0x5f327da5, 32).storeRef(left!).storeRef(right!).endCell();
    const bag = fromCoreCell(joined);
    const info = { afterMerge: true, shard: WHOLE_SHARD } as BlockInfo;
    const update = { old: bag.root, new: bag.ref(bag.root, 0) } as StateUpdate;
    const find = openBlockStates(bag, info, update).before;
    let found = 0;
    for (const { cells, cell: root } of states)
      walkShardAccounts(cells, readShardState(cells, root).accounts, (id, { account }) => {
        const shown = find(id);
        if (shown.kind !== 'shown') throw new Error(shown.kind);
        expect(bag.hash(shown.cell)).toEqual(cells.hash(account));
        found++;
      });
    expect(found).toBeGreaterThan(10);
    expect(find(Buffer.alloc(32, 0x3c))).toEqual({ kind: 'hidden' });
  });

  it('gives the same after packing and unpacking', () => {
    // `expect` is slow for this many bytes.
    const reply = decodeJob(toWire(demo.seqnos), decodeSeqno);
    expect(isDeepStrictEqual(unpackReply(reply), decoded)).toBe(true);
  });

  it('names an invalid block in its error', () => {
    const busy = demo.seqnos.findIndex(
      (_, i) => decoded[i]!.transactions.count > 5 && demo.seqnos[i]!.shardBlocks.length > 1,
    );
    const fetched = demo.seqnos[busy]!;
    const [first, second] = fetched.shardBlocks;
    const swapped = { ...fetched, shardBlocks: [{ id: first!.id, bytes: second!.bytes }] };
    const { seqno, shard } = first!.id;
    const name = `(0,${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')},${seqno})`;
    expect(() => decodeSeqno(swapped)).toThrow(
      `block ${name} cannot be decoded: the header names another block`,
    );
    expect(() => decodeSeqno(swapped)).toThrow(BrokenBlock);
    const empty = { ...fetched, masterchain: { ...fetched.masterchain, bytes: Buffer.alloc(0) } };
    expect(() => decodeSeqno(empty)).toThrow(/^block \(-1,8000000000000000,\d+\) cannot be decoded: /);
  });

  it('either decodes a damaged block or throws an error that names it', () => {
    const targets = [];
    for (const fetched of demo.seqnos.slice(-12))
      for (const [i, block] of [fetched.masterchain, ...fetched.shardBlocks].entries())
        targets.push({
          name: `seqno ${fetched.mcSeqno}, block ${i}`,
          seeds: [withoutChecksum(block)],
          decode: (bytes: Buffer) => void decodeSeqno(withBlock(fetched, i, repairBoc(bytes))),
        });
    const report = fuzzDecoders({
      targets,
      expectedError: BrokenBlock,
      rounds: sampled(500, 2000),
      seed: 20_262,
      hangMs: 5000,
    });
    expect(report.problems).toEqual([]);
    expect(report.rejected).toBeGreaterThan(sampled(25, 100));
    expect(report.accepted).toBeGreaterThan(sampled(25, 100));
  });

  it('rejects a state that contradicts the last transaction', () => {
    const found = new Set<string>();
    for (const fetched of demo.seqnos.slice(-12))
      for (const [i, block] of [fetched.masterchain, ...fetched.shardBlocks].entries()) {
        const bytes = withoutChecksum(block);
        for (let bit = 0; bit < bytes.length * 8 && found.size === 0; bit += 97) {
          const damaged = Buffer.from(bytes);
          damaged[bit >> 3]! ^= 0x80 >> (bit & 7);
          try {
            decodeSeqno(withBlock(fetched, i, damaged));
          } catch (error) {
            const { message } = error as Error;
            if (/the state of account -?\d+:[0-9a-f]{64} does not have the hash/.test(message))
              found.add(message);
          }
        }
      }
    expect(found.size).toBeGreaterThan(0);
  });
});

function withoutChecksum({ bytes }: FetchedBlock): Buffer {
  const bag = readBoc(bytes);
  return writeBoc({ cells: bag, roots: bag.roots }, { order: 'core', crc: false });
}

/** The same seqno with other bytes for one block. */
function withBlock(fetched: FetchedSeqno, index: number, bytes: Buffer): FetchedSeqno {
  if (index === 0) return { ...fetched, masterchain: { ...fetched.masterchain, bytes }, shardBlocks: [] };
  const shardBlocks = fetched.shardBlocks
    .filter((_, i) => i === index - 1)
    .map((block) => ({ ...block, bytes }));
  return { ...fetched, shardBlocks };
}
