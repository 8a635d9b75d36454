import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  decodeLiteError,
  encodeLiteError,
  splitWaitPrefix,
  withWaitPrefix,
} from '../../../src/chain/tl/lite-envelope.ts';
import { TlError } from '../../../src/chain/tl/tl.ts';
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
  LITE_METHODS,
  type LiteMethod,
} from '../../../src/lite/methods/codec.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { fromRecorded, toRecorded } from './support/recorded.ts';

interface Recorded {
  readonly request: { readonly method: string; readonly params?: object; readonly tl_hex: string };
  readonly response: { readonly tl_hex: string; readonly decoded: { readonly '@type': string } };
}

interface RecordedAccount {
  readonly request: Recorded['request'];
  readonly tl_hex: string;
}

const filesOf = (folder: string): string[] =>
  missingNetwork === ''
    ? readdirSync(new URL(folder, RECORDED_NETWORK)).filter((name) => name.endsWith('.json'))
    : [];

const load = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, RECORDED_NETWORK), 'utf8')) as T;

/** Queries that were made wrong on purpose. */
const BROKEN = new Set([
  'err_empty.json',
  'err_trailing.json',
  'err_truncated.json',
  'err_unknown_function.json',
]);

describe.skipIf(missingNetwork !== '')(`recorded bytes of a real lite server${missingNetwork}`, () => {
  test.each(filesOf('lite/'))('request and response of %s survive decoding and encoding', (name) => {
    const { request, response } = load<Recorded>(`lite/${name}`);
    const asked = Buffer.from(request.tl_hex, 'hex');
    const method = BROKEN.has(name) ? undefined : checkRequest(asked, request);
    if (method === undefined) expect(() => decodeRequest(asked)).toThrow(TlError);
    checkAnswer(Buffer.from(response.tl_hex, 'hex'), response.decoded, method);
  });

  test.each(filesOf('accounts/'))(
    'request and response of the account %s survive decoding and encoding',
    (name) => {
      const account = load<RecordedAccount & Record<string, unknown>>(`accounts/${name}`);
      const bytes = Buffer.from(account.tl_hex, 'hex');
      expect(checkRequest(Buffer.from(account.request.tl_hex, 'hex'), account.request)).toBe(
        'getAccountState',
      );
      const decoded = decodeResponse('getAccountState', bytes);
      const { id, shardblk, shard_proof, proof, state } = account;
      expect(toRecorded(decoded)).toEqual(fromRecorded({ id, shardblk, shard_proof, proof, state }));
      expectSameBytes(encodeResponse('getAccountState', decoded), bytes);
    },
  );

  test('cover every response type but those to an accepted message and about signed blocks', () => {
    const seen = new Set(
      filesOf('lite/').map((name) => load<Recorded>(`lite/${name}`).response.decoded['@type']),
    );
    const known = Object.values(LITE_METHODS).map((definition) => definition.response.name);
    expect(known.filter((name) => !seen.has(name))).toEqual([
      'liteServer.nonfinal.pendingShardBlocks',
      'liteServer.sendMsgStatus',
    ]);
  });
});

/** Texts, because comparing buffers item by item takes long for whole states. */
function expectSameBytes(ours: Buffer, recorded: Buffer): void {
  expect(ours.toString('hex')).toBe(recorded.toString('hex'));
}

function checkRequest(bytes: Buffer, recorded: Recorded['request']): LiteMethod {
  const { wait, request } = splitWaitPrefix(bytes);
  const decoded = decodeRequest(request);
  const encoded = encodeRequest(decoded);
  expectSameBytes(wait === undefined ? encoded : withWaitPrefix(wait, encoded), bytes);
  if (recorded.method.startsWith('liteServer.waitMasterchainSeqno')) {
    expect(wait).toEqual(fromRecorded(recorded.params));
  } else if (recorded.method !== 'raw') {
    expect(`liteServer.${decoded.method}`).toBe(recorded.method);
    expect(toRecorded(decoded)).toEqual(fromRecorded(recorded.params));
  }
  return decoded.method;
}

function checkAnswer(bytes: Buffer, recorded: Recorded['response']['decoded'], method?: LiteMethod): void {
  const error = decodeLiteError(bytes);
  if (error !== undefined) {
    expect(recorded['@type']).toBe('liteServer.error');
    expect(error).toEqual(fromRecorded(recorded));
    expectSameBytes(encodeLiteError(error), bytes);
    return;
  }
  const answered = method as LiteMethod;
  const decoded = decodeResponse(answered, bytes);
  expect(recorded['@type']).toBe(LITE_METHODS[answered].response.name);
  expect(toRecorded(decoded)).toEqual(fromRecorded(recorded));
  expectSameBytes(encodeResponse(answered, decoded as never), bytes);
}
