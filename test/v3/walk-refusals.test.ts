import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import { sampleOf } from '../support/long-run.ts';
import { formOf, ODD_TEXTS } from './support/value-forms.ts';
import { openWalkContext, type WalkContext, type WalkParams } from './support/walk-app.ts';
import { demoCases, type WalkCase } from './support/walk-cases.ts';

type Operation = ReturnType<typeof createV3Operations>[number];

const operations = createV3Operations({ defaultLimit: 10, maxLimit: 1000 });
const reads = operations.filter(({ methods }) => methods.includes('GET'));
const posts = operations.filter(({ methods }) => methods.includes('POST'));
/** Operations of a short run; the kinds of their parameters have tests of their own. */
const SAMPLE = 10;
/** More values than any list accepts. */
const TOO_MANY = 1025;
/** Parameters for fast responses; their content does not matter here. */
const HEADERS = { 'x-no-address-book': '1', 'x-no-metadata': '1' };

/** Malformed values for every parameter of every operation. */
describe('v3 with malformed values', () => {
  let walk: WalkContext;
  let cases: Readonly<Record<string, WalkCase>>;
  beforeAll(async () => {
    walk = await openWalkContext();
    cases = await demoCases(walk.index.database.primary);
  });
  afterAll(() => walk?.close());

  it('has malformed values for every parameter', () => {
    const unknown = operations.flatMap(({ name, parameters }) =>
      Object.keys(parameters).filter((parameter) => formOf(name, parameter) === undefined),
    );
    expect(unknown).toEqual([]);
  });

  /** The other parameters that a parameter needs to have an effect. */
  function besides(name: string, parameter: string): WalkParams {
    const { bases, isRefused = () => false } = cases[name]!;
    const fitting = bases.find((base) => !isRefused({ ...base, [parameter]: 'x' })) ?? bases[0]!;
    return 'limit' in (cases[name]?.values ?? {}) ? { ...fitting, limit: '1' } : fitting;
  }

  async function ask({ name }: Operation, params: WalkParams, by: 'GET' | 'POST' = 'GET') {
    const answer = await walk.ask({ name, params, by, headers: HEADERS });
    const shown = JSON.stringify(params).slice(0, 300);
    return { status: answer.statusCode, body: answer.json(), what: `${shown} ${answer.body.slice(0, 300)}` };
  }

  function expectRefusal(
    { status, body, what }: Awaited<ReturnType<typeof ask>>,
    parameter: string,
    errorName = parameter,
  ): void {
    expect({ status, what }).toEqual({ status: 422, what });
    expect(body, what).toEqual({ code: 422, error: expect.stringContaining(errorName) });
  }

  describe.each(sampleOf(reads, SAMPLE))('$name', (operation) => {
    const { name, parameters } = operation;
    const isList = (parameter: string) => 'items' in parameters[parameter]!.schema;

    it('refuses malformed values and names the parameter', async () => {
      for (const parameter of Object.keys(parameters)) {
        const base = besides(name, parameter);
        const good = cases[name]!.values[parameter]?.[0] ?? [];
        const { bad, errorName } = formOf(name, parameter)!;
        const [first] = bad;
        if (first === undefined) continue;
        for (const value of [...sampleOf(bad, 2, parameter.length), [good, first].flat()])
          expectRefusal(await ask(operation, { ...base, [parameter]: value }), parameter, errorName);
        const corrected = await ask(operation, { ...base, [parameter]: [first, good].flat() });
        // For a scalar parameter the last value counts.
        if (isList(parameter) || parameter === 'cursor' || parameter === 'after')
          expectRefusal(corrected, parameter, errorName);
        else expect([200, 404], corrected.what).toContain(corrected.status);
      }
    });

    it('refuses lists above the maximum', async () => {
      for (const parameter of Object.keys(parameters).filter(isList)) {
        const value = [cases[name]!.values[parameter]![0]].flat()[0];
        const params = { ...besides(name, parameter), [parameter]: Array(TOO_MANY).fill(value) };
        expectRefusal(await ask(operation, params), parameter);
      }
    });

    it('answers arbitrary texts without a 5xx', async () => {
      for (const parameter of Object.keys(parameters)) {
        const base = besides(name, parameter);
        const answers = await Promise.all(
          sampleOf(ODD_TEXTS, 3, name.length + parameter.length).map((odd) =>
            ask(operation, { ...base, [parameter]: odd }),
          ),
        );
        for (const answer of answers) {
          if (answer.status === 422) expectRefusal(answer, parameter, formOf(name, parameter)!.errorName);
          else expect([200, 404], answer.what).toContain(answer.status);
        }
      }
    });

    it('refuses requests without a required parameter', async () => {
      for (const [parameter, { required }] of Object.entries(parameters))
        if (required) expectRefusal(await ask(operation, {}), parameter);
      for (const [parameter, { required }] of Object.entries(parameters))
        if (required) expectRefusal(await ask(operation, { [parameter]: '' }), parameter);
    });
  });

  describe.each(posts)('$name', (operation) => {
    const { name, parameters } = operation;
    const post = (params: WalkParams) => ask(operation, params, 'POST');

    it('refuses malformed values in a body and names the parameter', async () => {
      for (const [parameter, { required }] of Object.entries(parameters)) {
        const { [parameter]: _, ...rest } = besides(name, parameter);
        const { bad, badJson = [], errorName } = formOf(name, parameter)!;
        const isList = 'items' in parameters[parameter]!.schema;
        // A list of texts is what some lists are made of.
        const wrongJson = badJson.filter((value) => !(isList && Array.isArray(value)));
        const tried = [...sampleOf(bad, 2, parameter.length), ...sampleOf(wrongJson, 2, parameter.length)];
        for (const value of tried)
          expectRefusal(await post({ ...rest, [parameter]: value }), parameter, errorName);
        if (required) expectRefusal(await post(rest), parameter);
        if (required) expectRefusal(await post({ ...rest, [parameter]: null }), parameter);
      }
    });
  });
});
