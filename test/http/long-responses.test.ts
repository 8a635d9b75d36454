import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { tagOfDigest, weakTag, writeBody, writeText } from '../../src/http/body.ts';
import { defineOperation, type Operation } from '../../src/http/operation.ts';
import { compileParts, compileSerializer, READY_MEMBERS, rawJson } from '../../src/http/serializer.ts';
import { JsonText } from '../../src/lib/json-text.ts';
import { v2Operations } from '../../src/v2/operations.ts';
import { createEmulateTonConnect, createEmulateTrace } from '../../src/v3/emulate.ts';
import type { V3Call } from '../../src/v3/operation.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { createReads, NEEDS_TURN } from '../../src/v3/read-index.ts';
import { buildV3App } from '../v3/support/build-app.ts';

const limits = { defaultLimit: 10, maxLimit: 1000 };

const allOperations: readonly Operation<never>[] = [
  ...createV3Operations(limits),
  createEmulateTrace(),
  createEmulateTonConnect(),
  ...v2Operations,
];

/** The result of an example with the JSON of its `RawJson` members, as handlers return it. */
function asReturned(schema: unknown, value: unknown): unknown {
  const { format, properties, items, additionalProperties, anyOf } = (schema ?? {}) as Record<
    string,
    unknown
  >;
  if (value === null || typeof value !== 'object') return value;
  if (format === 'written') return rawJson(JSON.stringify(value));
  if (Array.isArray(anyOf)) return asReturned(anyOf[0], value);
  if (Array.isArray(value)) return value.map((item) => asReturned(items, item));
  const members = (properties ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      asReturned(members[key] ?? additionalProperties ?? {}, member),
    ]),
  );
}

/** The value with every list and every map repeated until it is long. */
function lengthened(value: unknown, times: number): unknown {
  if (Array.isArray(value)) return Array.from({ length: times }, () => value).flat();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, lengthened(member, times)]));
}

describe('the body of a response', () => {
  const cases = allOperations.flatMap(({ name, result, examples }) =>
    examples.flatMap((example) =>
      'result' in example ? [{ name, result, value: asReturned(result, example.result) }] : [],
    ),
  );

  it.each(cases)('$name: has the text of one serializer for all of it', ({ result, value }) => {
    const parts = [...compileParts(result)(value)];
    expect(parts.join('')).toBe(compileSerializer(result)(value));
  });

  it('is sent in chunks if it is long, with the text and the tag of the whole', async () => {
    const { result, value } = cases.find(({ name }) => name === 'traces')!;
    const long = lengthened(value, 200);
    const text = compileSerializer(result)(long);
    const body = await writeBody(compileParts(result), long);
    const { digest } = body;
    const payload = body.payload();
    if (typeof payload === 'string') throw new TypeError('the body is short');
    expect(tagOfDigest(digest)).toBe(weakTag(text));
    expect(Buffer.concat(await payload.toArray()).toString()).toBe(text);
    expect(body.bytes).toBe(Buffer.byteLength(text));
    const written = await writeText(compileParts(result), long);
    expect(written).toEqual({ text, digest });
  });
});

describe('a body with ready pieces', () => {
  const schema = Type.Object({ list: Type.Array(Type.Object({ text: Type.String() })) });
  const ready = (text: string) => new JsonText(JSON.stringify({ text }));
  const write = (list: readonly unknown[], finish?: (json: string) => string) =>
    writeBody(compileParts(schema), { list }, { finish });

  it('has them as they are, and everything else finished', async () => {
    const body = await write([ready('a<'), { text: 'b<' }, ready('c<')], (json) => json.replace('<', '!'));
    expect(body.payload()).toBe('{"list":[{"text":"a<"},{"text":"b!"},{"text":"c<"}]}');
  });

  it('has another digest when anything of it differs', async () => {
    const [one, two] = [ready('1'), ready('2')];
    const lists = [[one], [two], [one, two], [two, one], [one, one], [one, { text: '2' }], []];
    const digests = await Promise.all(lists.map(async (list) => (await write(list)).digest));
    expect(new Set(digests).size).toBe(lists.length);
    expect((await write([ready('1'), ready('2')])).digest).toBe(digests[2]);
  });

  it('has ready members of an object behind its others', async () => {
    const members = { [READY_MEMBERS]: new JsonText('"b":2,"c":3') };
    const pair = Type.Object({ a: Type.Optional(Type.Integer()), b: Type.Optional(Type.Integer()) });
    expect((await writeBody(compileParts(pair), { a: 1, ...members })).payload()).toBe('{"a":1,"b":2,"c":3}');
    expect((await writeBody(compileParts(pair), members)).payload()).toBe('{"b":2,"c":3}');
  });

  it('is sent in chunks with all of its text', async () => {
    const list = Array.from({ length: 5000 }, (_, at) =>
      at % 3 === 0 ? { text: 'é<' } : ready(`${at}`.repeat(50)),
    );
    const payload = (await write(list, (json) => json.replaceAll('<', '!'))).payload();
    if (typeof payload === 'string') throw new TypeError('the body is short');
    const shown = list.map((item) => (item instanceof JsonText ? JSON.parse(item.json) : { text: 'é!' }));
    expect(JSON.parse(Buffer.concat(await payload.toArray()).toString())).toEqual({ list: shown });
  });
});

