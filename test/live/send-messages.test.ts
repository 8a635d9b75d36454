import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createResender } from '../../src/live/send-messages.ts';

const messageOf = (text: string, bytes = 10) => ({
  boc: Buffer.alloc(bytes),
  hash: Buffer.from(text),
  normalizedHash: Buffer.from(text),
});

/** Counts attempts; the first `refusals` of them fail. */
function sender(refusals: number) {
  const counts = { sent: 0 };
  const send = async (): Promise<void> => {
    counts.sent += 1;
    if (counts.sent <= refusals) throw new Error('not taken');
  };
  return { counts, send };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1);
}

describe('createResender', () => {
  it('repeats a message until it is accepted', async () => {
    const resender = createResender({ everyMs: 1, attempts: 10 });
    const { counts, send } = sender(3);
    resender.start(messageOf('a'), send);
    await until(() => counts.sent === 4);
    await sleep(20);
    expect(counts.sent).toBe(4);
    resender.close();
  });

  it('gives up after the last attempt', async () => {
    const resender = createResender({ everyMs: 1, attempts: 3 });
    const { counts, send } = sender(100);
    resender.start(messageOf('a'), send);
    await until(() => counts.sent === 3);
    await sleep(20);
    expect(counts.sent).toBe(3);
    resender.close();
  });

  it('does not start a message that is being retried already', async () => {
    const resender = createResender({ everyMs: 60_000 });
    const { counts, send } = sender(100);
    resender.start(messageOf('a'), send);
    resender.start(messageOf('a'), send);
    await sleep(5);
    expect(counts.sent).toBe(1);
    resender.close();
  });

  it('rejects messages above the memory limit until there is room', async () => {
    const resender = createResender({ everyMs: 1, attempts: 2, maxBytes: 4000 });
    const { counts, send } = sender(2);
    resender.start(messageOf('a', 2000), send);
    expect(() => resender.start(messageOf('b', 2000), send)).toThrow('too many messages');
    await until(() => counts.sent === 2);
    await sleep(5);
    resender.start(messageOf('b', 2000), send);
    expect(counts.sent).toBe(3);
    resender.close();
  });

  it('stops sending when closed', async () => {
    const resender = createResender({ everyMs: 5 });
    const { counts, send } = sender(100);
    resender.start(messageOf('a'), send);
    resender.close();
    await sleep(20);
    expect(counts.sent).toBe(1);
    resender.start(messageOf('b'), send);
    expect(counts.sent).toBe(1);
  });
});
