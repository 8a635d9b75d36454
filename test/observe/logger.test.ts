import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/errors.ts';
import { createLogger, flushLog } from '../../src/observe/logger.ts';

const SECRET = 'k3yThatMustNotShow';

function capture() {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
}

describe('createLogger', () => {
  it('writes one JSON object per line with a readable time and level', async () => {
    const { log, lines, last } = capture();
    log.info({ part: 'x' }, 'hello');
    log.trace('not shown at this level');
    await flushLog(log);
    expect(lines).toHaveLength(1);
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pid: process.pid,
      part: 'x',
      msg: 'hello',
    });
    expect(Math.abs(Date.parse(last().time) - Date.now())).toBeLessThan(60_000);
  });

  it('writes readable lines with pretty', () => {
    const texts: string[] = [];
    const destination = { write: (text: string) => void texts.push(text) };
    createLogger({ level: 'info', pretty: true, destination }).info({ apiKey: SECRET }, 'hello');
    expect(texts.join('')).toMatch(/INFO.*hello/s);
    expect(texts.join('')).not.toContain(SECRET);
  });

  it.each([
    ['a field', { apiKey: SECRET }],
    ['a snake case field', { api_key: SECRET }],
    ['a nested field', { caller: { key: SECRET } }],
    ['a deep field', { a: { b: [{ c: { 'X-API-Key': SECRET } }] } }],
    ['headers', { headers: { 'x-api-key': SECRET } }],
    ['an API key anywhere', { note: `the key tg_${SECRET.repeat(3)} was refused` }],
    ['a query string', { url: `/api/v2/getBlock?api_key=${SECRET}&a=1` }],
    ['a connection string', { target: `postgres://user:${SECRET}@host/db` }],
    ['a user that is a token', { target: `https://${SECRET}@host/` }],
    ['details of a failure', { err: new Failure('internal', 'x', { details: { token: SECRET } }) }],
    [
      'a request on an error',
      { err: Object.assign(new Error('x'), { config: { auth: SECRET }, request: SECRET }) },
    ],
    [
      'an error under another name',
      { problem: Object.assign(new Error('x'), { response: { data: SECRET } }) },
    ],
    [
      'a cause',
      { err: new Error('x', { cause: Object.assign(new Error('y'), { headers: { a: SECRET } }) }) },
    ],
    ['a message of an error', { err: new Error(`cannot reach redis://:${SECRET}@cache`) }],
    [
      'a fetch request',
      { call: new Request(`http://h/?api_key=${SECRET}`, { headers: { authorization: SECRET } }) },
    ],
  ])('never writes a secret in %s', (_, fields) => {
    const { log, lines, last } = capture();
    log.error(fields, 'x');
    log.child(fields).info('from a child');
    log.child({ a: 1 }).child(fields, { level: 'info' }).info('from a grandchild');
    expect(last().msg).toBe('from a grandchild');
    for (const line of lines) expect(line).not.toContain(SECRET);
  });

  it('never writes a secret in a message', () => {
    const { log, lines } = capture();
    log.info(`GET /x?api_key=${SECRET}`);
    log.info('connecting to %s', `redis://:${SECRET}@host`);
    log.error(new Error(`bad url https://u:${SECRET}@host`));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).not.toContain(SECRET);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('does not change the fields it gets', () => {
    const fields = { apiKey: SECRET, inner: { password: SECRET } };
    capture().log.info(fields);
    expect(fields).toEqual({ apiKey: SECRET, inner: { password: SECRET } });
  });

  it('keeps the useful properties of errors', () => {
    const { log, last } = capture();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 5432 });
    log.error({ err: new Failure('unavailable', 'database is away', { details: { pool: 'main' }, cause }) });
    expect(last()).toMatchObject({
      msg: 'database is away',
      err: {
        type: 'Failure',
        kind: 'unavailable',
        details: { pool: 'main' },
        stack: expect.stringContaining('logger.test.ts'),
        cause: { message: 'refused', code: 'ECONNREFUSED', port: 5432 },
      },
    });
  });

  it('handles circular fields and errors that are not Error objects', () => {
    const { log, lines } = capture();
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    log.info({ loop, err: 'text', req: null, res: undefined });
    expect(lines).toHaveLength(1);
  });

  it('works as logger of Fastify without printing headers or keys', async () => {
    const { log, lines } = capture();
    const app = fastify({ loggerInstance: log });
    app.get('/fails', () => {
      throw new Error('broken');
    });
    await app.inject({
      url: `/fails?api_key=${SECRET}`,
      headers: { 'x-api-key': SECRET, authorization: SECRET },
    });
    await app.close();
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries).toContainEqual(
      expect.objectContaining({ req: { method: 'GET', url: '/fails?api_key=[hidden]', ip: '127.0.0.1' } }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ res: { statusCode: 500 } }));
    expect(lines.join('')).not.toContain(SECRET);
  });
});
