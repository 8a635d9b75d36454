import { readdirSync, readFileSync } from 'node:fs';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON of every form
export type Json = any;

/** A recorded call of tonlib and its response. */
export interface TonlibFile {
  readonly name: string;
  readonly request: Json;
  readonly response: Json;
  readonly account?: string;
}

/** A recorded request to the Python service and its response. */
export interface HttpFile {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Record<string, Json> | null;
  readonly body_sent?: Json;
  readonly status: number;
  readonly body: Json;
}

/** All files of a folder, by name. */
export function recordedFiles<T extends { readonly name: string }>(
  folder: 'http' | 'tonlib' | 'lite',
): ReadonlyMap<string, T> {
  if (missingNetwork !== '') return new Map();
  const folderUrl = new URL(`${folder}/`, RECORDED_NETWORK);
  const files = readdirSync(folderUrl).sort();
  return new Map(
    files.map((file) => {
      const name = file.replace('.json', '');
      return [name, { name, ...recordedJson(`${folder}/${file}`) }];
    }),
  );
}

/** One file of the recording. */
export function recordedJson(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, RECORDED_NETWORK), 'utf8'));
}

/** The address of an account of the recorded scenario, by its name. */
export function recordedAddress(name: string): string {
  const { accounts } = recordedJson('scenario.json');
  const found = Array.isArray(accounts)
    ? accounts.find((account: Json) => account.name === name)
    : accounts[name];
  if (found === undefined) throw new Error(`No account ${name} in the recorded scenario`);
  return found.address;
}
