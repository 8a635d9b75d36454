import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BrokenBlock } from '../../../src/indexer/decode/broken-block.ts';
import { decodeSeqno } from '../../../src/indexer/decode/decode-seqno.ts';
import {
  createDecoder,
  type Decoder,
  type DecoderOptions,
  DecodeThreadEnded,
} from '../../../src/indexer/decode/decoder.ts';
import type { FetchedSeqno } from '../../../src/indexer/fetch/fetch-seqnos.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { type LocalSeqnos, openLocalSeqnos } from './support/seqnos.ts';

let chain: LocalSeqnos;
let folder: string;
const open: Decoder[] = [];

beforeAll(async () => {
  folder = makeTemporaryDirectory('decoder');
  chain = await openLocalSeqnos('quiet');
}, 60_000);
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
    const { decoder } = openDecoder({ threads: 2 });
    const decoded = await Promise.all(chain.seqnos.map((fetched) => decoder.decode(fetched)));
    expect(isDeepStrictEqual(decoded, chain.seqnos.map(decodeSeqno))).toBe(true);
    expect(decoded.some(({ transactions }) => transactions.count > 0)).toBe(true);
    const many = Array.from({ length: 60 }, (_, i) => chain.seqnos[i % chain.seqnos.length]!);
    const again = await Promise.all(many.map((fetched) => decoder.decode(fetched)));
    expect(again.map(({ mcSeqno }) => mcSeqno)).toEqual(many.map(({ mcSeqno }) => mcSeqno));
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

  it('replaces a thread that exits and retries its seqno', async () => {
    const { decoder, log } = openScripted();
    expect(await decoder.decode(numbered(102))).toMatchObject({ mcSeqno: 102 });
    expect(log.texts()).toEqual(['Worker thread failed']);
    expect(await decoder.decode(numbered(7))).toMatchObject({ mcSeqno: 7 });
  });

  it.each([
    [100, 'the decoding thread ended: exit code 3'],
    [101, 'the decoding thread ended: Error: broken on purpose'],
    [103, 'the decoding thread ended: step took more than 1000 ms'],
  ])('rejects seqno %s, which ended two threads: %s', async (seqno, text) => {
    const { decoder, log } = openScripted({ runLimitMs: seqno === 103 ? 1000 : 60_000 });
    const error = await decoder.decode(numbered(seqno)).catch((reason) => reason);
    expect(error).toBeInstanceOf(DecodeThreadEnded);
    expect(error.message).toBe(text);
    expect(log.lines).toHaveLength(2);
    // A new thread may need more than the short limit to start.
    if (seqno !== 103) expect(await decoder.decode(numbered(7))).toMatchObject({ mcSeqno: 7 });
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
