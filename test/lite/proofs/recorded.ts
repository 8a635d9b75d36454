import { readdirSync, readFileSync } from 'node:fs';
import { decodeRequest } from '../../../src/chain/tl/lite-codec.ts';
import { decodeLiteError } from '../../../src/chain/tl/lite-error.ts';
import type { LiteMethod, LiteRequest, LiteRequestOf } from '../../../src/chain/tl/lite-functions.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';

/** What a real lite server answered. */
export interface Recorded<R = LiteRequest> {
  readonly name: string;
  readonly request: R;
  readonly answer: Buffer;
}

interface RecordedFile {
  readonly request: { readonly tl_hex: string };
  readonly response?: { readonly tl_hex: string };
  readonly tl_hex?: string;
}

/** A JSON file of the recorded network. */
export function readRecordedJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, RECORDED_NETWORK), 'utf8')) as T;
}

/** A file of the recorded network. */
export function readRecordedBytes(path: string): Buffer {
  return readFileSync(new URL(path, RECORDED_NETWORK));
}

/** The recorded answers in a folder to requests that are whole and were not refused. */
export function recordedAnswers(folder: 'accounts' | 'lite'): Recorded[] {
  if (missingNetwork !== '') return [];
  const found: Recorded[] = [];
  for (const file of readdirSync(new URL(`${folder}/`, RECORDED_NETWORK)).sort()) {
    const recorded = readRecordedJson<RecordedFile>(`${folder}/${file}`);
    const answer = Buffer.from(recorded.response?.tl_hex ?? recorded.tl_hex!, 'hex');
    // Requests with a wait prefix, and broken ones, are not about proofs.
    if (decodeLiteError(answer) !== undefined || file.startsWith('waitMasterchainSeqno')) continue;
    const name = file.replace('.json', '');
    found.push({ name, request: decodeRequest(Buffer.from(recorded.request.tl_hex, 'hex')), answer });
  }
  return found;
}

/** One recorded answer by its name, which starts with that of the function in the folder `lite`. */
export function recordedAnswer<M extends LiteMethod>(
  method: M,
  name: string,
  folder: 'accounts' | 'lite' = 'lite',
): Recorded<LiteRequestOf<M>> {
  const found = recordedAnswers(folder).find((recorded) => recorded.name === name);
  if (found?.request.method !== method) throw new Error(`no recorded answer ${name} of ${method}`);
  return found as Recorded<LiteRequestOf<M>>;
}
