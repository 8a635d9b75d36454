import { Cell } from '@ton/core';
import { LiteRefusal } from '../../../src/localnet/lite-server/methods/method-context.ts';
import { openReplayApp, type V2TestApp } from '../../v2/support/v2-app.ts';
import { type Json, recordedFiles } from './recorded-files.ts';

const LITE_SERVER_PREFIX = 'cannot apply external message to current state : ';

/** A method that runs out of gas takes long on a busy machine. */
const REQUEST_MS = 60_000;

/** Serves v2 of the recorded network; messages that the recorded node rejected are rejected with the same text. */
export function openRecordedApp(): Promise<V2TestApp> {
  const verdicts = recordedVerdicts();
  return openReplayApp({
    ports: { requestMs: REQUEST_MS },
    sendMessage: async (message) => {
      const verdict = verdicts.get(rootHash(message));
      if (verdict !== undefined) throw new LiteRefusal(verdict.code, verdict.message);
    },
  });
}

function recordedVerdicts(): ReadonlyMap<string, { code: number; message: string }> {
  const sent = [...recordedFiles<Json>('lite').values()].filter(
    ({ name }) => name.startsWith('err_sendMessage') && !name.endsWith('_garbage'),
  );
  return new Map(
    sent.map(({ request, response }) => {
      const { code, message } = response.decoded;
      const verdict = { code, message: message.replace(LITE_SERVER_PREFIX, '') };
      return [rootHash(Buffer.from(request.params.body, 'base64')), verdict];
    }),
  );
}

function rootHash(boc: Buffer): string {
  return Cell.fromBoc(boc)[0]!.hash().toString('hex');
}
