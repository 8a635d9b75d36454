import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExternalMessage } from '../../src/live/external-messages.ts';
import type { FeedMessage } from '../../src/observe/pending-metrics.ts';
import { openMessageFeed } from '../../src/pending/feed.ts';
import { createQuietLog } from '../support/quiet-log.ts';

let answers: ServerResponse[];
let status: number;
let server: ReturnType<typeof createServer>;
let feed: ReturnType<typeof openMessageFeed>;
const log = createQuietLog();
beforeEach(async () => {
  answers = [];
  status = 200;
  server = createServer((_request, response) => {
    response.writeHead(status).flushHeaders();
    if (status === 200) answers.push(response);
    else response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await feed.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Messages are texts here; one with an X is malformed, for one with a Z there is no room. */
function open(silentMs = 60_000) {
  const { port } = server.address() as AddressInfo;
  const taken: string[] = [];
  const outcomes: FeedMessage[] = [];
  feed = openMessageFeed({
    url: `http://127.0.0.1:${port}/feed?secret=word`,
    log,
    firstWaitMs: 5,
    silentMs,
    read: (boc) => {
      const text = boc.toString();
      if (text.includes('X')) throw new Error('broken');
      return { boc, hash: boc, normalizedHash: boc } satisfies ExternalMessage;
    },
    take: ({ boc }) => {
      taken.push(boc.toString());
      return !boc.toString().includes('Z');
    },
    onMessage: (outcome) => outcomes.push(outcome),
  });
  return { taken, outcomes };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await sleep(5);
}

it('message feed reads lines and server-sent events, and skips anything else', async () => {
  const { taken, outcomes } = open();
  await until(() => answers.length === 1);
  const [answer] = answers as [ServerResponse];
  answer.write(`${base64('first')}\n${base64('second').slice(0, 3)}`);
  answer.write(`${base64('second').slice(3)}\r\n: a comment\nevent: message\ndata: ${base64('third')}\n\n\n`);
  answer.write(`${base64('X')}\n${base64('Z')}\n{"json": true}\n`);
  answer.write(`${'A'.repeat(300_000)}\n${base64('last')}\n`);
  await until(() => taken.includes('last'));
  expect(taken).toEqual(['first', 'second', 'third', 'Z', 'last']);
  expect(outcomes).toEqual(['taken', 'taken', 'taken', 'broken', 'left_out', 'taken']);
  expect(feed.isConnected()).toBe(true);
});

it('message feed reconnects after connection closed or was refused', async () => {
  const { taken } = open();
  await until(() => answers.length === 1);
  answers[0]!.end(`${base64('first')}\n`);
  await until(() => answers.length === 2);
  status = 503;
  answers[1]!.destroy();
  await until(() => !feed.isConnected());
  status = 200;
  await until(() => answers.length === 3);
  answers[2]!.write(`${base64('second')}\n`);
  await until(() => taken.length === 2);
  expect(taken).toEqual(['first', 'second']);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

it('message feed closes a silent connection', async () => {
  open(50);
  await until(() => answers.length === 3);
  expect(JSON.stringify(log.lines.at(-1))).toContain('Message feed');
});
