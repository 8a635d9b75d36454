import { expect, it } from 'vitest';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import type { TongateServer } from '../../v3/support/tongate-server.ts';
import { createCommenter } from '../support/transfer.ts';
import { seriousFindings, type WebSite, widthOf } from '../support/web-site.ts';

interface ReadyTransaction {
  readonly hash: string;
  readonly trace_id: string;
  readonly description: { readonly bounce?: { readonly type: string } };
}

interface WholeTransaction {
  readonly in_msg: { readonly source: string | null } | null;
  readonly account_state_after: { readonly balance: string | null };
  readonly end_status: string;
  readonly description: { readonly compute_ph?: { readonly gas_credit?: string } };
  readonly out_msgs: readonly { readonly destination: string | null }[];
}

const inPath = (hash: string) => Buffer.from(hash, 'base64').toString('base64url');

async function jettonTrace({ get }: TongateServer): Promise<string> {
  const { actions } = (await get('/api/v3/actions?action_type=jetton_transfer&limit=50')).body;
  return actions.find(({ success }: { success: boolean }) => success).trace_id;
}

/** A transfer that no rule recognises: the jetton wallet refused it. */
async function jettonCallTrace({ get }: TongateServer): Promise<string> {
  const { actions } = (await get('/api/v3/actions?action_type=call_contract&limit=200')).body;
  return actions.find((action: { details: { opcode: string } }) => action.details.opcode === '0x0f8a7ea5')
    .trace_id;
}

async function bouncedTransaction({ get }: TongateServer): Promise<ReadyTransaction> {
  const { transactions } = (await get('/api/v3/transactions?limit=1000')).body;
  return transactions.find(({ description }: ReadyTransaction) => description.bounce?.type === 'ok');
}

