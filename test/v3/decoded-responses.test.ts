import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const ask = async (path: string): Promise<Json> => (await app.inject({ url: `/api/v3/${path}` })).json();

/** What `decode` returns for some bags, null for unknown ones; comments in their older form. */
async function meaningsOf(bags: readonly (string | null)[]): Promise<Json[]> {
  const meanings: Json[] = [];
  for (let at = 0; at < bags.length; at += 1000) {
    const bodies = bags.slice(at, at + 1000).map((bag) => bag ?? '');
    const answer = await app.inject({ method: 'POST', url: '/api/v3/decode', payload: { bodies } });
    for (const meaning of answer.json().bodies) {
      if ('error' in meaning) meanings.push(null);
      else if (meaning['@type'] !== 'text_comment') meanings.push(meaning);
      else meanings.push({ '@type': 'text_comment', comment: meaning.text, type: 'text_comment' });
    }
  }
  return meanings;
}

const messagesOf = (transactions: readonly Json[]): Json[] =>
  transactions.flatMap(({ in_msg, out_msgs }) => [in_msg, ...out_msgs]).filter((message) => message !== null);

async function expectMeanings(messages: readonly Json[]): Promise<void> {
  expect(messages.length).toBeGreaterThan(0);
  const bags = messages.map(({ message_content }) => message_content.body);
  expect(messages.map(({ message_content }) => message_content.decoded)).toEqual(await meaningsOf(bags));
  const opcodes = [...new Set(messages.flatMap(({ opcode }) => opcode ?? []))];
  const { opcodes: names } = await ask(`decode?${opcodes.map((opcode) => `opcodes=${opcode}`).join('&')}`);
  const nameOf = (opcode: string | null) => {
    const name = opcode === null ? 'unknown' : names[opcodes.indexOf(opcode)];
    return name === 'unknown' ? null : name;
  };
  for (const { opcode, decoded_opcode, init_state } of messages)
    expect([decoded_opcode, init_state?.decoded ?? null]).toEqual([nameOf(opcode), null]);
}

describe('responses contain decoded bodies', () => {
  it('of messages', async () => {
    const { messages } = await ask('messages?limit=1000');
    await expectMeanings(messages);
    const types = new Set(messages.map(({ message_content }: Json) => message_content.decoded?.['@type']));
    for (const type of [
      'text_comment',
      'jetton_transfer',
      'jetton_notify',
      'nft_transfer',
      'empty_cell',
      'excess',
    ])
      expect(types, type).toContain(type);
    const comment = messages.find(({ decoded_opcode }: Json) => decoded_opcode === 'text_comment');
    const { decoded } = comment.message_content;
    expect(Object.keys(decoded)).toEqual(['@type', 'comment', 'type']);
  });

  it('of transactions and traces', async () => {
    const { transactions } = await ask('transactions?limit=1000');
    await expectMeanings(messagesOf(transactions));
    const { traces } = await ask('traces?limit=50');
    await expectMeanings(messagesOf(traces.flatMap((trace: Json) => Object.values(trace.transactions))));
  });

  it.each([
    ['jetton/transfers', 'jetton_transfers', ['custom_payload', 'forward_payload']],
    ['jetton/burns', 'jetton_burns', ['custom_payload']],
    ['nft/transfers', 'nft_transfers', ['custom_payload', 'forward_payload']],
  ])('of %s', async (path, key, payloads) => {
    const rows: Json[] = (await ask(`${path}?limit=1000`))[key];
    expect(rows.length).toBeGreaterThan(0);
    for (const payload of payloads)
      expect(rows.map((row) => row[`decoded_${payload}`])).toEqual(
        await meaningsOf(rows.map((row) => row[payload])),
      );
  });
});
