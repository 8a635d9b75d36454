import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import { sampleOf } from '../support/long-run.ts';
import { openWalkContext, type WalkContext, type WalkParams } from './support/walk-app.ts';
import { demoCases, type WalkCase } from './support/walk-cases.ts';

const operations = createV3Operations({ defaultLimit: 10, maxLimit: 1000 });
const reads = operations.filter(({ methods }) => methods.includes('GET'));
const posts = operations.filter(({ methods }) => !methods.includes('GET'));
const tagged = reads.filter(({ cache }) => cache !== 'none');
/** The rules are those of the interface: a short run looks at some operations. */
const SAMPLE = 10;
const noTime = (name: string, text: string) => ({
  code: 422,
  error: `${name} should be 1 or more milliseconds, not "${text}"`,
});

/** Rules that hold for every v3 operation, on the index of the demo. */
describe('rules of all v3 operations', () => {
  let walk: WalkContext;
  let cases: Readonly<Record<string, WalkCase>>;
  beforeAll(async () => {
    walk = await openWalkContext();
    cases = await demoCases(walk.index.database.primary);
  });
  afterAll(() => walk?.close());

  const ask = (name: string, headers: Record<string, string> = {}, params: WalkParams = firstOf(name)) =>
    walk.ask({ name, params, headers });
  const firstOf = (name: string): WalkParams => cases[name]!.bases[0]!;

  describe.each(sampleOf(reads, SAMPLE))('$name', ({ name, aliases = [] }) => {
    it('answers HEAD with the headers of GET', async () => {
      const [get, head] = [await ask(name), await walk.ask({ name, params: firstOf(name), by: 'HEAD' })];
      expect([get.statusCode, head.statusCode, head.body]).toEqual([200, 200, '']);
      for (const header of ['content-length', 'content-type', 'etag', 'link', 'x-api-version'])
        expect([header, head.headers[header]]).toEqual([header, get.headers[header]]);
    });

    it('sends X-API-Version, Server-Timing and the content type with every response', async () => {
      const refused = await ask(name, { 'x-timeout': '0' });
      for (const { headers } of [await ask(name), refused]) {
        expect(headers['x-api-version']).toMatch(/^\d+\.\d+\.\d+$/);
        expect(headers['server-timing']).toMatch(/^app;dur=\d+\.\d+$/);
        expect(headers['content-type']).toBe('application/json');
      }
    });

    it('accepts its name and parameter names in any letter case, and parameter names with brackets', async () => {
      const { body } = await ask(name);
      const renamed = (rename: (name: string) => string): WalkParams =>
        Object.fromEntries(Object.entries(firstOf(name)).map(([key, value]) => [rename(key), value]));
      const forms = [
        await ask(
          name,
          {},
          renamed((key) => key.toUpperCase()),
        ),
        await ask(
          name,
          {},
          renamed((key) => `${key}[]`),
        ),
        await ask(name, {}, { ...firstOf(name), _: '1700000000000', nobody_knows: 'this' }),
        ...(await Promise.all(
          [name.toUpperCase(), `${name}/`, ...aliases].map((path) =>
            walk.ask({ name: path, params: firstOf(name) }),
          ),
        )),
      ];
      for (const form of forms) expect(form.body).toBe(body);
    });

    it('leaves out address book and metadata on request', async () => {
      const whole = (await ask(name)).json();
      const asked = { 'x-no-address-book': 'true', 'x-no-metadata': '1' };
      const plain = (await ask(name, asked)).json();
      const twins = { ...firstOf(name), x_no_address_book: 'T', x_no_metadata: 'True' };
      expect((await ask(name, {}, twins)).json()).toEqual(plain);
      const emptied = {
        ...(whole.address_book && { address_book: {} }),
        ...(whole.metadata && { metadata: {} }),
      };
      expect(plain).toEqual(Array.isArray(whole) ? whole : { ...whole, ...emptied });
      expect((await ask(name, { 'x-no-metadata': 'maybe' })).statusCode).toBe(422);
    });

    it('respects X-Timeout', async () => {
      for (const time of ['0', '-5'])
        expect((await ask(name, { 'x-timeout': time })).json()).toEqual(noTime('X-Timeout', time));
      const twin = { ...firstOf(name), x_timeout: '0' };
      expect((await ask(name, {}, twin)).json()).toEqual(noTime('x_timeout', '0'));
      const { body } = await ask(name);
      for (const time of sampleOf(['soon', '', '1e3', '99999999999', '3000'], 1, name.length))
        expect((await ask(name, { 'x-timeout': time })).body, time).toBe(body);
    });
  });

  it.each(posts)('$name refuses GET and respects X-Timeout', async ({ name }) => {
    const wrong = await ask(name);
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST']);
    const late = await walk.ask({ name, params: firstOf(name), by: 'POST', headers: { 'x-timeout': '0' } });
    expect(late.json()).toEqual(noTime('X-Timeout', '0'));
    expect(late.headers.etag).toBeUndefined();
  });

  // Must run last: it empties the index.
  it('answer 304 to a matching ETag until the index changes', async () => {
    const tags = new Map<string, string>();
    for (const { name } of tagged) {
      const { etag } = (await ask(name)).headers;
      tags.set(name, `${etag}`);
      const same = await ask(name, { 'if-none-match': `"other", ${etag}` });
      expect([name, same.statusCode, same.body, same.headers.etag]).toEqual([name, 304, '', etag]);
      expect(same.headers['x-api-version']).toBeDefined();
      expect((await ask(name, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
    await forgetAll();
    for (const { name } of tagged) {
      const changed = await ask(name, { 'if-none-match': tags.get(name)! });
      expect([name, changed.statusCode]).not.toEqual([name, 304]);
      expect(changed.headers.etag, name).not.toBe(tags.get(name));
    }
  });

  async function forgetAll(): Promise<void> {
    const { primary } = walk.index.database;
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%migration%'
    `.execute(primary);
    await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))} cascade`.execute(primary);
  }
});