/** Pages of blocks, transactions and traces. */
export function chainPages(site: () => WebSite): void {
  it('a masterchain block shows its shards as a tree and all transactions', async () => {
    const { open, server } = site();
    const { blocks } = (await server.get('/api/v3/blocks?workchain=0&limit=1000&sort=desc')).body;
    const busy = blocks.find((block: { tx_count: number }) => block.tx_count > 0);
    const seqno: number = busy.masterchain_block_ref.seqno;
    const page = await open(`/block/-1/8000000000000000/${seqno}`);
    const shards = (await server.get(`/api/v3/masterchainBlockShardState?seqno=${seqno}`)).body.blocks;
    expect(await page.locator('.shard').count()).toBe(shards.length - 1);
    const { transactions } = (
      await server.get(`/api/v3/transactionsByMasterchainBlock?seqno=${seqno}&limit=50`)
    ).body;
    expect(await page.locator('.transactions tbody tr').count()).toBe(transactions.length);
    await page.locator('.shard').first().click();
    await page.waitForURL('**/block/0/**');
    await page.locator('.facts', { hasText: 'Masterchain block' }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it.runIf(isLongRun)('a block that does not exist is said not to be there', async () => {
    const page = await site().open('/block/0/8000000000000000/99999999');
    await page.getByText('The index has no block 99999999').waitFor();
    await (await site().open('/block/x/y/z')).getByText('not the id of a block').waitFor();
  });

  it('a transaction shows actions, phases, fees and decoded messages', async () => {
    const { open, server } = site();
    const { actions } = (await server.get('/api/v3/actions?action_type=jetton_transfer&limit=1')).body;
    const [, wallet] = actions[0].transactions as string[];
    const page = await open(`/tx/${inPath(wallet!)}`);
    const text = await page.locator('main').innerText();
    for (const part of [
      'exit code 0: success',
      'Gas',
      'In message',
      'jetton internal transfer',
      'query id',
      'sent',
    ])
      expect(text.toLowerCase()).toContain(part.toLowerCase());
    // Amounts are in groups of digits, in nanotons and smallest units of jettons alike.
    expect(text).toMatch(/forward ton amount\s\d{1,3}(?:\u202f\d{3})+\s/);
    await page.getByRole('link', { name: 'Show the whole trace' }).click();
    await page.waitForURL('**/trace/*');
  });

  it.runIf(isLongRun)('a call of a known operation says its name', async () => {
    const { open, server } = site();
    const trace = await jettonCallTrace(server);
    const calls: string[] = [];
    const page = await open(`/trace/${inPath(trace)}`, {
      prepare: async (one) => {
        one.on('request', (request) => calls.push(request.url()));
      },
    });
    await page
      .locator('.sentence', { hasText: /called .*: jetton transfer/ })
      .first()
      .waitFor();
    // One for all sentences of a page.
    expect(calls.filter((url) => url.includes('/api/v3/decode')).length).toBe(1);
    expect(await page.locator('.sentence', { hasText: '0x0f8a7ea5' }).count()).toBe(0);
  });

  it('a first visit without a key is complete at once', async () => {
    const { open, server } = site();
    const trace = await jettonTrace(server);
    // A refused call would be an error in the console, which fails the test.
    const page = await open('/', { hasNoKey: true });
    await page.locator('section[aria-label="Newest transactions"] tbody tr').first().waitFor();
    await page.goto(`${server.url}/trace/${inPath(trace)}`);
    await page.locator('section[aria-label="Tree"] .box').first().waitFor();
    expect(await page.getByText('The rate limit is used up').count()).toBe(0);
  });

  it.runIf(isLongRun)('the coin has the name that the server tells', async () => {
    const { open, server } = site();
    const trace = await jettonTrace(server);
    const page = await open(`/trace/${inPath(trace)}`, {
      prepare: async (page) => {
        const { body } = await server.get('/web.json');
        await page.route('**/web.json', (route) => route.fulfill({ json: { ...body, coin: 'GRAM' } }));
      },
    });
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/\d GRAM/);
    expect(text).not.toMatch(/\d TON\b/);
  });

  it('an unknown path is a page, and something else than a hash is named', async () => {
    const { open } = site();
    const page = await open('/no/such/page', { expectedErrors: /status of 404/ });
    await page.getByText('There is no such page').waitFor();
    for (const path of ['/tx/nonsense', '/trace/nonsense'])
      await (await open(path)).getByText('is not a hash').waitFor();
  });

  it.runIf(isLongRun)('a transaction says what it knows of its balance and its gas', async () => {
    const { open, server } = site();
    const { transactions } = (await server.get('/api/v3/transactions?limit=1000')).body;
    const inside = transactions.find(
      ({ account_state_after: after, end_status: end }: WholeTransaction) =>
        after.balance === null && end === 'active',
    );
    const summary = (await open(`/tx/${inPath(inside.hash)}`)).locator('section[aria-label="Summary"]');
    await summary.getByText('blocks show states at their end only').waitFor();
    const onCredit = transactions.find(
      ({ description }: WholeTransaction) => description.compute_ph?.gas_credit !== undefined,
    );
    const phases = (await open(`/tx/${inPath(onCredit.hash)}`)).locator('section[aria-label="Phases"]');
    await phases.getByText(/gas \d+\u202f\d{3}, credit 10\u202f000/).waitFor();
  });

  it('the fees of a transaction add up to their total', async () => {
    const { open, server } = site();
    const { transactions } = (await server.get('/api/v3/transactions?limit=1000')).body;
    const fromOutside = transactions.find(
      ({ in_msg: message }: WholeTransaction) => message?.source === null,
    );
    for (const { hash } of [fromOutside, await bouncedTransaction(server)]) {
      const fees = (await open(`/tx/${inPath(hash)}`)).locator('section[aria-label="Fees"]');
      const texts = await fees.locator('dd').allInnerTexts();
      const names = await fees.locator('dt').allInnerTexts();
      const nano = texts.map((text) => Math.round(Number.parseFloat(text.replaceAll(/\s/g, '')) * 1e9));
      const parts = nano.filter((_, i) => i > 0 && !names[i]!.startsWith('Forwarding'));
      expect(parts.reduce((sum, fee) => sum + fee, 0)).toBe(nano[0]);
    }
  });

  it.runIf(isLongRun)('a trace shows the messages that leave the chain', async () => {
    const { open, server } = site();
    const { transactions } = (await server.get('/api/v3/transactions?limit=1000')).body;
    const sender = transactions.find(({ out_msgs: out }: WholeTransaction) =>
      out.some(({ destination }) => destination === null),
    );
    const page = await open(`/trace/${inPath(sender.trace_id)}`);
    await page.locator('.trace-picture .box', { hasText: 'outside the chain' }).first().waitFor();
    await page.locator('.trace-list').getByText('outside the chain').first().waitFor();
  });

  it('a failed transaction says why in words', async () => {
    const { open, server } = site();
    const { hash } = await bouncedTransaction(server);
    const page = await open(`/tx/${inPath(hash)}`);
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/failed exit code \d+: [a-z ]+/);
    expect(text).toContain('the message was sent back');
  });

  it.each(sampled(['light'], ['light', 'dark']) as readonly ('light' | 'dark')[])(
    'the trace of a jetton transfer is a tree, in %s',
    async (colorScheme) => {
      const { open, server } = site();
      const id = await jettonTrace(server);
      const [trace] = (await server.get(`/api/v3/traces?trace_id=${encodeURIComponent(id)}`)).body.traces;
      const page = await open(`/trace/${inPath(id)}`, { colorScheme });
      const count = trace.transactions_order.length;
      expect(await page.locator('svg a.box').count()).toBe(count);
      expect(await page.locator('svg g.line').count()).toBe(count - 1);
      const picture = await page.locator('.trace-picture').textContent();
      for (const part of ['external message', 'jetton transfer', 'jetton internal transfer', 'TON'])
        expect(picture).toContain(part);
      expect(await page.locator('.trace-list .step').count()).toBe(count);
      expect(await page.locator('.sentence').first().innerText()).toMatch(/sent|burned|deployed/);
      expect(await seriousFindings(page)).toEqual([]);
      await page.locator('svg a.box').nth(1).click();
      await page.waitForURL('**/tx/*');
    },
  );

  it('a message that is not in a block yet is a pending trace, which becomes complete by itself', async () => {
    const { open, server } = site();
    const commenter = await createCommenter(server);
    await commenter.send('on its way');
    const path = `/api/v3/pendingTraces?account=${commenter.address}`;
    await until(async () => (await server.get(path)).body.traces?.length > 0);
    const [pending] = (await server.get(path)).body.traces;
    const page = await open(`/trace/${inPath(pending.external_hash)}`);
    await page.getByText('pending', { exact: true }).first().waitFor();
    expect(await page.locator('.comment').first().innerText()).toContain('on its way');
    await server.mine(2);
    await page.getByText('complete', { exact: true }).waitFor();
    expect(await page.locator('svg a.box').count()).toBe(2);
  });

  it('the trace of a bounced message shows the failure and the way back', async () => {
    const { open, server } = site();
    const { trace_id: id } = await bouncedTransaction(server);
    const page = await open(`/trace/${inPath(id)}`, { viewport: { width: 390, height: 800 } });
    expect(await page.locator('svg a.box.bad').count()).toBeGreaterThan(0);
    expect(await page.locator('svg a.box.bounced').count()).toBeGreaterThan(0);
    expect(await page.locator('svg g.line.bounced').count()).toBeGreaterThan(0);
    expect(await page.locator('svg a.box.bad .outcome').first().textContent()).toMatch(
      /^✕ (?:exit|action) \d+/,
    );
    // The picture scrolls, the page does not.
    expect(await widthOf(page)).toBeLessThanOrEqual(390);
    expect(await seriousFindings(page, { always: true })).toEqual([]);
  });
}
