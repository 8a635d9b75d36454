import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BrokenBlock } from '../../../src/ingest/decode/broken-block.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import {
  createDecoder,
  type Decoder,
  type DecoderOptions,
  DecodeThreadEnded,
} from '../../../src/ingest/decode/decoder.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { type LocalSeqnos, openLocalSeqnos } from './support/seqnos.ts';

const RUN_LIMIT_MS = 300;

let chain: LocalSeqnos;
let folder: string;
const open: Decoder[] = [];

beforeAll(async () => {
  folder = makeTemporaryDirectory('decoder');
  chain = await openLocalSeqnos('quiet');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((decoder) => decoder.close()));
});
afterAll(async () => {
  delete process.env.DIED_ONCE;
  await chain?.close();
  await removeTemporaryDirectory(folder);
});

function openDecoder(options: Partial<DecoderOptions> = {}) {
  const log = createQuietLog();
  const decoder = createDecoder({ threads: 1, log, ...options });
  open.push(decoder);
  return { decoder, log };
}

/** A decoder whose threads end on certain seqnos. */
function openScripted(options: Partial<DecoderOptions> = {}) {
  const workerFile = new URL('./support/scripted-decode-worker.ts', import.meta.url);
  // A thread starts with a copy of the environment.
  process.env.DIED_ONCE = join(folder, 'died-once');
  return openDecoder({ workerFile, ...options });
}

/** A real seqno under another number. */
function numbered(mcSeqno: number): FetchedSeqno {
  return { ...chain.seqnos[1]!, mcSeqno };
}

describe('decoder', () => {
  it('returns what decodeSeqno returns in this thread, and leaves the blocks usable', async () => {
    const { decoder, log } = openDecoder({ threads: 2 });
    const decoded = await Promise.all(chain.seqnos.map((fetched) => decoder.decode(fetched)));
    expect(isDeepStrictEqual(decoded, chain.seqnos.map(decodeSeqno))).toBe(true);
    expect(decoded.some(({ transactions }) => transactions.count > 0)).toBe(true);
    const many = Array.from({ length: 60 }, (_, i) => chain.seqnos[i % chain.seqnos.length]!);
    const again = await Promise.all(many.map((fetched) => decoder.decode(fetched)));
    expect(again.map(({ mcSeqno }) => mcSeqno)).toEqual(many.map(({ mcSeqno }) => mcSeqno));
    expect(log.lines).toEqual([]);
  });

  it('rejects with BrokenBlock naming a broken block, and keeps its thread', async () => {
    const { decoder, log } = openDecoder();
    const [first] = chain.seqnos;
    const broken = { ...first!, masterchain: { ...first!.masterchain, bytes: Buffer.from('no block') } };
    const error = await decoder.decode(broken).catch((reason) => reason);
    expect(error).toBeInstanceOf(BrokenBlock);
    expect(error.message).toMatch(/^block \(-1,8000000000000000,1\) cannot be decoded: /);
    expect(await decoder.decode(first!)).toMatchObject({ mcSeqno: 1 });
    expect(log.lines).toEqual([]);
  });

  it('replaces a thread that exits, retries its seqno, and rejects one that ended two threads', async () => {
    // One after another, because each thread takes long to start.
    const { decoder, log } = openScripted();
    expect(await decoder.decode(numbered(102))).toMatchObject({ mcSeqno: 102 });
    expect(log.texts()).toEqual(['Worker thread failed']);
    expect(await decoder.decode(numbered(7))).toMatchObject({ mcSeqno: 7 });
    const ends = [
      [100, 'exit code 3'],
      [101, 'Error: broken on purpose'],
    ] as const;
    for (const [seqno, text] of ends) {
      const before = log.lines.length;
      await expect(decoder.decode(numbered(seqno))).rejects.toThrow(new DecodeThreadEnded(text));
      expect(log.lines).toHaveLength(before + 2);
    }
    expect(await decoder.decode(numbered(7))).toMatchObject({ mcSeqno: 7 });
  });

  it('decodes the seqnos that were sent together with one that ends the thread', async () => {
    const { decoder } = openScripted();
    // The first two are sent alone, the others wait and are sent together.
    const seqnos = [7, 8, 9, 10, 100, 11, 12, 13];
    const results = await Promise.allSettled(seqnos.map((seqno) => decoder.decode(numbered(seqno))));
    for (const [i, result] of results.entries())
      if (seqnos[i] === 100) expect(result).toMatchObject({ reason: new DecodeThreadEnded('exit code 3') });
      else expect(result).toMatchObject({ value: { mcSeqno: seqnos[i] } });
  });

  it('rejects only the broken seqno of those that were sent together', async () => {
    const { decoder, log } = openDecoder();
    const [first] = chain.seqnos;
    const broken = { ...first!, masterchain: { ...first!.masterchain, bytes: Buffer.from('no block') } };
    const seqnos = Array.from({ length: 12 }, (_, i) => (i === 6 ? broken : numbered(1)));
    const results = await Promise.allSettled(seqnos.map((fetched) => decoder.decode(fetched)));
    expect(results.map(({ status }) => status)).toEqual(
      seqnos.map((fetched) => (fetched === broken ? 'rejected' : 'fulfilled')),
    );
    expect(log.lines).toEqual([]);
  });

  it('rejects a seqno that takes too long in two threads', async () => {
    const { decoder, log } = openScripted({ runLimitMs: RUN_LIMIT_MS });
    const error = await decoder.decode(numbered(103)).catch((reason) => reason);
    expect(error).toBeInstanceOf(DecodeThreadEnded);
    expect(error.message).toBe(`the decoding thread ended: step took more than ${RUN_LIMIT_MS} ms`);
    expect(log.lines).toHaveLength(2);
  });

  it('rejects all unfinished seqnos when it is closed', async () => {
    const { decoder } = openScripted();
    const jobs = [103, 7, 8, 9].map((seqno) => decoder.decode(numbered(seqno)));
    const results = Promise.allSettled(jobs);
    await decoder.close();
    for (const result of await results)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: new DecodeThreadEnded('the decoder is closed'),
      });
    await expect(decoder.decode(numbered(7))).rejects.toThrow('the decoder is closed');
    await decoder.close();
  });
});
