import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BlockId, WHOLE_SHARD } from '../chain/block-id.ts';
import { parseHash } from '../chain/hash.ts';
import { createBackOff } from '../lib/back-off.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { parseJson } from '../lib/parse-json.ts';

export interface LiteServerAddress {
  /** Position in the config, which `@extra` shows. */
  readonly index: number;
  readonly host: string;
  readonly port: number;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

export interface GlobalConfig {
  readonly liteServers: readonly LiteServerAddress[];
  readonly zeroState: BlockId;
  /** A masterchain block that is trusted without proof; the zero state when the config has none. */
  readonly initBlock: BlockId;
  readonly hardforks: readonly BlockId[];
}

/** Published configs are nested six levels deep. */
const MAX_DEPTH = 64;

/** Reads the text of a global config and ignores members that are not needed. Throws InvalidGlobalConfig. */
export function parseGlobalConfig(text: string): GlobalConfig {
  const config = new ConfigField(parse(text));
  const liteServers = readLiteServers(config);
  if (liteServers.length === 0) throw new InvalidGlobalConfig('liteservers names no lite server');
  const validator = config.at('validator');
  const zeroState = validator.at('zero_state').masterchainBlock();
  const initBlock = validator.at('init_block');
  const hardforks = validator.at('hardforks');
  return {
    liteServers,
    zeroState,
    initBlock: initBlock.isGiven ? initBlock.masterchainBlock() : zeroState,
    hardforks: hardforks.isGiven ? hardforks.items().map((block) => block.masterchainBlock()) : [],
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text, { depth: MAX_DEPTH });
  } catch (error) {
    throw new InvalidGlobalConfig(`it is not JSON: ${(error as Error).message}`);
  }
}

/** `liteservers`, and those of `liteservers_v2` that have all shards: we route by block, not by shard. */
function readLiteServers(config: ConfigField): LiteServerAddress[] {
  const plain = config.at('liteservers');
  const sliced = config.at('liteservers_v2');
  const entries = [
    ...(plain.isGiven || !sliced.isGiven ? plain.items() : []),
    ...(sliced.isGiven ? sliced.items().filter(hasAllShards) : []),
  ];
  return entries.map((entry, index) => ({
    index,
    host: dottedAddress(entry.at('ip').integer(-(2 ** 31), 2 ** 32 - 1)),
    port: entry.at('port').integer(1, 65_535),
    publicKey: entry.at('id').at('key').hash(),
  }));
}

function hasAllShards(entry: ConfigField): boolean {
  const slices = entry.at('slices');
  if (!slices.isGiven || slices.items().length === 0) return true;
  return slices.items().some((slice) => {
    // A slice for a period of time has no `shards`.
    const shards = slice.at('shards');
    return shards.isGiven && shards.items().some((shard) => shard.at('shard').long() === WHOLE_SHARD);
  });
}

/** Configs hold an IPv4 address as a signed 32-bit number. */
function dottedAddress(ip: number): string {
  return [ip >>> 24, (ip >>> 16) & 0xff, (ip >>> 8) & 0xff, ip & 0xff].join('.');
}

/** Where the global configs of the public networks are published. */
const PUBLIC_CONFIG_URLS: Readonly<Record<string, string>> = {
  mainnet: 'https://ton.org/global.config.json',
  testnet: 'https://ton.org/testnet-global.config.json',
};

/** The path or URL of a network's config: `TON_CONFIG`, or where the config is published, if it is. */
export function globalConfigSource(network: string, tonConfig: string | undefined): string | undefined {
  return tonConfig ?? PUBLIC_CONFIG_URLS[network];
}

interface ReadOptions {
  /** A path, or a URL that starts with http:// or https://. */
  readonly source: string;
  /** The name of the setting, for error texts. */
  readonly setting?: string;
  /** The folder for the last good copy of a downloaded config. */
  readonly dataDir: string;
  readonly log: Log;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Throws if the process is stopping. With it, a config that cannot be downloaded now is waited for. */
  readonly assertRunning?: (() => void) | undefined;
}

const TIMEOUT_MS = 10_000;
/** The config of mainnet has 30 kB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A global config, and how to store a copy of it if it was downloaded. */
export interface LoadedConfig {
  readonly config: GlobalConfig;
  readonly storeCopy: () => Promise<void>;
}

/** Reads the global config of the network, and stores a copy of one that was downloaded. */
export async function readGlobalConfig(options: ReadOptions): Promise<GlobalConfig> {
  const { config, storeCopy } = await loadGlobalConfig(options);
  await storeCopy();
  return config;
}

/**
 * Reads the global config of the network without writing anything. When a download fails, the last good copy is used.
 * Throws StartError when there is none, or when a file is not usable.
 */
