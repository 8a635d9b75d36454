import { describe, expect, it } from 'vitest';
import { createFairTurns, type Turn } from '../../src/lib/fair-turns.ts';

const OPTIONS = { limit: 2, maxWaiting: 100, maxWaitMs: 60_000, refusal: 'Too many' };
const { signal } = new AbortController();
const by = (id: string) => ({ payer: { id, rps: 1 }, signal });

/** Takes a turn that is free now. */
function takeNow(turn: Turn | Promise<Turn>): Turn {
  if (turn instanceof Promise) throw new Error('It has to wait');
  return turn;
}

describe('fair turns', () => {
  it('let so many begin at once, and others when one ends, payers in turn', async () => {
    const turns = createFairTurns(OPTIONS);
    const running = [takeNow(turns.take(by('a'))), takeNow(turns.take(by('a')))];
    const begun: string[] = [];
    const rest = ['a', 'a', 'b'].map(async (id) => {
      const turn = await turns.take(by(id));
      begun.push(id);
      turn.end();
    });
    for (const turn of running) {
      turn.end();
      turn.end();
    }
    await Promise.all(rest);
    expect(begun).toEqual(['b', 'a', 'a']);
    // Ending a turn twice made no third one.
    takeNow(turns.take(by('c')));
    takeNow(turns.take(by('c')));
    expect(turns.take(by('c'))).toBeInstanceOf(Promise);
  });

  it('leave some to others if a payer may only have so many', async () => {
    const turns = createFairTurns({ ...OPTIONS, maxPerPayer: 1 });
    const first = takeNow(turns.take(by('a')));
    const second = turns.take(by('a'));
    expect(second).toBeInstanceOf(Promise);
    expect(turns.takeFree(by('a'))).toBeUndefined();
    takeNow(turns.take(by('b')));
    expect(turns.takeFree(by('c'))).toBeUndefined();
    first.end();
    (await second).end();
    expect(turns.takeFree(by('c'))).toBeDefined();
  });

  it('forget who has gone, and refuse who waits too long or is one too many', async () => {
    const turns = createFairTurns({ ...OPTIONS, limit: 1, maxWaiting: 1, maxWaitMs: 20 });
    const only = takeNow(turns.take(by('a')));
    const client = new AbortController();
    const gone = turns.take({ ...by('b'), signal: client.signal });
    const tooMany = turns.take(by('b'));
    await expect(tooMany).rejects.toMatchObject({ kind: 'overloaded', message: 'Too many' });
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(() => turns.take({ ...by('b'), signal: client.signal })).toThrow('gone');
    await expect(turns.take(by('c'))).rejects.toMatchObject({ retryAfterSeconds: 2 });
    only.end();
    takeNow(turns.take(by('d')));
  });
});
