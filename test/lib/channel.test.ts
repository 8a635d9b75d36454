import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { openChannel } from '../../src/lib/channel.ts';
import { Failure } from '../../src/lib/errors.ts';

function openPair() {
  const [a, b] = duplexPair();
  return [openChannel(a), openChannel(b)] as const;
}

it('answers calls, also those whose answer takes its time, and keeps the order of notices', async () => {
  const [here, there] = openPair();
  const heard: unknown[] = [];
  there.on('add', (a: number, b: number) => a + b);
  there.on('later', async (text: string) => `${text}\n`);
  there.on('note', (text: string) => heard.push(text));
  for (const text of ['a', 'b', 'ä\n']) here.notify('note', text);
  expect(await Promise.all([here.call('later', 'x'), here.call('add', 1, 2)])).toEqual(['x\n', 3]);
  expect(heard).toEqual(['a', 'b', 'ä\n']);
  expect(await here.call('note', 'c')).toBe(4);
});

it('passes failures on', async () => {
  const [here, there] = openPair();
  there.on('refuse', () => {
    throw new Failure('rate_limited', 'too many', { retryAfterSeconds: 3 });
  });
  there.on('break', async () => {
    throw new TypeError('broken');
  });
  await expect(here.call('refuse')).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 3 });
  await expect(here.call('break')).rejects.toThrow('broken');
  await expect(here.call('unknown')).rejects.toMatchObject({ kind: 'unavailable' });
  // Nobody hears of a notice that nobody expects.
  here.notify('unknown');
  there.on('fine', () => true);
  expect(await here.call('fine')).toBe(true);
});

it('rejects calls when the other end is gone', async () => {
  const [here, there] = openPair();
  there.on('never', () => new Promise(() => {}));
  const call = here.call('never');
  const rejected = expect(call).rejects.toMatchObject({ kind: 'unavailable' });
  there.close();
  await rejected;
  await here.closed;
  await expect(here.call('never')).rejects.toMatchObject({ kind: 'unavailable' });
});
