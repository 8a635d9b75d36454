import { expect, test } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import { PAGE_MS, seriousFindings, type WebSite } from '../support/web-site.ts';

/** How a browser gets the key of a local chain, and which pages do not. */
export function localKey(site: () => WebSite): void {
  const refused = /the server responded with a status of 4\d\d/;
  const storedKey = "localStorage.getItem('tongate-api-key')";
  const head = async (): Promise<number> => (await site().server.get('/localnet/status')).body.result.seqno;

  test('the link that the start prints enters it, and leaves no trace of it', async () => {
    const { open, server } = site();
    const page = await open(`/#key=${server.key}`, { hasNoKey: true, expectedErrors: refused });
    await expect.poll(() => page.evaluate(storedKey), { timeout: PAGE_MS }).toBe(server.key);
    expect(page.url()).toBe(`${server.url}/`);
    expect(await page.getByText('Without a key these pages are slow').count()).toBe(0);
    await page.getByRole('link', { name: 'Local chain' }).click();
    await page.locator('section[aria-label="Fund"]').waitFor();
    // Nobody else's link takes it away, also in a tab that is open already.
    await page.evaluate("location.hash = '#key=tg_planted'");
    await expect.poll(() => page.url(), { timeout: PAGE_MS }).not.toContain('#');
    await page.reload();
    await page.locator('section[aria-label="Fund"]').waitFor();
    expect(await page.evaluate(storedKey)).toBe(server.key);
  });

  test.runIf(isLongRun)('the panel asks for it, and says where it is', async () => {
    const { open, server } = site();
    const page = await open('/localnet/panel', { hasNoKey: true, expectedErrors: refused });
    const box = page.locator('section[aria-label="Key of the local chain"]');
    await box.getByText('localnet-api-key').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await box.getByLabel('API key of this chain').fill(server.key);
    await box.getByRole('button', { name: 'Unlock' }).click();
    await page.locator('section[aria-label="Fund"]').waitFor();
  });

  test.runIf(isLongRun)('the panel asks the server nothing while it waits for the key', async () => {
    const { open, server } = site();
    const page = await open('/localnet/panel', { hasNoKey: true, expectedErrors: refused });
    const box = page.locator('section[aria-label="Key of the local chain"]');
    await box.waitFor();
    await page.clock.install();
    await page.reload();
    await box.waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/localnet/status')) asked += 1;
    });
    await page.clock.runFor(20_000);
    await box.getByLabel('API key of this chain').fill(server.key);
    await box.getByRole('button', { name: 'Unlock' }).click();
    await page.locator('section[aria-label="Fund"]').waitFor();
    expect(asked).toBe(1);
    await page.clock.runFor(20_000);
    await expect.poll(() => asked, { timeout: PAGE_MS }).toBeGreaterThan(1);
  });

  test('a page of another port reads no key and moves nothing, even if it knows the key', async () => {
    const { open, server, images } = site();
    const before = await head();
    const page = await open('/', {
      isAlone: true,
      expectedErrors: /CORS policy|net::ERR_FAILED|status of 4\d\d/,
    });
    await page.goto(`${images.url}/pixel.png`);
    const attempts = (key: string) => `(async () => {
      const key = ${JSON.stringify(key)};
      const read = (path, options) =>
        fetch('${server.url}' + path, options).then((answer) => answer.text(), () => 'blocked');
      const keyed = { headers: { 'x-api-key': key, 'content-type': 'application/json' } };
      const post = { method: 'POST', body: '{"count":1}' };
      return {
        web: await read('/web.json'),
        docs: await read('/api/v2/api-key.json'),
        keys: await read('/api/admin/keys'),
        keyedKeys: await read('/api/admin/keys', keyed),
        status: await read('/localnet/status', keyed),
        mined: await read('/localnet/mine', { ...post, ...keyed }),
        simple: await read('/localnet/mine', { ...post, mode: 'no-cors' }),
        made: await read('/api/admin/keys', { method: 'POST', mode: 'no-cors', body: '{"name":"stolen"}' }),
      };
    })()`;
    for (const key of ['', server.key]) {
      const { web, docs, simple, made, ...others } = await page.evaluate<
        Record<'web' | 'docs' | 'simple' | 'made' | 'keys', string>
      >(attempts(key));
      expect(web + docs).not.toContain(server.key);
      // Answers of another origin that a page may not read are empty to it.
      expect([simple, made]).toEqual(['', '']);
      expect(new Set(Object.values(others))).toEqual(new Set(['blocked']));
    }
    expect(await head()).toBe(before);
    const names = await site().server.base.database.primary.selectFrom('api_keys').select('name').execute();
    expect(names).not.toContainEqual({ name: 'stolen' });
  });
}
