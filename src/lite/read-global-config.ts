import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../lib/log.ts';
import { StartError } from '../lib/start-error.ts';
import { type GlobalConfig, parseGlobalConfig } from './global-config.ts';

/** Where the global configs of the public networks are published. */
const PUBLIC_CONFIG_URLS: Readonly<Record<string, string>> = {
  mainnet: 'https://ton.org/global.config.json',
  testnet: 'https://ton.org/testnet-global.config.json',
};

/** Where to read the config of a network: what `TON_CONFIG` says, or where it is published, if it is. */
export function globalConfigSource(network: string, tonConfig: string | undefined): string | undefined {
  return tonConfig ?? PUBLIC_CONFIG_URLS[network];
}

interface ReadOptions {
  /** A path, or a URL that starts with http:// or https://. */
  readonly source: string;
  /** The setting that names it, for those who have to correct it. */
  readonly setting?: string;
  /** Where the last good copy of a URL's config is kept. */
  readonly dataDir: string;
  readonly log: Log;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 10_000;
/** Mainnet's has 30 kB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the global config of the network. When a URL gives nothing usable, the copy of the last time serves; without
 * one, or when a file is not usable, it throws StartError.
 */
export async function readGlobalConfig(options: ReadOptions): Promise<GlobalConfig> {
  const {
    source,
    setting = 'TON_CONFIG',
    dataDir,
    log,
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
  } = options;
  if (!/^https?:\/\//i.test(source)) {
    try {
      return parseGlobalConfig(await readFile(source, 'utf8'));
    } catch (error) {
      throw unusable(source, setting, error);
    }
  }
  const copy = copyPath(dataDir, source);
  try {
    const text = await download(source, timeoutMs, maxBytes);
    const config = parseGlobalConfig(text);
    await keep(copy, text).catch((error: unknown) => {
      log.warn({ path: copy, err: error }, 'the global config cannot be kept for the next start');
    });
    return config;
  } catch (error) {
    const config = await readFile(copy, 'utf8').then(parseGlobalConfig, () => undefined);
    if (config === undefined) throw unusable(withoutSecrets(source), setting, error);
    log.warn(
      { url: withoutSecrets(source), path: copy, reason: reasonOf(error) },
      'the global config cannot be fetched; the copy of the last time is used',
    );
    return config;
  }
}

async function download(url: string, timeoutMs: number, maxBytes: number): Promise<string> {
  const { target, headers } = splitCredentials(url);
  const response = await fetch(target, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server answers with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` refuses a URL that holds credentials, and its error would show them. */
function splitCredentials(url: string): { target: URL; headers: Record<string, string> } {
  const target = new URL(url);
  const { username, password } = target;
  if (username === '' && password === '') return { target, headers: {} };
  target.username = '';
  target.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { target, headers: { authorization: `Basic ${credentials.toString('base64')}` } };
}

/** The name depends on the URL, so that the copy of one network never serves another. */
function copyPath(dataDir: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(dataDir, 'lite', `global-config-${name}.json`);
}

async function keep(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(join(path, '..'), { recursive: true });
  const unfinished = `${path}.${process.pid}.new`;
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}

function unusable(name: string, setting: string, error: unknown): StartError {
  return new StartError(
    `The global config ${name} cannot be used: ${reasonOf(error)}; correct it or set ${setting} to another one`,
    { cause: error },
  );
}

/** `fetch` hides what happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
