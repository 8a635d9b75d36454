import { Address, beginCell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, deployCodes } from './support/deploy.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const ABSENT = `0:${'ab'.repeat(32)}`;
const SEQNO = '0x14c97';
const MAX_INT = 2n ** 256n - 1n;
const MIN_INT = -(2n ** 256n);
const EMPTY_LIST = { '@type': 'tvm.list', elements: [] };
const CELL = 'te6cckEBAQEABgAACAAAAAX/FF46';

const CODES = {
  // Empty: arguments and method id stay on the stack.
  echo: codeOf(''),
  // THROW 42
  thrower: codeOf('F22A'),
  // RETALT: exit code 1.
  alternative: codeOf('DB31'),
  // NEWC, PUSHNAN, PUSHCTR c3
  odd: codeOf('C883FFED43'),
  // DROP, PUSHNULL, SWAP, CONT { TUPLE 1 }, REPEAT: nested tuples, as deep as the argument.
  nester: codeOf('306D01926F01E4'),
  // CONT { NOP … }, AGAIN
  endless: codeOf(`9E${'00'.repeat(14)}EA`),
};

const number = (value: bigint | number | string) => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: String(value) },
});
const typedCell = { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: CELL } };
const typedSlice = { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: CELL } };

let context: Awaited<ReturnType<typeof openLocalnetApp>>;
let at: Record<keyof typeof CODES, string>;
beforeAll(async () => {
  context = await openLocalnetApp({ ports: { requestMs: 60_000 } });
  at = await deployCodes(context, CODES);
});
afterAll(() => context.close());

async function classic(contract: keyof typeof CODES, stack: unknown[], method: unknown = 'seqno') {
  const answer = await context.call('runGetMethod', { address: at[contract], method, stack });
  return { ...answer, given: answer.body.result?.stack.slice(0, -1) };
}

async function typed(contract: keyof typeof CODES, stack: unknown[]) {
  const answer = await context.call('runGetMethodStd', { address: at[contract], method: 'seqno', stack });
  return { ...answer, given: answer.body.result?.stack.slice(0, -1) };
}

