import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp } from '../support/app.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Every curl line that is followed by the answer it gets. */
const examples = [...readme.matchAll(/(curl .+)\n```\n\n```json\n(.+)\n```/g)].map(
  ([, line = '', answer = '']) => ({
    path: /http:\/\/127\.0\.0\.1:8081([^\s']+)/.exec(line)?.[1] ?? '',
    body: / -d '(.+)'$/.exec(line)?.[1],
    answer,
  }),
);

describe('the curl lines of the README', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  test('are three', () => expect(examples).toHaveLength(3));

  test.each(examples)('get the answer that is shown: $path', async ({ path, body, answer }) => {
    const response = await app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: path,
      // What curl sends with -d; the server takes JSON under any content type.
      ...(body === undefined
        ? {}
        : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    });
    // The time and the duration of the call are in it.
    const stable = (text: string) => text.replace(/"@extra":"[^"]*"/, '"@extra":""');
    expect(stable(response.body)).toBe(stable(answer));
    expect(response.statusCode).toBe(200);
  });
});
