import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/observe/logger.ts';
import { createRequestLineWriter } from '../../src/observe/request-line.ts';

const line = {
  reqId: 'a-1',
  interface: 'v2',
  operation: 'detectHash',
  keyId: '7',
  ip: '::1',
  status: 200,
  ms: 0.125,
};

function collect(level: 'info' | 'warn') {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (text: string) => void lines.push(text) } });
  return { lines, log, write: createRequestLineWriter(log) };
}

describe('the writer of request lines', () => {
  it('writes what the logger itself would write', () => {
    const { lines, log, write } = collect('info');
    for (const fields of [line, { ...line, keyId: null, ip: 'odd "address"' }]) {
      write(fields);
      log.info(fields, 'request');
      const [byHand, byPino] = lines.splice(0).map((text) => ({ ...JSON.parse(text), time: 'any' }));
      expect(byHand).toEqual(byPino);
      expect(Object.keys(byHand)).toEqual(Object.keys(byPino));
    }
  });

  it('hides a key that a caller sent as request id', () => {
    const { lines, write } = collect('info');
    const key = `tg_${'x'.repeat(43)}`;
    write({ ...line, reqId: key });
    expect(lines.join()).not.toContain(key);
  });

  it('is silent above its level', () => {
    const { lines, write } = collect('warn');
    write(line);
    expect(lines).toEqual([]);
  });
});
