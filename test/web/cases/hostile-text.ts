import { beforeAll, expect, it } from 'vitest';
import { isLongRun, sampleOf } from '../../support/long-run.ts';
import { harm, NO_HARM } from '../support/harm.ts';
import { createCommenter } from '../support/transfer.ts';
import { TEST_MS, type WebSite } from '../support/web-site.ts';

const COMMENTS = [
  '<script>globalThis.harmed = true</script><img src=x onerror="globalThis.harmed = true">',
  'pay \u202egpj.elif\u202c \u200fnow\u2066 \u0007bell',
  'javascript:globalThis.harmed=true data:text/html,<script>globalThis.harmed=true</script> https://example.org/x',
];

/** Comments and names that try to do harm. */
export function hostileText(site: () => WebSite): void {
  const traces: string[] = [];
  beforeAll(async () => {
    const { server } = site();
    const commenter = await createCommenter(server);
    for (const comment of COMMENTS) {
      await commenter.send(comment);
      await server.mine(2);
    }
    await server.untilIndexed();
    const path = `/api/v3/traces?account=${commenter.address}&limit=10&sort=asc&include_actions=true`;
    await server.untilClassified();
    for (const { trace_id: id, external_hash: external } of (await server.get(path)).body.traces)
      if (external !== null) traces.push(Buffer.from(id, 'base64').toString('base64url'));
  }, TEST_MS);

  it.each(
    sampleOf(
      COMMENTS.map((comment, i) => [comment, i] as const),
      1,
    ),
  )('a comment %j is text and nothing else', async (_, i) => {
    const { open, server } = site();
    const id = traces.slice(-COMMENTS.length)[i]!;
    const page = await open(`/trace/${id}`);
    expect(await harm(page)).toEqual(NO_HARM);
    expect(await page.locator('.comment bdi').first().innerText()).toContain(
      ['<script>globalThis', 'pay ‹U+202E›gpj.elif‹U+202C›', 'javascript:globalThis'][i]!,
    );
    const [trace] = (await server.get(`/api/v3/traces?trace_id=${id}`)).body.traces;
    const transaction = await open(
      `/tx/${Buffer.from(trace.transactions_order[1], 'base64').toString('base64url')}`,
    );
    expect(await harm(transaction)).toEqual(NO_HARM);
  });

  it.runIf(isLongRun)('a megabyte of text is cut', async () => {
    const text = 'лорем ipsum '.repeat(90_000);
    const page = await site().open(`/trace/${traces.at(-1)}`, {
      prepare: (one) =>
        one.route('**/api/v3/traces?*', async (route) => {
          const answer = await (await route.fetch()).json();
          for (const action of answer.traces[0].actions) action.details.comment = text;
          await route.fulfill({ json: answer });
        }),
    });
    expect((await page.locator('main').innerText()).length).toBeLessThan(5000);
    expect(await harm(page)).toEqual(NO_HARM);
  });

  it('names of accounts and tokens are text, and images are not loaded without a proxy', async () => {
    const evil = '<img src="https://example.org/x.png">\u202eevil';
    const { actions } = (await site().server.get('/api/v3/actions?action_type=jetton_transfer&limit=1')).body;
    const page = await site().open(
      `/trace/${Buffer.from(actions[0].trace_id, 'base64').toString('base64url')}`,
      {
        prepare: (one) =>
          one.route('**/api/v3/traces?*', async (route) => {
            const answer = await (await route.fetch()).json();
            for (const row of Object.values<Record<string, unknown>>(answer.address_book)) row.domain = evil;
            for (const { token_info: infos } of Object.values<{ token_info: Record<string, unknown>[] }>(
              answer.metadata,
            ))
              for (const info of infos)
                Object.assign(info, { name: evil, symbol: evil, image: 'https://example.org/x.png' });
            await route.fulfill({ json: answer });
          }),
      },
    );
    expect(await page.locator('main').innerText()).toContain('<img src="https://example.org');
    expect(await harm(page)).toEqual(NO_HARM);
  });
}
