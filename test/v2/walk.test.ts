import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v2Operations } from '../../src/v2/operations.ts';
import { removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { createDemoRequests, type DemoRequest } from './support/demo-requests.ts';
import { formOf } from './support/form-of.ts';
import { contractSchemas, documentSchemas, missingContract } from './support/response-schemas.ts';
import { type Transport, type TransportResponse, transportsOf } from './support/transports.ts';
import { openLocalnetApp } from './support/v2-app.ts';

type Operation = (typeof v2Operations)[number];

interface Asked extends TransportResponse {
  readonly title: string;
  readonly name: string;
  readonly transport: Transport;
}

/** Longer than the tests take: the head does not change, so equal requests have equal results. */
const BLOCK_MS = 3_600_000;

/** Operations whose results differ even at the same head: they return the time or the hash of a new message. */
const NEVER_THE_SAME = /^(?:getConsensusBlock|send.*)$/;

/** Every operation by every transport and name, on one chain with the demo. */
describe('every v2 operation on a chain with the demo', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let questions: Awaited<ReturnType<typeof createDemoRequests>>;
  let turn = 1000;
  const answers = new Map<Operation, Promise<Asked[]>>();
  beforeAll(async () => {
    context = await openLocalnetApp({ demo: true, blockMs: BLOCK_MS });
    const { seqno } = await context.running.localnet.mine();
    await context.pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    questions = await createDemoRequests(context);
  });
  afterAll(async () => {
    await context?.close();
    if (context !== undefined) await removeTemporaryDirectory(context.folder);
  });

  /** Requests about the chain, or the examples of an operation that does not read it. */
  function questionsOf({ name, examples }: Operation): readonly DemoRequest[] {
    const fixed = examples.filter((example) => 'result' in example && !('varies' in example));
    return questions[name] ?? fixed.map(({ title, params }) => ({ title, params: () => params }));
  }

  async function askAll(operation: Operation): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const { title, params } of questionsOf(operation)) {
      for (const name of [operation.name, ...(operation.aliases ?? [])]) {
        for (const transport of transportsOf(operation)) {
          asked.push({ title, name, transport, ...(await context.call(name, params(turn++), transport)) });
        }
      }
    }
    return asked;
  }

  /** All responses of an operation, requested once. */
  function answersOf(operation: Operation): Promise<Asked[]> {
    const known = answers.get(operation) ?? askAll(operation);
    answers.set(operation, known);
    return known;
  }

  it('has requests for existing operations only', () => {
    const names = v2Operations.map(({ name }) => name);
    expect(Object.keys(questions).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(v2Operations)('$name returns the same by every transport and name', async (operation) => {
    const asked = await answersOf(operation);
    expect(asked.length).toBeGreaterThan(0);
    for (const { title, status, body } of asked) {
      expect({ title, status, error: body.error }).toEqual({ title, status: 200, error: undefined });
      const first = asked.find((one) => one.title === title)!.body.result;
      if (NEVER_THE_SAME.test(operation.name)) expect(formOf(body.result), title).toEqual(formOf(first));
      else expect(body.result, title).toEqual(first);
    }
  });

  describe('response schemas of our own document', () => {
    const schemas = documentSchemas();
    it.each(v2Operations)('$name', async (operation) => expectNoFaults(operation, schemas));
  });

  describe.skipIf(missingContract !== '')(
    `response schemas of the reference contract${missingContract}`,
    () => {
      const schemas = missingContract === '' ? contractSchemas() : undefined;
      it.each(v2Operations)('$name', async (operation) => expectNoFaults(operation, schemas!));
    },
  );

  async function expectNoFaults(operation: Operation, { faults }: ReturnType<typeof documentSchemas>) {
    for (const { title, name, transport, status, body } of await answersOf(operation)) {
      const { jsonrpc: _, id: __, ...plain } = body;
      if (transport === 'rpc') expect(faults('jsonRPC', 'post', status, body), title).toBe('');
      expect(faults(name, transport === 'get' ? 'get' : 'post', status, plain), title).toBe('');
    }
  }
});
