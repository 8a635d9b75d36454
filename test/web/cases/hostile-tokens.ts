import { Address, internal, toNano } from '@ton/core';
import { beforeAll, expect, it } from 'vitest';
import { onChainContent } from '../../../src/localnet/contracts/contract.ts';
import { jettonMinter, mintJettons } from '../../../src/localnet/contracts/jetton.ts';
import { deployItems, newItem, nftCollection, nftItem } from '../../../src/localnet/contracts/nft.ts';
import { isLongRun, sampleOf } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import { harm, NO_HARM } from '../support/harm.ts';
import { createCommenter } from '../support/transfer.ts';
import { PAGE_MS, TEST_MS, type WebSite } from '../support/web-site.ts';

const SCRIPT = '<script>globalThis.harmed = true</script><img src=x onerror="globalThis.harmed = true">';
const JETTON = {
  name: `${SCRIPT}\u202egpj.nottej`,
  symbol: '\u202eNOT\u202c</span>',
  decimals: '9999',
  description: `long ${'x'.repeat(20_000)} end`,
  image: 'javascript:globalThis.harmed=true',
  uri: 'https://example.org/metadata.json',
};
const COLLECTION = {
  name: `\u2067${SCRIPT}`,
  description: 'd',
  image: 'data:image/svg+xml,<svg onload="globalThis.harmed=true"/>',
};
const ITEM = {
  name: `Z${'\u0301'.repeat(200)}algo ${SCRIPT}`,
  image: 'https://example.org/item.png',
  description: 'javascript:globalThis.harmed=true',
};

/** Tokens whose names and images try to do harm. */
export function hostileTokens(site: () => WebSite): void {
  let owner: string;
  let jetton: string;
  let collection: string;
  let item: string;
  beforeAll(async () => {
    const { server } = site();
    const sender = await createCommenter(server);
    owner = sender.address;
    const to = Address.parse(owner);
    const minter = jettonMinter({ admin: to, content: onChainContent(JETTON) });
    const nfts = nftCollection({
      owner: to,
      content: onChainContent(COLLECTION),
      royalty: { numerator: 5, denominator: 100, destination: to },
    });
    jetton = minter.address.toRawString();
    collection = nfts.address.toRawString();
    item = nftItem({ collection: nfts.address, index: 0 }).address.toRawString();
    const items = new Map([[0n, { ton: toNano('0.1'), item: newItem(to, onChainContent(ITEM)) }]]);
    await sender.sendAll([
      internal({ to: minter.address, value: toNano('1'), init: minter.init }),
      internal({
        to: minter.address,
        value: toNano('0.2'),
        body: mintJettons({ to, amount: 5n, ton: toNano('0.1') }),
      }),
      internal({ to: nfts.address, value: toNano('1'), init: nfts.init, body: deployItems(items) }),
    ]);
    await server.mine(6);
    await server.untilIndexed();
    await until(async () => {
      const path = `/api/v3/nft/items?address=${item}`;
      return Object.keys((await server.get(path)).body.metadata ?? {}).length >= 2;
    });
  }, TEST_MS);

  const SHOWN = 'globalThis.harmed = true';
  const pages: readonly (readonly [name: string, path: () => string, shown: string])[] = [
    ['a jetton', () => `/jetton/${jetton}`, SHOWN],
    ['the list of jettons', () => '/tokens', '‹U+202E›'],
    ['the jettons of an account', () => `/account/${owner}?tab=jettons`, '‹U+202E›'],
    ['the history of an account', () => `/account/${owner}`, 'newly minted'],
    ['a collection', () => `/collection/${collection}`, SHOWN],
    ['an NFT', () => `/nft/${item}`, SHOWN],
    ['the NFTs of an account', () => `/account/${owner}?tab=nfts`, 'algo'],
  ];
  it.each(sampleOf(pages, 2))('%s is shown as text', async (_, path, shown) => {
    const page = await site().open(path(), { viewport: { width: 390, height: 800 } });
    await page.getByText(shown).first().waitFor();
    expect(await harm(page, site().images.url)).toEqual(NO_HARM);
  });

  it.runIf(isLongRun)('a long description is cut, and shown when it is asked for', async () => {
    const page = await site().open(`/jetton/${jetton}`);
    const text = page.locator('.chain-text', { hasText: 'long xxx' });
    expect((await text.innerText()).length).toBeLessThan(300);
    await page.getByRole('button', { name: 'show all' }).first().click();
    await expect
      .poll(async () => (await text.innerText()).length, { timeout: PAGE_MS })
      .toBeGreaterThan(5000);
  });

  it('images are loaded from the proxy only', async () => {
    const { open, images } = site();
    images.requests.length = 0;
    // The browser tells of the request that it refuses to send.
    const expectedErrors = /Content Security Policy|violates|^request: http:\/\/localhost:\d+\/pixel\.png$/;
    const page = await open(`/nft/${item}`, { isAlone: true, expectedErrors });
    const width = () => page.evaluate("document.querySelector('main img')?.naturalWidth");
    await expect.poll(width, { timeout: PAGE_MS }).toBe(1);
    const source = Buffer.from(ITEM.image).toString('base64url');
    expect(images.requests).toEqual([{ path: `/insecure/pr:big/${source}`, referer: undefined }]);
    // The same server by another name is another host.
    const other = images.url.replace('127.0.0.1', 'localhost');
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
      image.src = '${other}/pixel.png';
    })`);
    expect([outcome, images.requests.length]).toEqual(['refused', 1]);
    for (const path of [`/jetton/${jetton}`, `/collection/${collection}`])
      expect(await (await open(path)).locator('.token-head img').count()).toBe(0);
  });

  it.runIf(isLongRun)('without a proxy no image is loaded, and a letter stands for it', async () => {
    const { open, images } = site();
    images.requests.length = 0;
    const page = await open(`/nft/${item}`, {
      isAlone: true,
      prepare: (opened) =>
        opened.route('**/web.json', async (route) => {
          const info = await (await route.fetch()).json();
          await route.fulfill({ json: { ...info, image_origin: null } });
        }),
    });
    expect(await page.locator('.token-head .chain-image').innerText()).toBe('Z');
    expect(await page.locator('main img').count()).toBe(0);
    expect(images.requests).toEqual([]);
  });
}
