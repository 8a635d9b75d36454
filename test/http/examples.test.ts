import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPage, missingBrowser, openBrowserPage } from '../support/browser.ts';
import { isLongRun, oneOfEach } from '../support/long-run.ts';
import { until } from '../support/until.ts';
import { checkBy } from '../v3/support/response-schemas.ts';
import { startTongateServer, type TongateServer } from '../v3/support/tongate-server.ts';
import { isRecording, recordExamples } from './support/record-examples.ts';
import {
  formDifferences,
  type ShownRequest,
  shownRequests,
  withoutExample,
} from './support/shown-requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

/** In this order: a restored chain has fewer blocks. */
const INTERFACES = ['/api/v3', '/api/emulate', '/api/v2', '/localnet'];
const SLOW_MS = 300_000;
/** Asked first, so that there is something pending. */
const SENDS = '/api/v3/message';

/** Every operation of every document as its docs page fills it in, on a server with the demo. */
describe('examples of the served documents', () => {
  let server: TongateServer;
  let page: BrowserPage | undefined;
  const documents = new Map<string, Json>();
  const recorded = new Map<string, unknown>();
  beforeAll(async () => {
    server = await startTongateServer();
    if (isLongRun && missingBrowser === '') page = await openBrowserPage();
    await until(async () => (await server.status()).index.unclassified_traces === 0);
    for (const prefix of INTERFACES) documents.set(prefix, (await server.get(`${prefix}/openapi.json`)).body);
  });
  afterAll(async () => {
    await page?.close();
    await server?.close();
    if (isRecording) recordExamples(recorded);
  });

  async function ask({ url, method, headers, body }: ShownRequest) {
    const response = await fetch(server.url + url, {
      method: method.toUpperCase(),
      headers: { ...headers, 'x-api-key': server.key },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text };
  }

  it('every interface has a docs page', async () => {
    for (const prefix of [...INTERFACES, '/api/streaming/v2', '/api/me', '/api/admin']) {
      const docs = await fetch(`${server.url}${prefix}/`);
      expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const { paths } = (await server.get(`${prefix}/openapi.json`)).body;
      expect(Object.keys(paths).length).toBeGreaterThan(0);
    }
  });

  it('nothing that a page of another port can read has the key of the chain', async () => {
    const headers = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' };
    const paths = ['/', '/web.json', '/status', '/localnet/status', '/api/admin/keys'];
    for (const prefix of INTERFACES)
      paths.push(`${prefix}/`, `${prefix}/api-key.json`, `${prefix}/openapi.json`);
    for (const path of paths) {
      const answer = await fetch(server.url + path, { headers });
      expect(await answer.text(), path).not.toContain(server.key);
    }
  });

  describe.runIf(isLongRun && missingBrowser === '')(`docs pages in a browser${missingBrowser}`, () => {
    /** Waits until an expression in the page is true; opening an operation with many schemas takes a while. */
    const untilTrue = (expression: string, interval = 50) =>
      expect.poll(() => page?.evaluate(`Boolean(${expression})`), { timeout: SLOW_MS, interval }).toBe(true);
    /** As the link of the banner does it. */
    async function signIn(): Promise<void> {
      await page?.open(`${server.url}/#key=${server.key}`);
      await untilTrue("localStorage.getItem('tongate-api-key')");
    }
    const isAuthorized = "document.querySelector('.btn.authorize')?.classList.contains('locked')";

    /** Opens an operation, executes it as it is filled in, and returns the status and the command line of the request. */
    async function execute(prefix: string, tag: string, id: string) {
      const block = `document.getElementById('operations-${tag}-${id}')`;
      await page?.open(`${server.url}${prefix}/`);
      await untilTrue(block);
      await untilTrue(isAuthorized);
      // The page draws an operation several times; a click on one that it replaces has no effect, so it is repeated.
      const button = `${block}.querySelector('.btn.execute')`;
      const open = `${block}.querySelector('.opblock-summary-control').click()`;
      await untilTrue(`${button} || (${block}.classList.contains('is-open') || ${open}, false)`, 500);
      const response = `${block}.querySelector('.live-responses-table .response .response-col_status')`;
      await untilTrue(`${response} || (${button}?.click(), false)`, 2000);
      return page?.evaluate(`({
        status: ${response}.textContent.trim().slice(0, 3),
        curl: ${block}.querySelector('.curl-command')?.textContent ?? '',
      })`);
    }

    it.each([
      ['/api/v3', 'actions', 'traces_get'],
      ['/api/v2', 'accounts', 'getAddressInformation_get'],
      ['/api/emulate', 'emulate', 'emulateTonConnect_post'],
      ['/localnet', 'localnet', 'status_get'],
    ])(
      '%s: %s %s works as filled in, with the key of the chain',
      async (prefix, tag, id) => {
        await signIn();
        const { status, curl } = await execute(prefix, tag, id);
        expect(status).toBe('200');
        expect(curl).toContain(server.key);
      },
      SLOW_MS,
    );

    it(
      'a key that a person entered is kept between pages and reloads',
      async () => {
        await page?.open(`${server.url}/api/v3/`);
        await untilTrue(isAuthorized);
        const schema = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
        const entered = { APIKeyHeader: { name: 'APIKeyHeader', value: 'entered', schema } };
        await page?.evaluate(`localStorage.setItem('authorized', '${JSON.stringify(entered)}')`);
        const { curl } = await execute('/api/v2', 'accounts', 'getAddressInformation_get');
        expect(curl).toContain('entered');
        expect(curl).not.toContain(server.key);
      },
      SLOW_MS,
    );
  });

  it.each(INTERFACES)('every parameter of %s has an example or a default', (prefix) => {
    expect(withoutExample(documents.get(prefix))).toEqual([]);
  });

  it.each(INTERFACES)('every request of %s gives what its document shows', async (prefix) => {
    const check = checkBy(documents.get(prefix), prefix);
    const faults: string[] = [];
    const isLater = ({ path }: ShownRequest) => (path === SENDS ? 0 : 1);
    const shown = shownRequests(documents.get(prefix));
    const requests = (isRecording ? [...shown] : [...oneOfEach(shown, ({ path }) => path)]).sort(
      (a, b) => isLater(a) - isLater(b),
    );
    for (const request of requests) {
      const name = request.path.slice(prefix.length + 1);
      // Predictions take a moment.
      if (name.startsWith('pending')) await until(async () => (await ask(request)).status === 200);
      const { status, body, text } = await ask(request);
      if (status !== 200) {
        faults.push(`${request.title}: ${status} ${text.slice(0, 200)}`);
        continue;
      }
      if (body === undefined) continue;
      const fault = check(name, body, request.method);
      if (fault !== '') faults.push(`${request.title}: ${fault}`);
      recorded.set(request.path, prefix === '/api/v2' ? body.result : body);
      if (request.example === undefined || isRecording) continue;
      faults.push(
        ...formDifferences(request.example, body).map((difference) => `${request.title} ${difference}`),
      );
    }
    expect(faults).toEqual([]);
  });
});
