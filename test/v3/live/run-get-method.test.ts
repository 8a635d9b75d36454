import { beginCell, type Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import type { TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { codeOf, deployCodes } from '../../v2/support/deploy.ts';
import { readIndexedDemo } from '../support/indexed-demo.ts';
import { openLiveApp, steadyAccounts } from '../support/live-app.ts';
import { contractCheck, documentCheck, missingContract } from '../support/response-schemas.ts';

const CODES = {
  // Empty: arguments and method id stay on the stack.
  echo: codeOf(''),
  // DROP, TUPLE 3
  tuple: codeOf('306F03'),
  // DROP, PUSHNULL, TUPLE 2, TUPLE 2: a list of the two arguments
  list: codeOf('306D6F026F02'),
  // THROW 42
  thrower: codeOf('F22A'),
  // NEWC
  builder: codeOf('C8'),
  // NEWC, TUPLE 1
  hidden: codeOf('C86F01'),
};
const ABSENT = `0:${'ab'.repeat(32)}`;
const base64 = (cell: Cell) => cell.toBoc().toString('base64');
const CELL = base64(beginCell().storeUint(5, 32).storeRef(beginCell().endCell()).endCell());
const conversion = (name: string) => `failed to decode: schema: error converting value for "${name}"`;
const num = (value: unknown) => ({ type: 'num', value });
const cell = { type: 'cell', value: CELL };
const slice = { type: 'slice', value: CELL };

let context: Awaited<ReturnType<typeof openLiveApp>>;
let demo: TestDatabase;
let app: FastifyInstance;
let at: Record<keyof typeof CODES, string>;
let checks: ReturnType<typeof documentCheck>[];

beforeAll(async () => {
  [context, demo] = await Promise.all([openLiveApp(), readIndexedDemo()]);
  app = await context.openV3({ database: demo.database });
  at = await deployCodes(context, CODES);
  checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
});
afterAll(async () => {
  await context?.close();
  await demo?.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Answered = any;

async function run(payload: Readonly<Record<string, unknown>>): Promise<Answered> {
  const answer = await app.inject({ method: 'POST', url: '/api/v3/runGetMethod', payload: { ...payload } });
  const body = answer.json();
  if (answer.statusCode === 200)
    for (const check of checks) expect(check('runGetMethod', body, 'post')).toBe('');
  else expect(body.code).toBe(answer.statusCode);
  return body;
}

/** A v2 stack entry in the form of v3. */
function toV3([type, value]: [string, Answered]): Answered {
  if (type === 'num') return { type, value };
  if (type === 'cell') return { type, value: value.bytes };
  return { type, value: value.elements.map(typedToV3) };
}
function typedToV3(entry: Answered): Answered {
  const type = entry['@type'].replace('tvm.stackEntry', '').toLowerCase();
  if (type === 'number') {
    const value = BigInt(entry.number.number);
    return num(value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`);
  }
  if (type === 'cell' || type === 'slice') return { type, value: entry[type].bytes };
  return { type, value: entry[type].elements.map(typedToV3) };
}
const CLASSIC: Record<string, string> = { num: 'num', cell: 'tvm.Cell', slice: 'tvm.Slice' };

/** Runs the method on both interfaces. */
async function compare(address: string, method: string, stack: { type: string; value: unknown }[] = []) {
  const classic = stack.map(({ type, value }) => [CLASSIC[type], value]);
  const { result } = (await context.call('runGetMethod', { address, method, stack: classic })).body;
  const body = await run({ address, method, stack });
  const { gas_used, exit_code } = result;
  expect(body).toEqual({ gas_used, exit_code, stack: result.stack.map(toV3) });
  return body;
}

const MAX_CODES = sampled(5, 1000);

describe('v3 runGetMethod', () => {
  it('returns the same as v2 for every contract of the demo', async () => {
    const seen = new Set<string>();
    const addresses = (await steadyAccounts(demo)).map(({ address }) => `address=${address}`).join('&');
    const states = await app.inject({ url: `/api/v3/accountStates?${addresses}` });
    const names = ['seqno', 'get_jetton_data', 'get_nft_data', 'get_wallet_data', 'get_sale_data'];
    for (const { address, code_hash = '', contract_methods } of states.json().accounts) {
      // One contract per code.
      if (seen.has(code_hash) || seen.size === MAX_CODES) continue;
      seen.add(code_hash);
      for (const method of [...names, ...(contract_methods ?? []).map(String)])
        await compare(address, method);
    }
    expect(seen.size).toBeGreaterThan(sampled(4, 10));
  });

  it('returns values of all kinds', async () => {
    const left = (await compare(at.echo, 'seqno', [num('-0x2A'), num(7), cell, slice])).stack;
    // Slices are returned as cells, as in the reference.
    expect(left).toEqual([
      num('-0x2a'),
      num('0x7'),
      { type: 'cell', value: expect.any(String) },
      { type: 'cell', value: expect.any(String) },
      num('0x14c97'),
    ]);
    const [tuple] = (await compare(at.tuple, 'seqno', [num(1), cell, slice])).stack;
    expect(tuple.type).toBe('tuple');
    expect(tuple.value.map(({ type }: Answered) => type)).toEqual(['num', 'cell', 'slice']);
    const [list] = (await compare(at.list, 'seqno', [num(1), num(-1)])).stack;
    expect(list).toEqual({ type: 'list', value: [num('0x1'), num('-0x1')] });
  });

  it('answers 501 for values that it cannot represent', async () => {
    for (const [name, type] of [
      ['builder', 'unsupported'],
      ['hidden', 'tvm.stackEntryUnsupported'],
    ] as const)
      expect(await run({ address: at[name], method: 'seqno' })).toEqual({
        code: 501,
        error: `failed to decode api/v2 stack: unsupported stack entry type: ${type}`,
      });
  });

  it('accepts arguments of all kinds', async () => {
    const spelled = ['1', '-5', '0x2a', '-0x2A', `${2n ** 256n - 1n}`, `${-(2n ** 256n)}`, 7, -7];
    await compare(at.echo, 'seqno', [...spelled.map(num), cell, slice]);
    // Without code the arguments stay on the stack.
    const { exit_code, stack } = await compare(ABSENT, 'seqno', [...spelled.map(num), cell, slice]);
    expect([exit_code, stack.length]).toEqual([-13, spelled.length + 3]);
    expect(await run({ address: ABSENT, method: 'seqno', stack: null })).toEqual(
      await run({ address: ABSENT, method: 'seqno' }),
    );
  });

  it('accepts addresses and methods in all forms', async () => {
    const { address } = openDemoWallets().alice;
    const forms = [address.toRawString(), address.toString(), address.toString({ urlSafe: false })];
    const answers: unknown[] = [];
    for (const form of forms)
      for (const method of ['seqno', '85143', '0x14c97']) answers.push(await run({ address: form, method }));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ exit_code: 0 });
    expect(await run({ address: '33'.repeat(32), method: 'seqno' })).toMatchObject({ exit_code: 11 });
  });

  it('returns the exit code of a failed run', async () => {
    expect(await compare(at.thrower, 'seqno')).toMatchObject({ exit_code: 42 });
  });

  it('rejects invalid parameters and names them', async () => {
    const good = { address: ABSENT, method: 'seqno' };
    const cases: [Record<string, unknown>, string][] = [
      [{ method: 'seqno' }, 'address is required'],
      [{ ...good, address: '' }, 'address is required'],
      [{ ...good, address: null }, 'address is required'],
      [{ ...good, address: 5 }, conversion('address')],
      [{ ...good, address: 'nobody' }, conversion('address')],
      [{ address: ABSENT }, 'method is required'],
      [{ ...good, method: '' }, 'method is required'],
      [{ ...good, method: 85143 }, conversion('method')],
      [{ ...good, method: '99999999999' }, 'Invalid method id: 99999999999'],
      [{ ...good, stack: {} }, 'stack should be an array'],
      [{ ...good, stack: [1] }, 'stack[0] should be an object with type and value'],
      [{ ...good, stack: [{ type: 'tuple', value: [] }] }, 'unsupported stack parameter type: tuple'],
      [{ ...good, stack: [num('x')] }, 'stack: Invalid number: x'],
      [{ ...good, stack: [{ type: 'num' }] }, 'Wrong type of number in stack entry'],
    ];
    for (const [payload, error] of cases) expect(await run(payload)).toEqual({ code: 422, error });
    const large = await run({ ...good, stack: [num('1'.repeat(256 * 1024))] });
    expect(large).toEqual({ code: 413, error: 'Request body is larger than 262144 bytes' });
    for (const value of ['', '*', 'AAAA', 5])
      expect(await run({ ...good, stack: [{ type: 'cell', value }] })).toEqual({
        code: 422,
        error: expect.stringContaining('stack'),
      });
  });
});
