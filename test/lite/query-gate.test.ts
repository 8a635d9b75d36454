import { describe, expect, it } from 'vitest';
import { LiteTimeout } from '../../src/lite/errors.ts';
import { QueryGate } from '../../src/lite/query-gate.ts';

describe('the gate in front of a server', () => {
  it('lets so many in at once, and the others in their order', async () => {
    const gate = new QueryGate(2);
    const entered: string[] = [];
    expect(gate.enter(1000)).toBeUndefined();
    expect(gate.enter(1000)).toBeUndefined();
    const third = gate.enter(1000)?.then(() => entered.push('third'));
    const fourth = gate.enter(1000)?.then(() => entered.push('fourth'));
    expect([gate.running, gate.waiting]).toEqual([2, 2]);
    gate.leave();
    await third;
    expect([gate.running, gate.waiting]).toEqual([2, 1]);
    gate.leave();
    await fourth;
    expect(entered).toEqual(['third', 'fourth']);
    gate.leave();
    gate.leave();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });

  it('sends those away whose time is over, and lets the next one in before them', async () => {
    const gate = new QueryGate(1);
    gate.enter(1000);
    const short = gate.enter(5);
    const long = gate.enter(10_000);
    await expect(short).rejects.toThrow(LiteTimeout);
    expect(gate.waiting).toBe(1);
    gate.leave();
    await long;
    gate.leave();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });

  it('lets those go who want to', async () => {
    const gate = new QueryGate(1);
    gate.enter(1000);
    const abort = new AbortController();
    const waiting = gate.enter(10_000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    gate.leave();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });
});
