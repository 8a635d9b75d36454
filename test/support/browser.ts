import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/** The headless shell is the same engine without the window, and needs less than half of the CPU time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Chromium: `CHROMIUM`, or the first of these names in PATH; undefined if there is none. */
export const CHROMIUM =
  process.env.CHROMIUM ??
  NAMES.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))).find(
    (path) => existsSync(path),
  );

/** Suffix for titles of tests that are skipped without a browser; empty if there is one. */
export const missingBrowser = CHROMIUM === undefined ? ' (skipped: there is no Chromium in PATH)' : '';

/** A page in a browser. */
export interface BrowserPage {
  open(url: string): Promise<void>;
  /** The value of an expression in the page; promises are awaited. */
  // biome-ignore lint/suspicious/noExplicitAny: it may be anything
  evaluate(expression: string): Promise<any>;
  close(): Promise<void>;
}

/** Starts a headless Chromium with an empty profile and speaks its DevTools protocol. */
export async function openBrowserPage(): Promise<BrowserPage> {
  const profile = makeTemporaryDirectory('browser');
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const child = spawn(
    CHROMIUM!,
    [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await debuggingPort(child);
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Record<string, string>[];
  const socket = new WebSocket(pages.find(({ type }) => type === 'page')!.webSocketDebuggerUrl!);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  // biome-ignore lint/suspicious/noExplicitAny: messages of the protocol
  const waiting = new Map<number, (answer: any) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const call = (method: string, params: object): Promise<any> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    async open(url) {
      await call('Page.navigate', { url });
    },
    async evaluate(expression) {
      const { result } = await call('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      return result?.result?.value;
    },
    async close() {
      socket.close();
      child.kill('SIGTERM');
      await ended;
      await removeTemporaryDirectory(profile);
    },
  };
}

async function debuggingPort(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line);
    if (found !== null) {
      child.stderr!.resume();
      return found[1]!;
    }
  }
  throw new Error('The browser did not start');
}