describe('runGetMethod', () => {
  it('returns the result, the block and the last transaction of the account', async () => {
    const { status, body } = await classic('echo', [['num', 7]]);
    const { result: info } = (await context.call('getAddressInformation', { address: at.echo })).body;
    expect(status).toBe(200);
    expect(body.result).toEqual({
      '@type': 'smc.runResult',
      gas_used: expect.any(Number),
      stack: [
        ['num', '0x7'],
        ['num', SEQNO],
      ],
      exit_code: 0,
      block_id: {
        ...info.block_id,
        seqno: expect.any(Number),
        root_hash: expect.any(String),
        file_hash: expect.any(String),
      },
      last_transaction_id: info.last_transaction_id,
    });
    expect(body.result.gas_used).toBeGreaterThan(0);
  });

  it('accepts numbers in every notation and returns them in hex', async () => {
    const spelled = [
      '5',
      '-5',
      '0x2A',
      '-0x2a',
      7,
      -7,
      `${MAX_INT}`,
      `${MIN_INT}`,
      `0x${MAX_INT.toString(16)}`,
    ];
    const { given } = await classic(
      'echo',
      spelled.map((value) => ['num', value]),
    );
    const max = `0x${'f'.repeat(64)}`;
    const shown = ['0x5', '-0x5', '0x2a', '-0x2a', '0x7', '-0x7', max, `-0x1${'0'.repeat(64)}`, max];
    expect(given).toEqual(shown.map((value) => ['num', value]));
    for (const type of ['int', 'number', 'integer'])
      expect((await classic('echo', [[type, 1]])).given).toEqual([['num', '0x1']]);
  });

  it('returns cells and slices as cells, however they were given', async () => {
    const object = { data: { b64: 'AAAABQ==', len: 32 }, refs: [], special: false };
    const forms = [CELL, { bytes: CELL }, object, JSON.stringify(object)];
    const stack = [
      ['tvm.Cell', CELL],
      ['tvm.Slice', CELL],
      ...forms.flatMap((form) => [
        ['cell', form],
        ['slice', form],
      ]),
    ];
    const { given } = await classic('echo', stack);
    expect(given).toEqual(stack.map(() => ['cell', { bytes: CELL, object }]));
  });

  it('keeps the completion bit in the last byte of a cell object', async () => {
    const bytes = beginCell()
      .storeUint(0b10110, 5)
      .endCell()
      .toBoc({ idx: false, crc32: true })
      .toString('base64');
    const { given } = await classic('echo', [['tvm.Cell', bytes]]);
    expect(given[0][1].object.data).toEqual({ b64: 'tA==', len: 5 });
  });

  it('returns elements of tuples and lists in the typed notation', async () => {
    const elements = [
      number(1),
      typedSlice,
      { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [number(2), typedCell] } },
    ];
    const { given } = await classic('echo', [
      ['tuple', { '@type': 'tvm.tuple', elements }],
      ['list', { '@type': 'tvm.list', elements: [number(1), number(2)] }],
      ['list', EMPTY_LIST],
      ['tuple', { '@type': 'tvm.tuple', elements: [] }],
    ]);
    expect(given).toEqual([
      ['tuple', { '@type': 'tvm.tuple', elements }],
      ['list', { '@type': 'tvm.list', elements: [number(1), number(2)] }],
      ['list', EMPTY_LIST],
      ['tuple', { '@type': 'tvm.tuple', elements: [] }],
    ]);
  });

  it('returns builders, continuations and NaN as unsupported', async () => {
    const { body } = await classic('odd', []);
    expect(body.result.stack.slice(1)).toEqual([
      ['unsupported', ''],
      ['unsupported', ''],
      ['unsupported', ''],
    ]);
  });

  it('returns the exit code of a failed run', async () => {
    const { status, body } = await classic('thrower', []);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ exit_code: 42, stack: [['num', '0x0']] });
  });

  it('stops an endless run when the gas is used up', async () => {
    const { body } = await classic('endless', []);
    const { exit_code, gas_used, stack } = body.result;
    expect(exit_code).toBe(-14);
    expect(Math.floor(gas_used / 1000)).toBe(4000);
    expect(stack).toEqual([['num', `0x${gas_used.toString(16)}`]]);
  });

  it('returns the arguments and the method id for an account without code', async () => {
    const uninit = `0:${'cd'.repeat(32)}`;
    const { seqno } = await context.running.faucet.fund(Address.parseRaw(uninit), 10n ** 9n);
    await context.running.localnet.drain();
    await context.pool.waitForSeqno(seqno + 1, { timeoutMs: 120_000 });
    for (const address of [ABSENT, uninit]) {
      const { body } = await context.call('runGetMethod', { address, method: 'seqno', stack: [['num', 3]] });
      const stack = [
        ['num', '0x3'],
        ['num', SEQNO],
      ];
      expect(body.result).toMatchObject({ exit_code: -13, gas_used: 0, stack });
    }
  });

  it('accepts a method by name, by id and by id as a string', async () => {
    for (const method of ['seqno', 85143, '85143', '0x14c97'])
      expect((await classic('echo', [], method)).body.result.stack).toEqual([['num', SEQNO]]);
    expect((await classic('echo', [], -1)).body.result.stack).toEqual([['num', '-0x1']]);
    expect((await classic('echo', [], 2 ** 31)).body).toMatchObject({
      code: 422,
      error: 'Invalid method id: 2147483648',
    });
  });

  it('reads the account at the requested block', async () => {
    const { seqno } = context.running.localnet.store.head;
    for (const given of [seqno, String(seqno)]) {
      const params = { address: at.echo, method: 'seqno', stack: [], seqno: given };
      expect((await context.call('runGetMethod', params)).body.result.block_id.seqno).toBe(seqno);
    }
    const params = { address: at.echo, method: 'seqno', stack: [], seqno: 2 };
    expect((await context.call('runGetMethod', params)).body.result.exit_code).toBe(-13);
  });

  it('rejects invalid parameters with the error text of the contract', async () => {
    const good = { address: at.echo, method: 'seqno', stack: [] };
    const refusals: [object, number, string | RegExp][] = [
      [{ stack: 'x' }, 422, 'Stack should be array'],
      [{ stack: undefined }, 422, "failed to parse post request: Field 'stack' is missing"],
      [{ method: undefined }, 422, "failed to parse post request: Field 'method' is missing"],
      [{ method: 1.5 }, 422, 'Invalid method id: 1.5'],
      [{ stack: [['num']] }, 422, 'Expected 2 elements in stack entry, got: 1'],
      [{ stack: [[1, 2]] }, 422, 'Expected string as first element in stack entry'],
      [{ stack: [['num', 'x']] }, 422, 'Invalid number: x'],
      [{ stack: [['num', {}]] }, 422, 'Wrong type of number in stack entry'],
      [{ stack: [['tvm.Cell', '']] }, 422, 'Empty tvm.Cell'],
      [{ stack: [['tvm.Cell', '?']] }, 422, 'invalid base64 encoded bytes: Wrong character in the string'],
      [{ stack: [['tvm.Slice', 'AAAA']] }, 500, /^cannot deserialize bag-of-cells/],
      [{ stack: [['tuple', 1]] }, 422, 'Invalid tvm.Tuple, valid tvm_stackEntryTuple expected'],
      [{ stack: [['tvm.Builder', CELL]] }, 542, 'Unsupported stack entry type: tvm.Builder'],
      [{ seqno: 0 }, 422, 'failed to validate request: seqno should be positive'],
      [{ seqno: 99_999_999 }, 500, /^LITE_SERVER_NOTREADY: /],
      [{ address: 'abcde' }, 422, /Failed to parse ton_addr: 'abcde'$/],
    ];
    for (const [change, code, error] of refusals) {
      const { status, body } = await context.call('runGetMethod', { ...good, ...change });
      expect([status, body.code], JSON.stringify(change)).toEqual([code, code]);
      expect(body.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
    }
    expect((await context.call('runGetMethod', good, 'get')).status).toBe(405);
  });

  it('rejects a result that is nested 100 levels deep', async () => {
    expect((await classic('nester', [['num', 99]])).status).toBe(200);
    const { body } = await classic('nester', [['num', 100]]);
    expect(body).toMatchObject({ code: 533, error: 'Result stack depth >= 100' });
    const deepest = await classic('nester', [['num', 2000]]);
    expect(deepest.body).toMatchObject({ code: 500, error: 'TVM stack depth exceeds limit' });
  });
});

