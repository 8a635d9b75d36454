import { Address } from '@ton/core';
import { expect, it } from 'vitest';
import { isLongRun, sampleOf } from '../../support/long-run.ts';
import type { WebSite } from '../support/web-site.ts';

/** The search box in the header, by every form of what can be searched. */
export function searchBox(site: () => WebSite): void {
  /** Searches for texts one after the other; returns the paths where they lead. */
  async function search(texts: readonly string[]): Promise<string[]> {
    const { open } = site();
    // A page that asks the server for nothing.
    const page = await open('/search');
    const paths: string[] = [];
    for (const text of texts) {
      await page.getByText('Nothing found').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
      await page.waitForURL(({ pathname }) => pathname !== '/search');
      paths.push(new URL(page.url()).pathname);
      await page.evaluate(
        "history.pushState(null, '', '/search'); dispatchEvent(new PopStateEvent('popstate'));",
      );
    }
    return paths;
  }

  const formsOf = (base64: string): string[] => {
    const bytes = Buffer.from(base64, 'base64');
    const hex = bytes.toString('hex');
    return [hex, hex.toUpperCase(), `0x${hex}`, base64, bytes.toString('base64url'), ` ${base64} `];
  };
  const inPath = (base64: string) => Buffer.from(base64, 'base64').toString('base64url');

  it.runIf(isLongRun)('finds a transaction by its hash in every form', async () => {
    const { hash } = (await site().server.get('/api/v3/transactions?limit=1&sort=desc')).body.transactions[0];
    const paths = await search(formsOf(hash));
    expect(new Set(paths)).toEqual(new Set([`/tx/${inPath(hash)}`]));
  });

  it('finds the transaction that received a message', async () => {
    const { transactions } = (await site().server.get('/api/v3/transactions?limit=50&sort=desc')).body;
    const { hash, in_msg: message } = transactions.find((one: { in_msg: unknown }) => one.in_msg !== null);
    expect(await search([message.hash])).toEqual([`/tx/${inPath(hash)}`]);
  });

  it.runIf(isLongRun)('finds blocks by hash, id and seqno', async () => {
    const { blocks } = (await site().server.get('/api/v3/blocks?workchain=0&limit=1&sort=desc')).body;
    const { shard, seqno, root_hash: root, file_hash: file } = blocks[0];
    const signed = BigInt.asIntN(64, BigInt(`0x${shard}`));
    const texts = [root, file, `(0,${shard},${seqno})`, `0:${shard}:${seqno}`, `(0,${signed},${seqno})`];
    expect(new Set(await search(texts))).toEqual(new Set([`/block/0/${shard.toLowerCase()}/${seqno}`]));
    expect(await search(['3', '(-1,8000000000000000,4)'])).toEqual([
      '/block/-1/8000000000000000/3',
      '/block/-1/8000000000000000/4',
    ]);
  });

  it('finds accounts by every form of their address, and domains', async () => {
    const { accounts } = (await site().server.get('/api/v3/accountStates?address=alice.ton')).body;
    const { transactions } = (await site().server.get('/api/v3/transactions?limit=1&sort=desc')).body;
    const address = Address.parse(accounts?.[0]?.address ?? transactions[0].account);
    const forms = [
      address.toRawString(),
      address.toRawString().toUpperCase(),
      address.toString({ bounceable: true, testOnly: true }),
      address.toString({ bounceable: false, testOnly: false }),
      address.toString({ bounceable: false, urlSafe: false }),
    ];
    const page = `/account/${address.toString({ bounceable: true, testOnly: true })}`;
    expect(new Set(await search(sampleOf(forms, 2)))).toEqual(new Set([page]));
    expect(await search(['alice.ton', 'ALICE.TON'])).toEqual(['/domain/alice.ton', '/domain/alice.ton']);
  });

  it.runIf(isLongRun)('says what it looked for when there is nothing', async () => {
    for (const [text, said] of [
      ['00'.repeat(31).concat('01'), 'a transaction'],
      ['nobody-has-this.ton', 'the domain nobody-has-this.ton'],
      ['99999999', 'block 99999999 of workchain -1'],
      ['what is this', 'a block id'],
    ] as const) {
      const page = await site().open(`/search?q=${encodeURIComponent(text)}`);
      await page.getByText('Nothing found').waitFor();
      expect(await page.locator('main').innerText()).toContain(said);
    }
  });
}
