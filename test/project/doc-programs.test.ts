import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyDemoChain } from '../support/demo-chain.ts';
import { freePort } from '../support/free-port.ts';
import { isLongRun } from '../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import {
  localnetKeyOf,
  makeSeededDataDir,
  plainEnvironment,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
const TIMEOUT_MS = 300_000;
const WAIT = { timeout: 120_000, interval: 50 };

/** A block of code on a page; its first comment may name its file. */
interface Block {
  readonly language: string;
  readonly code: string;
  readonly file: string | undefined;
}

/** The blocks of a page, without the indentation of a list. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, indent, language, code]) => {
    const plain = code!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { language: language!, code: plain, file: /^(?:\/\/|#) (\S+\.\w+)\n/.exec(plain)?.[1] };
  });
}

// One server for all pages, started as the README says, except that the demo is a copy and blocks come faster.
let dir: ReturnType<typeof makeSeededDataDir>;
let server: TongateProcess;
/** Where a user would run the programs: `data` is the data directory of the server. */
let folder: string;

beforeAll(async () => {
  dir = makeSeededDataDir();
  await copyDemoChain(join(dir.path, 'localnet'), 1);
  server = await startTongate({
    DATA_DIR: dir.path,
    LOCALNET_BLOCK_MS: '400',
    SHED_LOOP_DELAY_MS: '0',
    PENDING: 'off',
  });
  folder = makeTemporaryDirectory('programs');
  symlinkSync(dir.path, join(folder, 'data'));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  // The contracts of the demo are recognised some time after the start.
  const wallets = async () => {
    const response = await fetch(`${server.url}/api/v3/jetton/wallets?exclude_zero_balance=true`, {
      headers: { 'x-api-key': localnetKeyOf(dir.path) },
    });
    return ((await response.json()) as { jetton_wallets: unknown[] }).jetton_wallets.length;
  };
  await vi.waitUntil(async () => (await wallets()) > 5, WAIT);
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.end('SIGINT');
  await dir?.remove();
  if (folder !== undefined) await removeTemporaryDirectory(folder);
});

const onServer = (code: string) => code.replaceAll('http://127.0.0.1:8081', server.url);
const environment = () => ({
  ...plainEnvironment(),
  PATH: `${join(PACKAGES, 'node/bin')}:${join(PACKAGES, '.bin')}:${process.env.PATH}`,
});

function write({ file, code }: Block): string {
  writeFileSync(join(folder, file!), onServer(code));
  return file!;
}

async function run(program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: environment(), maxBuffer: 2 ** 26 };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** Runs a shell script that stops at the first command that fails; its programs are on the path, without npx. */
const runShell = (code: string) => run('sh', '-e', '-c', onServer(code).replaceAll('npx ', ''));