describe('runGetMethodStd', () => {
  it('returns entries of every kind as they were given', async () => {
    const pair = {
      '@type': 'tvm.tuple',
      elements: [
        number(1),
        { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [] } },
      ],
    };
    const stack = [
      number(5),
      number(MAX_INT),
      number(MIN_INT),
      typedCell,
      typedSlice,
      { '@type': 'tvm.stackEntryTuple', tuple: pair },
      { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [number(1), typedCell] } },
      { '@type': 'tvm.stackEntryList', list: EMPTY_LIST },
    ];
    const { status, body, given } = await typed('echo', stack);
    expect(status).toBe(200);
    expect(given).toEqual(stack);
    expect(body.result).toEqual({
      '@type': 'smc.runResult',
      gas_used: expect.any(Number),
      exit_code: 0,
      stack: [...stack, number(0x14c97)],
    });
    expect((await typed('echo', [number('0x2a')])).given).toEqual([number(42)]);
  });

  it('fails for every exit code but 0', async () => {
    const errors = async (address: string) =>
      (await context.call('runGetMethodStd', { address, method: 'seqno', stack: [] })).body;
    expect(await errors(at.thrower)).toMatchObject({ code: 500, error: 'Exit code 42 != 0' });
    expect(await errors(at.alternative)).toMatchObject({ code: 500, error: 'Exit code 1 != 0' });
    expect(await errors(ABSENT)).toMatchObject({ code: 500, error: 'Exit code -13 != 0' });
    expect(await errors(at.endless)).toMatchObject({ code: 500, error: 'Exit code -14 != 0' });
  });

  it('rejects a result that is nested 256 levels deep', async () => {
    const { body } = await typed('nester', [number(254)]);
    expect(body.result.exit_code).toBe(0);
    const deep = await typed('nester', [number(255)]);
    expect(deep.body).toMatchObject({ code: 533, error: 'Result stack depth >= 256' });
  });

  it('names the position of an invalid argument', async () => {
    const wrong = async (stack: unknown) =>
      (await context.call('runGetMethodStd', { address: at.echo, method: 'seqno', stack })).body;
    expect(await wrong({})).toMatchObject({ code: 422, error: 'Stack should be array' });
    expect(await wrong([{ '@type': 'tvm.stackEntryUnsupported' }])).toMatchObject({
      code: 500,
      error: 'Unsuppored stack entry',
    });
    expect(await wrong([{ '@type': 'tvm.Builder' }])).toMatchObject({
      code: 542,
      error: 'Unsupported stack entry type: tvm.Builder',
    });
    const prefix = "failed to parse post request: Error at path 'stack[0]";
    expect((await wrong([{ '@type': 5 }])).error).toBe(`${prefix}.@type': string expected`);
    expect((await wrong([number('x')])).error).toBe(`${prefix}.number.number': Invalid number`);
  });
});
