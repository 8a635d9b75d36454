import { expect, test } from 'vitest';
import { createGuessGuard, MAX_FAILURES } from '../../src/access/guess-guard.ts';

async function fail(guard: ReturnType<typeof createGuessGuard>, address: string): Promise<boolean> {
  const turn = await guard.begin(address);
  turn?.end(true);
  return turn !== null;
}

test('allows so many failures a second and no more, for each address by itself', async () => {
  let time = 0;
  const guard = createGuessGuard({ now: () => time });
  for (let at = 0; at < MAX_FAILURES; at++) expect(await fail(guard, 'a')).toBe(true);
  expect(await fail(guard, 'a')).toBe(false);
  expect(guard.count('a')).toEqual({ current: MAX_FAILURES, ttl: 1000 });
  expect(await fail(guard, 'b')).toBe(true);
  time = 999;
  expect(await fail(guard, 'a')).toBe(false);
  time = 1000;
  expect(await fail(guard, 'a')).toBe(true);
});

test('tries at the same time cannot get past the bound: those in excess wait and are refused', async () => {
  const guard = createGuessGuard({ now: () => 0 });
  let underWay = 0;
  let most = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const turn = await guard.begin('a');
      if (turn === null) return 'refused';
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      turn.end(true);
      return 'failed';
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(MAX_FAILURES);
  expect(most).toBe(MAX_FAILURES);
});

test('tries that succeed are never refused, however many come at once', async () => {
  const guard = createGuessGuard({ now: () => 0 });
  const turns = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const turn = await guard.begin('a');
      await new Promise((resolve) => setImmediate(resolve));
      turn?.end(false);
      return turn;
    }),
  );
  expect(turns).not.toContain(null);
});

test('whoever waits when the second turns over is let in', async () => {
  let time = 0;
  const guard = createGuessGuard({ now: () => time });
  for (let at = 0; at < 5; at++) await fail(guard, 'a');
  const underWay = await Promise.all(Array.from({ length: 5 }, () => guard.begin('a')));
  const late = Array.from({ length: 3 }, () => guard.begin('a'));
  time = 1000;
  for (const turn of underWay) turn?.end(true);
  expect(await Promise.all(late)).not.toContain(null);
});