describe('README', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const key = /^KEY=.*$/m.exec(readme)?.[0] ?? '';
  /** Every curl line that is followed by the answer it gets. */
  const examples = [...readme.matchAll(/(curl .+)\n```\n\n```json\n(.+)\n```/g)].map(
    ([, line = '', answer = '']) => [line, answer] as const,
  );

  /** What an answer is made of: of values that differ from chain to chain and from call to call, their types. */
  function formOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(formOf);
    if (typeof value !== 'object' || value === null) return typeof value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === '@type' ? member : formOf(member)]),
    );
  }

  it('shows three requests with answers like those of a server', async () => {
    expect(examples).toHaveLength(3);
    for (const [line, answer] of examples) {
      const output = await runShell(`${key}\n${line}`);
      expect(formOf(JSON.parse(output)), line).toEqual(formOf(JSON.parse(answer)));
    }
  });
});

it('the start logs short lines and ends with a table of the demo', () => {
  const [log = '', banner = ''] = server.output().split('\ntongate listening on ');
  expect(log.split('\n').filter(({ length }) => length >= 500)).toEqual([]);
  expect(banner).toContain(`the seeds of the wallets' keys, are in ${dir.path}/localnet/demo.json`);
  expect(banner).toMatch(/^ {2}bob {2,}0Q[\w-]{46} {2}wallet v4r2$/m);
  expect(banner).toMatch(/^ {2}jetton minter {2,}kQ[\w-]{46}$/m);
});

describe('docs/exchanges.md', { timeout: TIMEOUT_MS }, () => {
  const blocks = blocksOf('docs/exchanges.md');
  const program = (file: string) => write(blocks.find((block) => block.file === file)!);

  it('has requests that succeed, and find something', async () => {
    const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'));
    const settings = lines.filter((line) => /^[A-Z]+=/.test(line));
    const requests = lines.filter((line) => line.startsWith('curl '));
    expect(lines.filter((line) => line !== '')).toHaveLength(settings.length + requests.length);
    expect(requests.length).toBeGreaterThan(10);
    // One shell for all: each answer is a line.
    const output = await runShell([...settings, ...requests.map((line) => `${line}; echo`)].join('\n'));
    const answers = output.trim().split('\n');
    expect(answers).toHaveLength(requests.length);
    for (const [i, answer] of answers.entries()) {
      const body = JSON.parse(answer);
      const list = Object.values(body).find(Array.isArray);
      if (requests[i]!.includes('/api/v3/') && list !== undefined)
        expect(list, requests[i]).not.toHaveLength(0);
      if (requests[i]!.includes('/api/v2/')) expect(body, requests[i]).toMatchObject({ ok: true });
    }
  });

  it.runIf(isLongRun)('has a program that finds deposits, and one that pays exactly once', async () => {
    const child = spawn('node', [program('deposits.mjs'), '1'], { cwd: folder, env: environment() });
    try {
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
        });
      const deposits = () =>
        [...output.matchAll(/^(\d+) (\{.*\})$/gm)].map(([, seqno, json]) => ({
          seqno: Number(seqno),
          ...JSON.parse(json!),
        }));
      await expect.poll(() => deposits().filter(({ currency }) => currency === 'DEMO').length, WAIT).toBe(2);
      const first = await run('node', program('withdraw.mjs'));
      expect(first).toMatch(/^paid in block \d+ message \S{44}\n$/);
      // As after a crash: the same message, which is paid already.
      expect(await run('node', 'withdraw.mjs')).toBe(first);
      const paid = () => deposits().filter(({ memo }) => memo === 'withdrawal 42');
      await expect
        .poll(paid, WAIT)
        .toMatchObject([{ customer: 'dave', currency: 'TON', amount: '1500000000' }]);
      expect(deposits()).toContainEqual(
        expect.objectContaining({
          customer: 'dave',
          currency: 'DEMO',
          amount: '100000000000',
          memo: 'For the concert tickets; the rest follows next week',
        }),
      );
      expect(paid()).toHaveLength(1);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

it.runIf(isLongRun)(
  'docs/operate/localnet.md has tests that restore the chain',
  { timeout: TIMEOUT_MS },
  async () => {
    const block = blocksOf('docs/operate/localnet.md').find(({ file }) => file === 'wallet.test.mjs');
    expect(await run('vitest', 'run', write(block!))).toContain('3 passed');
  },
);

describe('docs/use-from-code.md', { timeout: TIMEOUT_MS }, () => {
  const blocks = blocksOf('docs/use-from-code.md');
  const named = (file: string) => blocks.find((block) => block.file === file)!;
  const HASH = /sent in the transaction \S{40,}\n$/;

  it('has the programs that are run here', () => {
    expect(blocks.map(({ file, language }) => file ?? language)).toEqual([
      'sh',
      'transfer.mjs',
      'transfer-tonweb.mjs',
      'Acton.toml',
      'blueprint.config.ts',
      'sh',
      'jetton.mjs',
      'sh',
      'history.ts',
      'deposit.py',
    ]);
  });

  it('curl', async () => {
    const output = await runShell(blocks[0]!.code);
    for (const text of [
      '"amount":"5"',
      '"@type":"raw.fullAccountState"',
      '"exit_code":0',
      '"transactions":[',
    ])
      expect(output).toContain(text);
    for (const list of ['actions', 'jetton_wallets']) expect(output).toContain(`"${list}":[{`);
    // The newest action is the transfer that the page began with, not one of the demo.
    expect(/"actions":\[\{.*?"details":\{.*?\}/.exec(output)?.[0]).toContain('"value":"5000000000"');
  });

  it('@ton/ton', async () => {
    const output = await run('node', write(named('transfer.mjs')));
    expect(output).toMatch(/^balance \d+\.\d+ TON\n/);
    expect(output).toMatch(HASH);
  });

  it.runIf(isLongRun)('tonweb', async () => {
    expect(await run('node', write(named('transfer-tonweb.mjs')))).toMatch(HASH);
  });

  it('assets-sdk', async () => {
    expect(await run('node', write(named('jetton.mjs')))).toMatch(
      /^Sand at kQ[\w-]{46} supply 1000000000000n\n$/,
    );
  });

  it('TypeScript', async () => {
    // Its types are checked by openapi-tools.test.ts.
    if (isLongRun) await runShell(blocks[7]!.code);
    const output = await run('node', write(named('history.ts')));
    expect(output).toMatch(/^action \d+ nanotons to 0:[0-9A-F]{64}$/m);
    expect(output).toMatch(/^transaction \d+ received \d+ from 0:[0-9A-F]{64}$/m);
    expect(output).toMatch(/^seqno \d+$/m);
  });

  it('Acton', async () => {
    const { code } = named('Acton.toml');
    for (const [version, path] of [
      ['v2', 'getMasterchainInfo'],
      ['v3', 'masterchainInfo'],
    ] as const) {
      const base = new RegExp(`${version} = "([^"]+)"`).exec(onServer(code))![1]!;
      const headers = { 'x-api-key': localnetKeyOf(dir.path) };
      expect((await fetch(`${base}/${path}`, { headers })).status).toBe(200);
    }
  });

  it.runIf(isLongRun)('Blueprint', async () => {
    cpSync(join(ROOT, 'test/conformance/blueprint-project'), folder, { recursive: true });
    // Not stored with the project: its files would be CommonJS for the checks of this repository, too.
    writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true }');
    write(named('blueprint.config.ts'));
    expect(await runShell(blocks[5]!.code)).toMatch(/counter at 0:[0-9a-f]{64} is 41/);
  });

  it.runIf(isLongRun)('Python', async (context) => {
    const found = spawnSync('python3', ['-c', 'import requests'], { env: environment() });
    if (found.status !== 0) return context.skip('no python3 with the package requests on the path');
    expect(await run('python3', write(named('deposit.py')))).toMatch(
      /^active \d+\.\d+ TON\n\S{44} 2\.5 TON\n$/,
    );
  });
});

it('docs/webhooks.md has a request, and a receiver of what it asked for', {
  timeout: TIMEOUT_MS,
}, async () => {
  const port = String(await freePort());
  const blocks = blocksOf('docs/webhooks.md').map((block) => ({
    ...block,
    code: block.code.replaceAll('9000', port),
  }));
  const [create, fund] = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  const { secret } = JSON.parse(await runShell(create!));
  const receiver = write(blocks.find(({ file }) => file === 'receiver.mjs')!);
  const child = spawn('node', [receiver, secret], { cwd: folder, env: environment() });
  try {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [, address, amount] = /^npm run localnet -- fund (\S+) (\S+)\n$/.exec(fund!)!;
    await fetch(`${server.url}/localnet/fund`, {
      method: 'POST',
      headers: { 'x-api-key': localnetKeyOf(dir.path), 'content-type': 'application/json' },
      body: JSON.stringify({ address, amount }),
    });
    await expect.poll(() => output, WAIT).toMatch(/^\S+-traces-\S+ actions ton_transfer\n/);
  } finally {
    child.kill('SIGKILL');
  }
});

describe('docs/streaming.md', { timeout: TIMEOUT_MS }, () => {
  const blocks = blocksOf('docs/streaming.md');
  const named = (file: string) => blocks.find((block) => block.file === file)!;

  /** Sends TON as the page says, again and again until a stream has shown it. */
  async function fundUntil(isDone: () => boolean): Promise<void> {
    const [, address, amount] = /^npm run localnet -- fund (\S+) (\S+)\n$/.exec(blocks[1]!.code)!;
    while (!isDone()) {
      await fetch(`${server.url}/localnet/fund`, {
        method: 'POST',
        headers: { 'x-api-key': localnetKeyOf(dir.path), 'content-type': 'application/json' },
        body: JSON.stringify({ address, amount }),
      });
    }
  }

  it('curl', async () => {
    // The stream has no end.
    const line = blocks[0]!.code.trim().replace('curl ', 'curl --max-time 6 -s ');
    let output = '';
    const stream = runShell(`${line} || true`).then((text) => {
      output = text;
    });
    await Promise.all([stream, fundUntil(() => output !== '')]);
    expect(output).toContain('event: connected\ndata: {"status":"subscribed"}\n');
    expect(output).toContain('data: {"type":"account_state_change","finality":"finalized"');
  });

  it('browser', async () => {
    const page = blocks.find(({ language }) => language === 'html')!.code;
    const query = /new URLSearchParams\((\{[\s\S]*?\})\)/.exec(page)![1]!;
    const wanted = new Function(`return ${query}`)() as Record<string, string>;
    wanted.api_key = localnetKeyOf(dir.path);
    const stop = new AbortController();
    const response = await fetch(`${server.url}/api/streaming/v2/sse?${new URLSearchParams(wanted)}`, {
      headers: { origin: 'https://example.org' },
      signal: stop.signal,
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    let text = '';
    const isShown = () => /^id: \S+\nevent: event\ndata: /m.test(text);
    const funded = fundUntil(isShown);
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (isShown()) break;
    }
    await funded;
    stop.abort();
  });

  it('@ton/ton beside a WebSocket', async () => {
    const output = await run('node', write(named('stream.mjs')));
    expect(output).toMatch(/^subscribed/);
    expect(output).toMatch(/^actions finalized hello$/m);
  });
});
