import { readdirSync, readFileSync } from 'node:fs';
import { decodeLiteError } from '../../../../src/chain/tl/lite-envelope.ts';
import type { LiteMethod, LiteRequest, LiteRequestOf } from '../../../../src/lite/methods/codec.ts';
import { decodeRequest } from '../../../support/lite-server.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../../support/recorded-network.ts';

/** What a real lite server returned. */
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

/** The recorded responses in a folder to requests that are whole and were not refused. */
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

/** One recorded response by its name, which starts with that of the function in the folder `lite`. */
export function recordedAnswer<M extends LiteMethod>(
  method: M,
  name: string,
  folder: 'accounts' | 'lite' = 'lite',
): Recorded<LiteRequestOf<M>> {
  const found = recordedAnswers(folder).find((recorded) => recorded.name === name);
  if (found?.request.method !== method) throw new Error(`no recorded answer ${name} of ${method}`);
  return found as Recorded<LiteRequestOf<M>>;
}

/** Names of the recorded JSON that ours differ from by more than their spelling. */
const RENAMED: Readonly<Record<string, string>> = {
  shardblk: 'shardBlock',
  wc: 'workchain',
  cc_seqno: 'catchainSeqno',
};

const KIND_OF_TYPE: Readonly<Record<string, string>> = {
  'liteServer.blockLinkBack': 'back',
  'liteServer.blockLinkForward': 'forward',
  'liteServer.signatureSet.ordinary': 'ordinary',
  'liteServer.signatureSet.simplex': 'simplex',
};

const camelCase = (name: string): string =>
  RENAMED[name] ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A recorded value with our names; hashes that were written as hex in a request become base64. */
export function fromRecorded(value: unknown): unknown {
  if (typeof value === 'string') {
    return /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex').toString('base64') : value;
  }
  if (Array.isArray(value)) return value.map(fromRecorded);
  if (typeof value !== 'object' || value === null) return value;
  const { '@type': type, ...fields } = value as Record<string, unknown>;
  const entries = Object.entries(fields).map(([name, field]) => [camelCase(name), fromRecorded(field)]);
  const named = Object.fromEntries(entries) as Record<string, unknown>;
  const kind = typeof type === 'string' ? KIND_OF_TYPE[type] : undefined;
  if (kind !== undefined) return { kind, ...named };
  const isAccount = Object.keys(named).sort().join() === 'id,workchain';
  return isAccount ? { workchain: named.workchain, hash: named.id } : named;
}

/** A decoded value in the recorded encodings: base64 for bytes, text for 64-bit numbers, no absent fields. */
export function toRecorded(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toRecorded);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([name, field]) => name !== 'method' && field !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, toRecorded(field)]));
}
