import { expect, it } from 'vitest';
import { isLongRun, sampled } from '../../support/long-run.ts';
import {
  loaded,
  PAGE_MS,
  seriousFindings,
  untilRefreshed,
  type WebSite,
  widthOf,
} from '../support/web-site.ts';

const POLL = { timeout: PAGE_MS };

/** The frame of all pages, and the page at `/`. */
export function frontPage(site: () => WebSite): void {
  it('shows new blocks as they come, until it is paused', async () => {
    const { open, server } = site();
    const page = await open('/', { isAlone: true, prepare: (one) => one.clock.install() });
    const newest = page.locator('section[aria-label="Masterchain blocks"] tbody tr').first().locator('a');
    const seqno = async () => Number(await newest.textContent());
    const before = await seqno();
    await server.mine();
    await untilRefreshed(page, async () => (await seqno()) === before + 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused').waitFor();
    await server.mine();
    await server.untilIndexed();
    await page.clock.fastForward(60_000);
    expect(await seqno()).toBe(before + 1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await untilRefreshed(page, async () => (await seqno()) === before + 2);
  });

  it('names the network, its head and the state of the index', async () => {
    const { open, server } = site();
    const page = await open('/');
    const head = (await server.get('/localnet/status')).body.result.seqno;
    const figures = await page.locator('.figures').innerText();
    expect(await page.locator('.network').innerText()).toBe('localnet');
    expect(figures).toContain(String(head));
    expect(figures).toContain('up to date');
  });

  it.runIf(isLongRun)('leads to the documents of every API', async () => {
    const { open, server } = site();
    const page = await open('/');
    const links = page.getByRole('navigation', { name: 'More pages' }).getByRole('link');
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    const documents = paths.flatMap((path) => path?.match(/^\/(?:api|localnet)\/.*/) ?? []);
    const names = ['api/v2', 'api/v3', 'api/emulate', 'api/streaming/v2', 'api/me', 'localnet'];
    expect(documents).toEqual(names.map((name) => `/${name}/`));
    for (const path of documents)
      expect((await fetch(`${server.url}${path}openapi.json`)).status, path).toBe(200);
  });

  it.runIf(isLongRun)('shows the API calls behind it as curl commands that work', async () => {
    const { open, server } = site();
    const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.api-calls summary').click();
    await page.getByRole('button', { name: 'Copy as curl' }).first().click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, url, name = ''] = /^curl '([^']+)' -H "([\w-]+): \$TONGATE_API_KEY"$/.exec(command) ?? [];
    expect(url).toContain(`${server.url}/api/v3/`);
    expect((await fetch(url!, { headers: { [name]: server.key } })).status).toBe(200);
  });

  it.runIf(isLongRun)('keeps the choice of light or dark', async () => {
    const page = await site().open('/', { isAlone: true });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: /light and dark/ }).click();
    await expect.poll(background, POLL).not.toBe(light);
    const dark = await background();
    await page.reload();
    await loaded(page);
    expect(await background()).toBe(dark);
  });

  it.runIf(isLongRun)(
    'works within the rate of a caller without a key, and says when a key is wrong',
    async () => {
      const { open, server } = site();
      const page = await open('/', {
        hasNoKey: true,
        expectedErrors: /status of (?:401|429)/,
      });
      await page.getByText('Without a key these pages are slow').waitFor();
      expect(
        await page.locator('section[aria-label="Newest transactions"] tbody tr').count(),
      ).toBeGreaterThan(5);
      const box = page.getByRole('button', { name: 'API key' });
      await box.click();
      await page.getByLabel('Your API key').fill('wrong');
      await page.getByRole('button', { name: 'Save' }).click();
      const seqno = (await server.get('/localnet/status')).body.result.seqno;
      await page.getByRole('searchbox').fill(String(seqno));
      await page.keyboard.press('Enter');
      await page.getByText('The API key is not valid').waitFor();
      await box.click();
      await page.getByLabel('Your API key').fill(server.key);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.waitForURL(`**/block/-1/8000000000000000/${seqno}`);
    },
  );

  it.runIf(isLongRun)('says that an unknown page does not exist, and leads back', async () => {
    const { open, server } = site();
    const page = await open('/');
    await page.evaluate(
      "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'));",
    );
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('link', { name: 'Front page', exact: true }).click();
    await page.locator('.figures').waitFor();
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
  });

  it.runIf(isLongRun)('says that a page is loading while its code is', async () => {
    let shown = '';
    const page = await site().open('/config', {
      isAlone: true,
      prepare: (tab) =>
        tab.route('**/assets/config-*.js', async (route) => {
          await tab.locator('main > *').first().waitFor();
          shown = await tab.locator('main').innerText();
          await route.continue();
        }),
    });
    expect(shown).toBe('Loading…');
    await page.getByText('Elector').first().waitFor();
  });

  const looks: readonly (readonly ['light' | 'dark', readonly number[]])[] = [
    ['light', [1280, 320]],
    ['dark', sampled([320], [1280, 320])],
  ];
  it.each(sampled(looks.slice(1), looks))(
    'is accessible in %s, wide and narrow',
    async (colorScheme, widths) => {
      for (const width of widths) {
        const page = await site().open('/', { colorScheme, viewport: { width, height: 800 } });
        expect(await seriousFindings(page, { always: true })).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(width);
      }
    },
  );
}
