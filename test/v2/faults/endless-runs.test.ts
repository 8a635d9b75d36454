import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVm, type Vm } from '../../../src/vm/vm.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { codeOf, deployCodes } from '../support/deploy.ts';
import { openLocalnetApp } from '../support/v2-app.ts';

/** Time limit of a run; using up all gas takes longer on any machine. */
const RUN_MS = 300;
const WAITING = 3;
const TOO_LONG = `the run took more than ${RUN_MS} ms`;
const TOO_MANY = 'too many runs wait for the virtual machine';

const CODES = {
  // Empty: arguments and method id stay on the stack.
  echo: codeOf(''),
  // CONT { }, AGAIN: an endless loop with the cheapest steps.
  endless: codeOf('90EA'),
};

let context: Awaited<ReturnType<typeof openLocalnetApp>>;
let at: Record<keyof typeof CODES, string>;
let vm: Vm;
let port: number;
let turn = 0;
beforeAll(async () => {
  vm = createVm({ log: createQuietLog(), threads: 1, runLimitMs: RUN_MS, queueLimit: WAITING });
  context = await openLocalnetApp({ ports: { vm, requestMs: 30_000 } });
  at = await deployCodes(context, CODES);
  port = Number(new URL(await context.app.listen({ host: '127.0.0.1', port: 0 })).port);
}, 120_000);
afterAll(async () => {
  await context?.close();
  await vm?.close();
});

/** A new request, so that the result is not cached. */
const questionTo = (contract: keyof typeof CODES) => ({
  address: at[contract],
  method: 'seqno',
  stack: [['num', turn++]],
});
const run = (contract: keyof typeof CODES) => context.call('runGetMethod', questionTo(contract));
const isFree = () => vi.waitFor(() => expect(vm.state()).toMatchObject({ busy: 0, queued: 0 }), 20_000);

/** The stopped thread is replaced; a busy machine may need several attempts to run even an empty method in time. */
const echoes = () =>
  vi.waitFor(
    async () => expect(await run('echo')).toMatchObject({ status: 200, body: { ok: true } }),
    20_000,
  );

describe('v2 with a get-method that never ends', () => {
  it('answers 504 and can use the thread again', async () => {
    expect(await run('endless')).toMatchObject({
      status: 504,
      body: { ok: false, code: 504, error: TOO_LONG },
    });
    await echoes();
    await isFree();
  });

  it('does not recognise the contract as a token', async () => {
    const { status, body } = await context.call('getTokenData', { address: at.endless });
    expect({ status, error: body.error }).toEqual({ status: 504, error: TOO_LONG });
    await echoes();
  });

  it('answers 503 with Retry-After when the queue is full', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => run('endless')));
    const texts = answers.map(({ status, body }) => `${status} ${body.error}`);
    expect(new Set(texts)).toEqual(new Set([`504 ${TOO_LONG}`, `503 ${TOO_MANY}`]));
    expect(texts.filter((text) => text.startsWith('504')).length).toBeLessThanOrEqual(1 + WAITING);
    await echoes();
    await isFree();
  });

  it('frees the thread when the client disconnected', async () => {
    const body = JSON.stringify(questionTo('endless'));
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(
          `POST /api/v2/runGetMethod HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        return socket;
      }),
    );
    await vi.waitFor(() => expect(vm.state().busy).toBe(1), 20_000);
    for (const client of clients) client.destroy();
    await isFree();
    await echoes();
  });
});
