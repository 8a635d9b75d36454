import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';
import { openWalkContext, type WalkContext, type WalkParams } from './support/walk-app.ts';
import { demoCases, type WalkCase, walkRequests } from './support/walk-cases.ts';

type Operation = ReturnType<typeof createV3Operations>[number];

interface Answered {
  readonly params: WalkParams;
  readonly status: number;
  readonly body: unknown;
}

const operations = createV3Operations({ defaultLimit: 10, maxLimit: 1000 });
/** Names that the reference contract does not describe. */
const OWN = /^(?:__testMethod|accounts\/reindex|actions\/byAccount)$/;

/** Every operation with every parameter, on the index of the demo. */
describe('all v3 operations', () => {
  let walk: WalkContext;
  let cases: Readonly<Record<string, WalkCase>>;
  const answers = new Map<Operation, Promise<Answered[]>>();
  beforeAll(async () => {
    walk = await openWalkContext({ live: true });
    cases = await demoCases(walk.index.database.primary);
  });
  afterAll(() => walk?.close());

  it('the walk has a case for every operation and values for every parameter', () => {
    const wanted = operations.map(({ name, parameters }) => [name, Object.keys(parameters).sort()]);
    const had = operations.map(({ name }) => [name, Object.keys(cases[name]?.values ?? {}).sort()]);
    expect(had).toEqual(wanted);
    expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
    const lists = operations.filter(({ parameters }) => 'offset' in parameters).map(({ name }) => name);
    expect(lists.filter((name) => cases[name]?.rows === undefined)).toEqual([]);
  });

  /** Where there are two methods, requests take turns. */
  async function askAll({ name, methods }: Operation): Promise<Answered[]> {
    const answered: Answered[] = [];
    for (const [i, params] of walkRequests(cases[name]!).entries()) {
      const answer = await walk.ask({ name, params, by: methods[i % methods.length]! });
      answered.push({ params, status: answer.statusCode, body: answer.json() });
    }
    return answered;
  }

  /** All responses of an operation, requested once. */
  function answersOf(operation: Operation): Promise<Answered[]> {
    const known = answers.get(operation) ?? askAll(operation);
    answers.set(operation, known);
    return known;
  }

  it.each(operations)(
    '$name answers all combinations of parameters with 200 or an expected refusal',
    async (operation) => {
      const { isRefused = () => false, mayBeMissing, rows } = cases[operation.name]!;
      let found = 0;
      for (const { params, status, body } of await answersOf(operation)) {
        const what = `${JSON.stringify(params)} ${JSON.stringify(body).slice(0, 300)}`;
        if (isRefused(params)) expect(status, what).toBe(422);
        else if (mayBeMissing && status === 404) expect(body).toMatchObject({ code: 404 });
        else expect(status, what).toBe(200);
        const list = rows === '' ? body : (body as Record<string, unknown>)[rows ?? ''];
        if (Array.isArray(list)) found += list.length;
      }
      if (rows !== undefined) expect(found).toBeGreaterThan(0);
    },
  );

  describe('responses match our own document', () => {
    const check = documentCheck();
    it.each(operations)('$name', (operation) => expectForm(operation, check));
  });

  describe.skipIf(missingContract !== '')(`responses match the reference contract${missingContract}`, () => {
    const check = missingContract === '' ? contractCheck() : undefined;
    it.each(operations.filter(({ name }) => !OWN.test(name)))('$name', (operation) =>
      expectForm(operation, check!),
    );
  });

  async function expectForm(operation: Operation, check: ReturnType<typeof documentCheck>) {
    const method = operation.methods.includes('GET') ? 'get' : 'post';
    for (const { params, status, body } of await answersOf(operation))
      if (status === 200) expect(check(operation.name, body, method), JSON.stringify(params)).toBe('');
  }
});
