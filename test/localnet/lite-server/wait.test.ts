import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeLiteError, withWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import { decodeResponse, encodeRequest } from '../../../src/lite/methods/codec.ts';
import { waitForBlock } from '../../../src/localnet/lite-server/request-handler.ts';
import { sampleStore } from '../support/sample-store.ts';
import { answersFrom } from './support/answers.ts';

const MASTERCHAIN_INFO = encodeRequest({ method: 'getMasterchainInfo' });

describe('a query that waits for a masterchain block', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gets an immediate response when the block exists', async () => {
    const { store } = sampleStore(2);
    const request = withWaitPrefix({ seqno: 2, timeoutMs: 0 }, MASTERCHAIN_INFO);
    const answer = decodeResponse('getMasterchainInfo', await answersFrom(store).bytes(request));
    expect(answer.last.seqno).toBe(2);
  });

  it('gets a response when the block comes', async () => {
    const { store, steps } = sampleStore(2);
    const request = withWaitPrefix({ seqno: 4, timeoutMs: 1000 }, MASTERCHAIN_INFO);
    const answering = answersFrom(store).bytes(request);
    // What comes after it on the wire must not change it.
    request.fill(0);
    store.append(steps[2]!);
    store.append(steps[3]!);
    expect(decodeResponse('getMasterchainInfo', await answering).last.seqno).toBe(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails after its timeout, which is at most ten seconds', async () => {
    const { store } = sampleStore(2);
    for (const timeoutMs of [300, 60_000]) {
      const answering = answersFrom(store).bytes(withWaitPrefix({ seqno: 3, timeoutMs }, MASTERCHAIN_INFO));
      await vi.advanceTimersByTimeAsync(Math.min(timeoutMs, 10_000));
      expect(decodeLiteError(await answering)).toEqual({ code: 652, message: 'timeout' });
    }
  });

  it('fails immediately when the block is too far ahead or the timeout is zero', async () => {
    const { store } = sampleStore(2);
    const error = async (seqno: number, timeoutMs: number) =>
      decodeLiteError(await answersFrom(store).bytes(withWaitPrefix({ seqno, timeoutMs }, MASTERCHAIN_INFO)));
    expect(await error(103, 300)).toEqual({ code: 651, message: 'too big masterchain block seqno' });
    expect(await error(-1, 300)).toEqual({ code: 651, message: 'too big masterchain block seqno' });
    expect(await error(3, 0)).toEqual({ code: 652, message: 'timeout' });
  });

  it('is dropped when its client disconnects', async () => {
    const { store } = sampleStore(2);
    const client = new AbortController();
    const waiting = waitForBlock(store, { seqno: 3, timeoutMs: 5000 }, client.signal);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 653 });
    expect(vi.getTimerCount()).toBe(0);
  });
});
