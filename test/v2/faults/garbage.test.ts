import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { v2Operations } from '../../../src/v2/operations.ts';
import { sampled } from '../../support/long-run.ts';
import { createDemoRequests } from '../support/demo-requests.ts';
import { type FaultyServers, openFaultyServers } from '../support/faulty-servers.ts';
import { type ArbitraryCall, arbitraryCall, mutate } from './arbitrary-call.ts';
import { objectText } from './arbitrary-json.ts';

const RUNS = sampled(80, 2000);

/**
 * Error texts of lite servers, contracts, messages and bags of cells, in the wording of the contract; any other 5xx
 * would be a fault of ours.
 */
const KNOWN_TEXTS = [
  /^(?:lookup from block error: )?LITE_SERVER_(?:NOTREADY|ERROR|UNKNOWN): /,
  /^(?:INVALID_BAG_OF_CELLS: |INTERNAL)|bag[- ]of[- ]cells|^the cell is exotic$/,
  /^Exit code -?\d+ != 0$/,
  /^(?:Unsupported stack entry type: .*|Unsuppored stack entry)$/s,
  /^(?:from mc block is too old|get method failed|(?:DNS encoded n|N)ame is too long)$/,
  /^(?:Failed to unpack Message|Failed to create external message|CommonMsgInfo tag is not ext_in_msg_info)$/,
];

type Params = Readonly<Record<string, unknown>>;

let context: FaultyServers;
const goodCalls = new Map<string, readonly Params[]>();
beforeAll(async () => {
  context = await openFaultyServers({ servers: 2, demo: true });
  await context.mine();
  const questions = await createDemoRequests(context);
  for (const { name, aliases = [], examples } of v2Operations) {
    const some = questions[name]?.map(({ params }, at) => params(at)) ?? examples.map(({ params }) => params);
    for (const one of [name, ...aliases]) goodCalls.set(one, some);
  }
});
afterAll(() => context?.close());

/** The parameters of a call as text: a query string, or JSON. */
function paramsOf({ name, transport, base, changes }: ArbitraryCall): Map<string, string[]> {
  const good = goodCalls.get(name)!;
  const values: Params = base === undefined || good.length === 0 ? {} : good[base % good.length]!;
  const write = (value: unknown): string[] =>
    transport === 'get' ? [value].flat().map(String) : [JSON.stringify(value)];
  const written = new Map(Object.entries(values).map(([key, value]) => [key, write(value)]));
  for (const { name: key, change } of changes) {
    if (change.kind === 'remove') written.delete(key);
    else if (change.kind === 'replace') written.set(key, [transport === 'get' ? change.text : change.json]);
    else if (Object.hasOwn(values, key))
      written.set(key, write(mutate(values[key], change.twist, change.at)));
  }
  return written;
}

async function send(call: ArbitraryCall): Promise<{ status: number; body: Record<string, unknown> }> {
  const { name, transport, instead } = call;
  const params = [...paramsOf(call)];
  const url = `/api/v2/${transport === 'rpc' ? 'jsonRPC' : name}`;
  const json = instead ?? objectText(params.map(([key, [value]]) => [key, value!]));
  const query = new URLSearchParams();
  for (const [key, values] of params) for (const value of values) query.append(key, value);
  const { statusCode, body } = await context.app.inject(
    transport === 'get'
      ? `${url}?${query}`
      : {
          method: 'POST',
          url,
          body: transport === 'post' ? json : `{"id":1,"method":"${name}","params":${json}}`,
        },
  );
  return { status: statusCode, body: JSON.parse(body) };
}

it(
  'v2 answers arbitrary requests in the envelope and never with a 5xx of our own',
  async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCall, async (call) => {
        const { status, body } = await send(call);
        expect(body['@extra']).toEqual(expect.any(String));
        if (status === 200) {
          expect(body).toMatchObject({ ok: true, result: expect.anything() });
          return;
        }
        expect(body).toMatchObject({ ok: false, code: status, error: expect.any(String) });
        expect(body).not.toHaveProperty('result');
        const isKnown = status < 500 || KNOWN_TEXTS.some((text) => text.test(`${body.error}`));
        expect(isKnown ? '' : `${status} ${body.error}`).toBe('');
      }),
      { numRuns: RUNS },
    );
    expect(context.pool.servers()).toMatchObject(Array(2).fill({ state: 'live', wrongResponses: 0 }));
  },
  sampled(600_000, 600_000),
);
