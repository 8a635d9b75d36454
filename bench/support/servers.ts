import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Usage } from './usage-probe.ts';

/** A server in a child process, with its CPU usage. */
export interface MeasuredProcess {
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => Promise<void>;
}

interface StartOptions {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Receives stdout and stderr, like a log file in production. */
  readonly outputFile: string;
  readonly timeoutMs: number;
  /** The checkout whose program runs, if not this one. */
  readonly checkout?: string | undefined;
  /** Limit on open files of the process, if not that of this one. */
  readonly openFiles?: number | undefined;
}

/** The module that a child process preloads to report its usage. */
export const probe = fileURLToPath(new URL('./usage-probe.ts', import.meta.url));
/** The root of this checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a server with the usage probe and waits until it prints `listening on <url>`, or a log line with its URL. */
export async function startMeasured(options: StartOptions): Promise<MeasuredProcess> {
  const output = openSync(options.outputFile, 'w');
  const command = [process.execPath, '--import', probe, ...options.args];
  if (options.openFiles !== undefined)
    command.unshift('/bin/sh', '-c', `ulimit -n ${options.openFiles} && exec "$@"`, 'sh');
  const child = spawn(command[0]!, command.slice(1), {
    cwd: options.checkout ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  try {
    const url = await waitForUrl(child, options);
    return { url, usage: () => askChild<Usage>(child, 'usage'), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function waitForUrl(child: ChildProcess, options: StartOptions): Promise<string> {
  const deadline = Date.now() + options.timeoutMs;
  while (Date.now() < deadline) {
    const printed = readFileSync(options.outputFile, 'utf8');
    const url = /(?:listening on |"url":")(http:\/\/[^\s"]+)/.exec(printed)?.[1];
    if (url) return url.replace(/\/$/, '');
    if (child.exitCode !== null) throw new Error(`${options.args.join(' ')} exited:\n${printed}`);
    await sleep(50);
  }
  throw new Error(`${options.args.join(' ')} did not listen within ${options.timeoutMs} ms`);
}

/** Sends a message to a child process and waits for the reply. */
export async function askChild<T>(child: ChildProcess, message: string): Promise<T> {
  const replied = once(child, 'message');
  child.send(message);
  const [reply] = (await replied) as [T];
  return reply;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exited;
  clearTimeout(timer);
}

/** A tongate server and an API key for it. */
interface KeyedServer {
  readonly server: MeasuredProcess;
  readonly apiKey: string;
}

/** Differences from `npm start`. */
interface TongateOptions {
  /** File of its output, if several run in one folder. */
  readonly logName?: string;
  readonly command?: 'start' | 'serve';
  readonly settings?: NodeJS.ProcessEnv;
  readonly nodeOptions?: readonly string[];
  readonly openFiles?: number;
  /** The checkout to run, if not this one. */
  readonly checkout?: string | undefined;
}

/** Starts tongate on the data directory in a folder, and creates a key with a rate limit that no round reaches. */
export async function startTongate(folder: string, options: TongateOptions = {}): Promise<KeyedServer> {
  const { command = 'start', settings, nodeOptions = [], checkout = root } = options;
  const main = join(checkout, 'src/main.ts');
  const env = {
    NETWORK: 'localnet',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'info',
    RATE_LIMIT: 'on',
    // What is measured is the work of one process.
    WORKERS: '1',
    ...settings,
  };
  const server = await startMeasured({
    args: [...nodeOptions, main, command],
    env,
    outputFile: join(folder, options.logName ?? 'tongate.log'),
    timeoutMs: 60_000,
    checkout,
    openFiles: options.openFiles,
  });
  try {
    await checkRateLimit(server.url);
    return { server, apiKey: createKey(main, env) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function createKey(main: string, env: NodeJS.ProcessEnv): string {
  const args = [
    main,
    'keys',
    'create',
    '--name',
    'bench',
    '--rps',
    '100000',
    '--networks',
    env.NETWORK ?? '',
  ];
  const run = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  const key = /\btg_[A-Za-z0-9_-]{43}/.exec(run.stdout)?.[0];
  if (run.status !== 0 || !key) throw new Error(`keys create failed: ${run.stdout}${run.stderr}`);
  return key;
}

/** The comparison is worthless without access checks: throws unless the server limits anonymous requests. */
async function checkRateLimit(url: string): Promise<void> {
  const call = `${url}/api/v2/detectHash?hash=${'00'.repeat(32)}`;
  const responses = await Promise.all([fetch(call), fetch(call), fetch(call)]);
  const statuses = responses.map(({ status }) => status);
  if (!statuses.includes(200) || !statuses.includes(429))
    throw new Error(
      `Three concurrent anonymous requests returned ${statuses.join(', ')}, expected 200 and 429`,
    );
}
