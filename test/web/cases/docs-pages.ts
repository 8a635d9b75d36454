import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import { PAGE_MS, seriousFindings, type WebSite, widthOf } from '../support/web-site.ts';

/** The pages about the APIs, which Swagger UI makes. */
export function docsPages(site: () => WebSite): void {
  const isDark = (page: Page) =>
    page.evaluate("getComputedStyle(document.body).backgroundColor === 'rgb(28, 32, 34)'");
  /** What else axe-core finds is Swagger UI's. */
  const faintTexts = async (page: Page) =>
    (await seriousFindings(page)).filter((finding) => finding.startsWith('color-contrast'));
  async function openDocs(page: Page): Promise<void> {
    await page.goto(`${site().server.url}/api/me/`);
    // Its summary, parameters and responses.
    await page.locator('.opblock-summary-control').first().click();
    await page.locator('.responses-table').first().waitFor();
  }
  /** The operations, some of which are deprecated. */
  async function openList(page: Page): Promise<void> {
    await page.goto(`${site().server.url}/api/v2/`);
    await page.locator('.opblock-deprecated').first().waitFor();
  }

  it.runIf(isLongRun)(
    'are light or dark as the system is, unless the explorer was told otherwise',
    async () => {
      const page = await site().open('/nowhere', {
        isAlone: true,
        colorScheme: 'dark',
        expectedErrors: /status of 404/,
      });
      await openDocs(page);
      const untilDark = (wanted: boolean) =>
        expect.poll(() => isDark(page), { timeout: PAGE_MS }).toBe(wanted);
      await untilDark(true);
      expect(await faintTexts(page)).toEqual([]);
      await openList(page);
      expect(await faintTexts(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await untilDark(false);
      // Colors of Swagger UI change slowly.
      await openDocs(page);
      expect(await faintTexts(page)).toEqual([]);
      await page.evaluate("localStorage.setItem('tongate-theme', 'dark')");
      await openDocs(page);
      await untilDark(true);
    },
  );

  it('fit on a phone', async () => {
    const page = await site().open('/nowhere', { expectedErrors: /status of 404/ });
    await page.setViewportSize({ width: 390, height: 800 });
    await openDocs(page);
    expect(await widthOf(page)).toBe(390);
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).toBe('width=device-width');
    // Types of parameters end before their descriptions begin.
    const rightOf =
      "Math.max(...[...document.querySelectorAll('.parameter__type')].map((one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect().right; }))";
    const leftOf = "document.querySelector('td.parameters-col_description').getBoundingClientRect().left";
    expect(await page.evaluate(`${rightOf} + 4 < ${leftOf}`)).toBe(true);
  });
}
