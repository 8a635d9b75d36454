import { expect, it } from 'vitest';
import { PAGE_MS, seriousFindings, type WebSite } from '../support/web-site.ts';

/** The commands to the local chain. They end where they began, because other tests share the chain. */
export function localnetPanel(site: () => WebSite): void {
  it('funds an account: the TON has arrived when it says so', async () => {
    const { open, server } = site();
    const address = `0:${'9A'.repeat(32)}`;
    const account = await open(`/account/${address}`, { expectedErrors: /status of 400/ });
    await account.getByRole('link', { name: 'Fund' }).click();
    const command = account.locator('section[aria-label="Fund"]');
    await command.getByLabel('TON').fill('12.5');
    await command.getByRole('button', { name: 'Fund' }).click();
    await command.getByText('has got 12.5 TON').waitFor();
    // It is on the chain; v2 hears of the block a moment later.
    const balance = async () =>
      (await server.get(`/api/v2/getAddressBalance?address=${address}`)).body.result;
    await expect.poll(balance, { timeout: PAGE_MS }).toBe('12500000000');
    await command.getByLabel('Address').fill('nonsense');
    await command.getByRole('button', { name: 'Fund' }).click();
    await command.getByText('address should be an account address').waitFor();
  });

  it('makes blocks, moves the clock, and goes back to a snapshot; what cannot be undone is asked for', async () => {
    const { open, server } = site();
    const status = async () => (await server.get('/localnet/status')).body.result;
    const page = await open('/localnet/panel');
    const section = (name: string) => page.locator(`section[aria-label="${name}"]`);
    await section('Snapshot').getByLabel('Name').fill('of-the-page');
    await section('Snapshot').getByRole('button', { name: 'Snapshot' }).click();
    await section('Snapshot').getByText('Snapshot of-the-page was made').waitFor();
    const before = await status();

    await section('Mine').getByLabel('Blocks').fill('2');
    await section('Mine').getByRole('button', { name: 'Mine' }).click();
    await section('Mine')
      .getByText(`block ${before.seqno + 2}`)
      .waitFor();

    await section('Advance time').getByRole('button', { name: 'Advance time' }).click();
    await section('Advance time').getByRole('button', { name: 'Cancel' }).click();
    expect((await status()).offset_seconds).toBe(before.offset_seconds);
    await section('Advance time').getByRole('button', { name: 'Advance time' }).click();
    await section('Advance time').getByRole('button', { name: 'Yes' }).click();
    await section('Advance time').getByText('1 h ahead').waitFor();
    // Ages on the pages go by the clock of the chain.
    const { seqno } = (await server.post('/localnet/mine', { count: 1 })).body.result;
    const front = await open('/');
    await front
      .getByText(/^\d+ s ago$/)
      .first()
      .waitFor();
    await expect.poll(() => front.getByText(/^in \d/).count()).toBe(0);
    // Also on a page that is opened first, and asks for nothing but its own block.
    const block = await open(`/block/-1/8000000000000000/${seqno}`, { isAlone: true });
    await block
      .getByText(/^\d+ s ago$/)
      .first()
      .waitFor();
    await expect.poll(() => block.getByText(/^in \d/).count()).toBe(0);
    await server.post('/localnet/advance', { seconds: 2 * 365 * 86_400 });
    const domain = await open('/domain/alice.ton', { isAlone: true });
    await domain.getByText('expired', { exact: true }).waitFor();

    await section('Restore').getByLabel('Snapshot').selectOption('of-the-page');
    await section('Restore').getByRole('button', { name: 'Restore' }).click();
    await section('Restore').getByText('All blocks after it are lost').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await section('Restore').getByRole('button', { name: 'Yes' }).click();
    await section('Restore').getByText(`The chain is back at block ${before.seqno}`).waitFor();
    expect(await status()).toMatchObject({ seqno: before.seqno, offset_seconds: before.offset_seconds });
  });
}
