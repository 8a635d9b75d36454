import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { openReplayGround, type V2Ground } from '../support/v2-ground.ts';

const TONLIB = new URL('tonlib/', RECORDED_NETWORK);

/** Files whose question is about an account or the configuration at a block, by what tonlib calls it. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'raw.getAccountState': 'getAddressInformation',
  getAccountState: 'getExtendedAddressInformation',
  getShardAccountCell: 'getShardAccountCell',
  getConfigAll: 'getConfigAll',
};

interface Question {
  readonly name: string;
  readonly operation: string;
  readonly params: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: what tonlib answered
  readonly want: any;
}

function questions(): Question[] {
  const names = missingNetwork === '' ? readdirSync(TONLIB) : [];
  return names.flatMap((name) => {
    const { request, response } = JSON.parse(readFileSync(new URL(name, TONLIB), 'utf8'));
    const operation = OPERATIONS[request.function?.['@type']];
    if (operation === undefined || response['@type'] === 'error' || request.function.mode) return [];
    const address = request.function.account_address?.account_address;
    const params = { seqno: request.id.seqno, ...(address !== undefined && { address }) };
    return [{ name, operation, params, want: asContract(response, operation) }];
  });
}

/** What v2 makes of an answer of tonlib. */
function asContract(response: Question['want'], operation: string): Question['want'] {
  const { account_state: state, ...rest } = response;
  if (rest.balance === '-1') rest.balance = '0';
  if (operation === 'getAddressInformation') {
    const status = rest.code !== '' ? 'active' : rest.frozen_hash !== '' ? 'frozen' : 'uninitialized';
    return { ...rest, state: status, suspended: false };
  }
  if (state === undefined) return rest;
  const wallet_id = state.wallet_id === undefined ? {} : { wallet_id: Number(state.wallet_id) };
  return { ...rest, account_state: { ...state, ...wallet_id } };
}

describe.skipIf(missingNetwork !== '')(
  `accounts of a recorded network, as tonlib tells them${missingNetwork}`,
  () => {
    let ground: V2Ground;
    beforeAll(async () => {
      ground = await openReplayGround();
    }, 60_000);
    afterAll(() => ground.close());

    it('finds the recorded answers', () => {
      expect(new Set(questions().map(({ operation }) => operation))).toEqual(
        new Set(Object.values(OPERATIONS)),
      );
    });

    it.each(questions())('$operation: $name', async ({ operation, params, want }) => {
      const { status, body } = await ground.call(operation, params);
      expect({ status, result: body.result }, body.error).toEqual({ status: 200, result: want });
    });
  },
);
