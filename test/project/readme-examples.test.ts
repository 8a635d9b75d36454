import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLocalnetApp, type V2TestApp } from '../v2/support/v2-app.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Every curl line that is followed by the answer it gets. */
const examples = [...readme.matchAll(/(curl .+)\n```\n\n```json\n(.+)\n```/g)].map(
  ([, line = '', answer = '']) => ({
    path: /http:\/\/127\.0\.0\.1:8081([^\s']+)/.exec(line)?.[1] ?? '',
    body: / -d '(.+)'$/.exec(line)?.[1],
    answer,
  }),
);

/** What an answer is made of: of values that differ from chain to chain and from call to call, their types. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === '@type' ? member : formOf(member)]),
  );
}

describe('the curl lines of the README', () => {
  let chain: V2TestApp;
  beforeAll(async () => {
    chain = await openLocalnetApp();
  }, 60_000);
  afterAll(() => chain.close());

  test('are three', () => expect(examples).toHaveLength(3));

  test.each(examples)('return a response like the documented one: $path', async ({ path, body, answer }) => {
    const response = await chain.app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: path,
      // What curl sends with -d; the server takes JSON under any content type.
      ...(body === undefined
        ? {}
        : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    });
    expect(formOf(response.json())).toEqual(formOf(JSON.parse(answer)));
    expect(response.statusCode).toBe(200);
  });
});
