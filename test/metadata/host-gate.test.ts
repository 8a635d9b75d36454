import { expect, it } from 'vitest';
import { createHostGate } from '../../src/metadata/host-gate.ts';

function gateAt(start = 0) {
  const clock = { ms: start };
  return { clock, gate: createHostGate(() => clock.ms) };
}

it('limits concurrent requests per host', () => {
  const { gate } = gateAt();
  const first = gate.acquire('a', 2)!;
  gate.acquire('a', 2);
  expect(gate.acquire('a', 2)).toBeUndefined();
  expect(gate.acquire('b', 2)).toBeDefined();
  first('responded');
  expect(gate.acquire('a', 2)).toBeDefined();
});

it('defers requests that are not urgent to consecutive slots', () => {
  const { gate } = gateAt();
  expect([1, 2, 3].map(() => gate.waitMs('a', false))).toEqual([5100, 5200, 5300]);
  expect(gate.waitMs('a', true)).toBe(1000);
  expect(gate.waitMs('b', false)).toBe(5100);
});

it('pauses a host that keeps failing, longer each time', () => {
  const { gate, clock } = gateAt();
  const visit = (end: 'responded' | 'unavailable') => gate.acquire('a', 4)!(end);
  for (let i = 0; i < 4; i++) visit('unavailable');
  visit('responded');
  for (let i = 0; i < 5; i++) visit('unavailable');
  expect(gate.acquire('a', 4)).toBeUndefined();
  expect(gate.pausedHosts()).toBe(1);
  expect(gate.waitMs('a', true)).toBe(60_000);
  const pauses: number[] = [];
  for (let i = 0; i < 6; i++) {
    clock.ms += gate.waitMs('a', true);
    const release = gate.acquire('a', 4)!;
    expect(gate.acquire('a', 4), 'one finds out for all').toBeUndefined();
    release('unavailable');
    pauses.push(gate.waitMs('a', true));
  }
  expect(pauses).toEqual([120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
  clock.ms += 600_000;
  gate.acquire('a', 4)!('responded');
  expect([1, 2, 3, 4, 5].map(() => gate.acquire('a', 4) !== undefined)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(gate.pausedHosts()).toBe(0);
});

it('counts concurrent failures of a host once', () => {
  const { gate } = gateAt();
  const inside = Array.from({ length: 10 }, () => gate.acquire('a', 10)!);
  for (const release of inside) release('unavailable');
  expect(gate.waitMs('a', true)).toBe(60_000);
});