describe('large reads', () => {
  const signal = new AbortController().signal;

  it('take turns between callers; small ones need none', async () => {
    const reads = createReads({ largeResponses: 1 });
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const run = (id: string, work: () => Promise<void> | void) =>
      reads.run({ payer: { id, rps: 1 }, signal, params: {} }, async (own) => {
        await own.takeLargeTurn();
        order.push(id);
        await work();
      });
    const running = run('a', () => first.promise);
    const waiting = [run('a', () => {}), run('b', () => {})];
    await reads.run({ payer: undefined, signal, params: {} }, async (own) => {
      own.requireTurn(10);
      let thrown: unknown;
      try {
        own.requireTurn(1000);
      } catch (reason) {
        thrown = reason;
      }
      expect(thrown).toBe(NEEDS_TURN);
    });
    await expect.poll(() => order).toEqual(['a']);
    first.resolve();
    await Promise.all([running, ...waiting]);
    expect(order).toEqual(['a', 'b', 'a']);
  });

  it('are refused with 503 when too many wait', async () => {
    const reads = createReads({ largeResponses: 1 });
    const end = Promise.withResolvers<void>();
    const all = Array.from({ length: 102 }, () =>
      reads.run({ payer: undefined, signal, params: {} }, async (own) => {
        await own.takeLargeTurn();
        await end.promise;
      }),
    );
    await expect(all.at(-1)).rejects.toMatchObject({ kind: 'overloaded', retryAfterSeconds: 2 });
    end.resolve();
    await Promise.all(all.slice(0, -1));
  });
});

describe('a long response', () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  const MAX_ITEMS = 3000;
  const ITEM_MS = 1;

  /** An operation whose items take time to write, until `isDone`; `onItem` is called for each. */
  async function serveLong(isDone: () => boolean, onItem: () => void): Promise<URL> {
    const item = {
      get text() {
        onItem();
        const endsAt = performance.now() + ITEM_MS;
        while (!isDone() && performance.now() < endsAt);
        return 'x'.repeat(100);
      },
    };
    const operation = (name: string, items: readonly object[]) =>
      defineOperation({
        name,
        methods: ['GET'],
        tag: 'test',
        summary: 'Test',
        parameters: {},
        result: Type.Object({ items: Type.Array(Type.Object({ text: Type.String() })) }),
        cache: 'head',
        examples: [],
        handler: (_params, _call: V3Call) => ({ items: items as { text: string }[] }),
      });
    app = await buildV3App({
      operations: [
        operation(
          'long',
          Array.from({ length: MAX_ITEMS }, () => item),
        ),
        operation('short', []),
      ],
    });
    return new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  }

  it('is written while short ones are answered', async () => {
    let isAnswered = false;
    let written = 0;
    const writtenBefore: number[] = [];
    const url = await serveLong(
      () => isAnswered,
      () => written++,
    );
    const long = fetch(new URL('/api/v3/long', url));
    await expect.poll(() => written).toBeGreaterThan(0);
    const short = await fetch(new URL('/api/v3/short', url));
    writtenBefore.push(written);
    isAnswered = true;
    expect(await short.json()).toEqual({ items: [] });
    const { items } = (await (await long).json()) as { items: unknown[] };
    expect(items).toHaveLength(MAX_ITEMS);
    expect(writtenBefore[0]).toBeLessThan(MAX_ITEMS);
  });

  it('is not written any further when its client has gone', async () => {
    let isEnded = false;
    let written = 0;
    const url = await serveLong(
      () => isEnded,
      () => written++,
    );
    const client = connect(Number(url.port), url.hostname);
    client.write('GET /api/v3/long HTTP/1.1\r\nHost: here\r\n\r\n');
    await expect.poll(() => written).toBeGreaterThan(0);
    client.destroy();
    await once(client, 'close');
    // Requests of others pass, so that its end was noticed.
    await expect
      .poll(async () => {
        const before = written;
        await fetch(new URL('/api/v3/short', url));
        return written - before;
      })
      .toBe(0);
    isEnded = true;
    expect(written).toBeLessThan(MAX_ITEMS);
  });
});