export async function loadGlobalConfig(options: ReadOptions): Promise<LoadedConfig> {
  const { source, setting = 'TON_CONFIG', dataDir, log } = options;
  if (!isUrl(source)) {
    try {
      const config = parseGlobalConfig(await readFile(source, 'utf8'));
      return { config, storeCopy: async () => {} };
    } catch (error) {
      throw unusable(source, setting, error);
    }
  }
  const path = copyPath(dataDir, source);
  try {
    const text = await download(options);
    const config = parseGlobalConfig(text);
    const storeCopy = () =>
      saveCopy(path, text).catch((error: unknown) => {
        log.warn({ path, err: error }, 'Storing a copy of the global config failed');
      });
    return { config, storeCopy };
  } catch (error) {
    const config = await readCopy(path);
    if (config === undefined) throw unusable(withoutSecrets(source), setting, error);
    const details = { url: withoutSecrets(source), path, reason: reasonOf(error) };
    log.warn(details, 'Global config download failed, using the last copy');
    return { config, storeCopy: async () => {} };
  }
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function readCopy(path: string): Promise<GlobalConfig | undefined> {
  return readFile(path, 'utf8').then(parseGlobalConfig, () => undefined);
}

/** Downloads the text. Without a copy, and with `assertRunning`, it tries until the server of the config responds. */
async function download(options: ReadOptions): Promise<string> {
  const { source, dataDir, log, assertRunning, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const url = withoutSecrets(source);
  const backOff = createBackOff({ firstMs: 1000, maxMs: 30_000 });
  for (let attempts = 1; ; attempts += 1) {
    try {
      const text = await downloadOnce(source, timeoutMs, maxBytes);
      if (attempts > 1) log.info({ url, attempts }, 'Global config downloaded');
      return text;
    } catch (error) {
      const isFinal =
        error instanceof FinalRefusal || (await readCopy(copyPath(dataDir, source))) !== undefined;
      if (assertRunning === undefined || isFinal) throw error;
      if (attempts === 1)
        log.warn(
          { url, reason: reasonOf(error) },
          'Global config download failed, retrying until it succeeds',
        );
    }
    await sleep(backOff.next());
    assertRunning();
  }
}

/** What a server says of the config that another attempt would not change. */
class FinalRefusal extends Error {}

async function downloadOnce(url: string, timeoutMs: number, maxBytes: number): Promise<string> {
  const { target, headers } = splitCredentials(url);
  const response = await fetch(target, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    const text = `the server responded with status ${response.status}`;
    throw isTemporary(response.status) ? new Error(text) : new FinalRefusal(text);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new FinalRefusal(`it is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
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

/** The name depends on the URL, so that the copy of one network is never used for another. */
function copyPath(dataDir: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(dataDir, 'lite', `global-config-${name}.json`);
}

async function saveCopy(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(join(path, '..'), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

function unusable(name: string, setting: string, error: unknown): StartError {
  return new StartError(
    `Global config ${name} cannot be used: ${reasonOf(error)}; correct it or set ${setting} to another one`,
    { cause: error },
  );
}

/** `fetch` puts the reason into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** An unusable global config; the message names the member. */
export class InvalidGlobalConfig extends Error {
  override readonly name: string = 'InvalidGlobalConfig';
}

/** A JSON value and its path, which error texts show. */
class ConfigField {
  readonly #value: unknown;
  readonly #name: string;

  constructor(value: unknown, name = '') {
    this.#value = value;
    this.#name = name;
  }

  get isGiven(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** A member of an object; a missing one is reported when it is read. */
  at(name: string): ConfigField {
    const fields = this.#value;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw this.fault('an object');
    return new ConfigField(
      (fields as Record<string, unknown>)[name],
      this.#name === '' ? name : `${this.#name}.${name}`,
    );
  }

  items(): ConfigField[] {
    if (!Array.isArray(this.#value)) throw this.fault('a list');
    return this.#value.map((item, position) => new ConfigField(item, `${this.#name}[${position}]`));
  }

  integer(min: number, max: number): number {
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw this.fault(`an integer from ${min} to ${max}`);
    return value;
  }

  /** 32 bytes in base64 or hex. */
  hash(): Buffer {
    const hash = typeof this.#value === 'string' ? parseHash(this.#value) : undefined;
    if (hash === undefined) throw this.fault('32 bytes in base64');
    return hash;
  }

  /** A signed 64-bit number, which configs have as a number or as a string. */
  long(): bigint {
    const text = String(this.#value);
    if (!/^-?\d{1,20}$/.test(text)) throw this.fault('a 64-bit number');
    return BigInt.asIntN(64, BigInt(text));
  }

  masterchainBlock(): BlockId {
    const block = {
      workchain: this.at('workchain').integer(-1, -1),
      shard: this.at('shard').long(),
      seqno: this.at('seqno').integer(0, 2 ** 31 - 1),
      rootHash: this.at('root_hash').hash(),
      fileHash: this.at('file_hash').hash(),
    };
    if (block.shard !== WHOLE_SHARD) throw this.at('shard').fault(`${WHOLE_SHARD}`);
    return block;
  }

  fault(expected: string): InvalidGlobalConfig {
    const name = this.#name === '' ? 'it' : this.#name;
    const got = this.#value === undefined ? 'is missing' : `must be ${expected}, got ${shorten(this.#value)}`;
    return new InvalidGlobalConfig(`${name} ${got}`);
  }
}

const MAX_SHOWN_CHARS = 60;

function shorten(value: unknown): string {
  // Numbers above 2^53 are bigints here, which JSON.stringify does not accept.
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part));
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
