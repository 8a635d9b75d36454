import { beginCell, type Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = await buildV3App({ ports: NO_INDEX });
});
afterAll(() => app?.close());

const checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
const base64 = (cell: Cell) => cell.toBoc().toString('base64');
const comment = (text: string) => beginCell().storeUint(0, 32).storeStringTail(text).endCell();

interface Question {
  readonly opcodes?: unknown;
  readonly bodies?: unknown;
}

const post = (payload: Question | readonly unknown[] | string | undefined) =>
  app.inject({
    method: 'POST',
    url: '/api/v3/decode',
    headers: { 'content-type': 'application/json' },
    ...(payload !== undefined && {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    }),
  });
const get = (query: string) => app.inject({ url: `/api/v3/decode?${query}` });

/** Sends the request by GET and POST, which must agree. */
async function ask({ opcodes = [], bodies = [] }: { opcodes?: string[]; bodies?: string[] }) {
  const query = new URLSearchParams([
    ...opcodes.map((opcode): [string, string] => ['opcodes', opcode]),
    ...bodies.map((body): [string, string] => ['bodies', body]),
  ]);
  const [one, other] = [await get(`${query}`), await post({ opcodes, bodies })];
  expect([other.statusCode, other.json()]).toEqual([one.statusCode, one.json()]);
  if (one.statusCode === 200) {
    for (const check of checks)
      for (const method of ['get', 'post'] as const) expect(check('decode', one.json(), method)).toBe('');
  } else expect(one.json().code).toBe(one.statusCode);
  return one.json();
}

describe('decode', () => {
  it('returns empty lists without parameters', async () => {
    const nothing = { opcodes: [], bodies: [] };
    expect(await ask({})).toEqual(nothing);
    expect((await app.inject({ url: '/api/v3/decode' })).json()).toEqual(nothing);
    for (const body of [{}, { opcodes: null, bodies: null }, undefined])
      expect((await post(body)).json()).toEqual(nothing);
  });

  it('names opcodes in every form, in the order given', async () => {
    const opcodes = [
      '0x0',
      '0xf8a7ea5',
      '0F8A7EA5',
      '260734629',
      '-1',
      '4294967295',
      'd53276db',
      '00000000',
      '12345678',
    ];
    expect(await ask({ opcodes })).toEqual({
      opcodes: [
        'text_comment',
        'jetton_transfer',
        'jetton_transfer',
        'jetton_transfer',
        'bounce',
        'bounce',
        'excess',
        'text_comment',
        'unknown',
      ],
      bodies: [],
    });
    // Eight digits are always hex.
    expect((await ask({ opcodes: ['10', '16'] })).opcodes).toEqual(['unknown', 'unknown']);
  });

  it.each([
    ['0xzz', 'zz'],
    ['', ''],
    ['0x', ''],
    ['99999999999', '99999999999'],
    ['-2147483649', '-2147483649'],
    ['1,2', '1,2'],
    ['0x0x1', '0x1'],
    ['text_comment', 'text_comment'],
  ])('refuses the opcode "%s"', async (opcode, shown) => {
    const error = `invalid opcode format at index 1: ${shown}`;
    expect(await ask({ opcodes: ['0', opcode] })).toEqual({ code: 422, error });
  });

  it('refuses more than a thousand opcodes or bodies', async () => {
    const many = (value: string) => Array<string>(1001).fill(value);
    for (const name of ['opcodes', 'bodies']) {
      const error = `${name} list exceeds maximum length of 1000`;
      expect(await ask({ [name]: many('0') })).toEqual({ code: 422, error });
      expect((await ask({ [name]: many('0').slice(1) }))[name]).toHaveLength(1000);
    }
  });

  it('refuses values that are not lists of texts', async () => {
    const wrong = (name: string, index: number) =>
      `failed to decode: schema: error converting value for index ${index} of "${name}"`;
    for (const name of ['opcodes', 'bodies']) {
      expect((await post({ [name]: ['0', 5] })).json()).toEqual({ code: 422, error: wrong(name, 1) });
      expect((await post({ [name]: [[]] })).json()).toEqual({ code: 422, error: wrong(name, 0) });
      expect((await post({ [name]: { a: 1 } })).json()).toEqual({ code: 422, error: wrong(name, 0) });
    }
    for (const body of [[], '[', '"x"']) expect((await post(body)).statusCode).toBe(422);
    expect((await app.inject({ method: 'PUT', url: '/api/v3/decode' })).statusCode).toBe(405);
  });

  it('decodes bodies, or returns the reason why it cannot', async () => {
    const hi = comment('<hi> & "bye"\u2028');
    const error = (reason: string) => ({ error: `unknown: ${reason}` });
    const meaning = { '@type': 'text_comment', text: '<hi> & "bye"\u2028' };
    expect(
      await ask({
        bodies: [
          base64(hi),
          hi.toBoc().toString('hex'),
          base64(beginCell().endCell()),
          'te6',
          'xyz',
          '',
          'abcd',
        ],
      }),
    ).toEqual({
      opcodes: [],
      bodies: [
        meaning,
        meaning,
        { '@type': 'empty_cell' },
        error('failed to decode base64: Wrong padding length'),
        error('failed to decode hex: Wrong hex string length'),
        error(
          `failed to deserialize boc: cannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)`,
        ),
        error(
          `failed to deserialize boc: cannot deserialize bag-of-cells: not enough bytes (2 present, 10 required)`,
        ),
      ],
    });
  });

  it('accepts base64 whose plus signs became spaces', async () => {
    const body = [...Array(50).keys()]
      .map((i) => base64(comment(`plus ${i}`)))
      .find((text) => text.includes('+'))!;
    expect((await get(`bodies=${body}`)).json().bodies[0]).toHaveProperty('text');
  });

  it('accepts long bodies by POST', async () => {
    let cell = beginCell().endCell();
    for (let i = 0; i < 500; i++)
      cell = beginCell()
        .storeBuffer(Buffer.alloc(120, 65 + (i % 26)))
        .storeRef(cell)
        .endCell();
    const long = beginCell().storeUint(0, 32).storeRef(cell).endCell();
    const { bodies } = (await post({ bodies: [base64(long)] })).json();
    expect(bodies[0].text).toHaveLength(60_000);
  });

  it('stops decoding when the budget of a request is used up', async () => {
    let trap = beginCell().storeUint(1, 1).endCell();
    for (let i = 0; i < 12; i++)
      trap = beginCell()
        .storeUint(0xa2370f61, 32)
        .storeUint(i, 64)
        .storeRef(trap)
        .storeRef(trap)
        .storeRef(trap)
        .endCell();
    const bodies = [
      base64(comment('first')),
      ...Array<string>(100).fill(base64(trap)),
      base64(comment('last')),
    ];
    const answer = await post({ bodies });
    const shown = answer.json().bodies;
    expect([answer.statusCode, shown.length]).toEqual([200, 102]);
    expect(shown[0]).toEqual({ '@type': 'text_comment', text: 'first' });
    expect(shown.slice(1)).toEqual(shown.slice(1).map(() => ({ error: 'unknown: too much to decode' })));
    expect((await ask({ bodies: [base64(comment('last'))] })).bodies[0].text).toBe('last');
  });
});
