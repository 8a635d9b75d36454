import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Latency } from '../../src/lite/pooled-server.ts';
import { chooseServer, eligibleServers, type ServerCandidate } from '../../src/lite/server-choice.ts';

const HEAD = 100_000;

interface Named extends ServerCandidate {
  readonly name: string;
}

function server(name: string, facts: Partial<ServerCandidate> & { ms?: number } = {}): Named {
  const { ms = 10, ...rest } = facts;
  const usual = {
    index: 0,
    seqno: HEAD,
    oldestSeqno: HEAD - 50_000,
    isArchival: false,
    isReady: true,
    load: 0,
  };
  return { ...usual, ...rest, name, expectedMs: () => ms };
}

const archival = (name: string) => server(name, { oldestSeqno: 3, isArchival: true });
const names = (servers: readonly Named[]) => servers.map(({ name }) => name);

describe('eligibleServers', () => {
  it('returns all live servers for a request about the head', () => {
    expect(names(eligibleServers([server('a'), archival('b')], {}, HEAD))).toEqual(['a', 'b']);
    expect(names(eligibleServers([server('a'), archival('b')], { archival: false }, HEAD))).toEqual([
      'a',
      'b',
    ]);
  });

  it('returns only archive servers if they are required', () => {
    expect(names(eligibleServers([server('a'), archival('b')], { archival: true }, HEAD))).toEqual(['b']);
    expect(eligibleServers([server('a')], { archival: true }, HEAD)).toEqual([]);
  });

  it('returns only the servers that a request may use', () => {
    const live = [server('a', { index: 1 }), server('b', { index: 2 })];
    expect(names(eligibleServers(live, { among: (index) => index === 2 }, HEAD))).toEqual(['b']);
    expect(eligibleServers(live, { among: () => false }, HEAD)).toEqual([]);
  });

  it('returns servers that have the block', () => {
    const live = [
      server('a'),
      server('behind', { seqno: HEAD - 1 }),
      server('young', { oldestSeqno: HEAD - 10 }),
    ];
    expect(names(eligibleServers(live, { seqno: HEAD }, HEAD))).toEqual(['a', 'young']);
    expect(names(eligibleServers(live, { seqno: HEAD - 100 }, HEAD))).toEqual(['a', 'behind']);
  });

  it('returns a server of unknown depth for recent blocks', () => {
    const live = [server('new', { oldestSeqno: undefined }), server('young', { oldestSeqno: HEAD - 10 })];
    expect(names(eligibleServers(live, { seqno: HEAD - 2000 }, HEAD))).toEqual(['new']);
    expect(names(eligibleServers(live, { seqno: HEAD - 2001 }, HEAD))).toEqual(['new', 'young']);
  });

  it('prefers archive servers for an old block, then servers that have it, then any', () => {
    const deep = server('deep', { oldestSeqno: 10 });
    expect(names(eligibleServers([server('a'), deep, archival('b')], { seqno: 5000 }, HEAD))).toEqual(['b']);
    expect(names(eligibleServers([server('a'), deep], { seqno: 5000 }, HEAD))).toEqual(['deep']);
    expect(names(eligibleServers([server('a')], { seqno: 5000 }, HEAD))).toEqual(['a']);
    expect(names(eligibleServers([server('a'), archival('b')], { seqno: HEAD + 5 }, HEAD))).toEqual([
      'a',
      'b',
    ]);
  });

  it('prefers servers whose connection is ready', () => {
    const choked = server('choked', { isReady: false });
    expect(names(eligibleServers([choked, server('a')], {}, HEAD))).toEqual(['a']);
    expect(names(eligibleServers([choked], {}, HEAD))).toEqual(['choked']);
  });
});

describe('chooseServer', () => {
  /** Shares of many choices by a chance that is the same every time. */
  function shares(servers: readonly Named[]): Record<string, number> {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const counts: Record<string, number> = {};
    for (let turn = 0; turn < 3000; turn += 1) {
      const { name } = chooseServer(servers, { consensusSeqno: HEAD, nowMs: 0, random })!;
      counts[name] = (counts[name] ?? 0) + 1 / 3000;
    }
    return counts;
  }

  it('distributes requests evenly over equal servers', () => {
    const found = shares([server('a'), server('b'), server('c')]);
    for (const name of ['a', 'b', 'c']) expect(found[name]).toBeCloseTo(1 / 3, 1);
  });

  it('prefers fast, idle and up-to-date servers, and overloads none of them', () => {
    for (const worse of [{ ms: 50 }, { load: 5 }, { seqno: HEAD - 1 }]) {
      const found = shares([server('a'), server('b'), server('c', worse)]);
      expect(found.c ?? 0).toBe(0);
      expect(found.a).toBeCloseTo(1 / 2, 1);
    }
  });

  it('returns one of the candidates for any random number', () => {
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat({ max: 6 }), unit, unit, (count, first, second) => {
        const servers = Array.from({ length: count }, (_, position) => server(`${position}`));
        const chances = [first, second];
        const random = () => chances.shift() ?? 0;
        const chosen = chooseServer(servers, { consensusSeqno: HEAD, nowMs: 0, random });
        expect(count === 0 ? chosen === undefined : servers.includes(chosen!)).toBe(true);
      }),
    );
  });
});

describe('Latency', () => {
  it('is a moving average that decays without queries', () => {
    const latency = new Latency();
    expect(latency.expectedMs(0)).toBe(1);
    latency.add(100, 1000);
    expect(latency.averageMs).toBe(100);
    latency.add(200, 2000);
    expect(latency.averageMs).toBe(120);
    expect(latency.expectedMs(2000)).toBe(120);
    expect(latency.expectedMs(12_000)).toBe(60);
    expect(latency.expectedMs(1_000_000)).toBe(1);
  });
});
