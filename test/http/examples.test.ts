import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBy } from '../v3/support/response-schemas.ts';
import { startTongateServer, type TongateServer, until } from '../v3/support/tongate-server.ts';
import { isRecording, recordExamples } from './support/record-examples.ts';
import {
  formDifferences,
  type ShownRequest,
  shownRequests,
  withoutExample,
} from './support/shown-requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

const INTERFACES = ['/api/v3', '/api/emulate', '/api/v2'];
/** Asked first, so that there is something pending. */
const SENDS = '/api/v3/message';

/** Every operation of every document as its docs page fills it in, on a server with the demo. */
describe('examples of the served documents', () => {
  let server: TongateServer;
  const documents = new Map<string, Json>();
  const recorded = new Map<string, unknown>();
  beforeAll(async () => {
    server = await startTongateServer();
    await until(async () => (await server.get('/status')).body.index.unclassified_traces === 0);
    for (const prefix of INTERFACES) documents.set(prefix, (await server.get(`${prefix}/openapi.json`)).body);
  });
  afterAll(async () => {
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

  it.each(INTERFACES)('every parameter of %s has an example or a default', (prefix) => {
    expect(withoutExample(documents.get(prefix))).toEqual([]);
  });

  it.each(INTERFACES)('every request of %s gives what its document shows', async (prefix) => {
    const check = checkBy(documents.get(prefix), prefix);
    const faults: string[] = [];
    const isLater = ({ path }: ShownRequest) => (path === SENDS ? 0 : 1);
    const requests = shownRequests(documents.get(prefix)).sort((a, b) => isLater(a) - isLater(b));
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
